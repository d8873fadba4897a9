"""The kinds of incident: what each is called, what it means, who may report it, how grave it is."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass


class Severity(enum.StrEnum):
    """What an open incident of this kind does to its table."""

    NOTE = "note"
    """Told and journalled; the deal goes on."""
    ATTENTION = "attention"
    """The deal goes on; no result, or no new round, before it is answered."""
    HOLD = "hold"
    """The table is held at once."""


class Reporter(enum.StrEnum):
    DEALER = "dealer"
    PIT = "pit"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class IncidentKind:
    """One kind of incident. `label` goes on a button, `sentence` explains it; both are English, `key` is stable."""

    key: str
    label: str
    sentence: str
    reporters: tuple[Reporter, ...]
    severity: Severity = Severity.HOLD


_PEOPLE = (Reporter.DEALER, Reporter.PIT)
_ANYONE = (Reporter.DEALER, Reporter.PIT, Reporter.DEVICE)
_DEVICE = (Reporter.DEVICE,)
_PIT_OR_DEVICE = (Reporter.PIT, Reporter.DEVICE)

KINDS: tuple[IncidentKind, ...] = (
    IncidentKind("burn_error", "Burn error", "Too many or too few cards were burned before the hand.", _ANYONE),
    IncidentKind("exposed_card", "Card exposed", "A card was seen that should not be seen yet.", _ANYONE),
    IncidentKind("extra_card", "Extra card", "A card was drawn that no box was owed.", _ANYONE),
    IncidentKind("dropped_card", "Card dropped", "A card fell off the table or left the camera's view.", _ANYONE),
    IncidentKind("wrong_order", "Wrong order", "Cards were dealt to the boxes in the wrong order.", _ANYONE),
    IncidentKind("misplaced_card", "Card misplaced", "A card lies in another place than the one it was due.", _ANYONE),
    IncidentKind("wrong_count", "Wrong count", "A box has too many or too few cards.", _ANYONE),
    IncidentKind("shuffler_jam", "Shuffler jam", "A card is stuck in the shuffler.", _ANYONE),
    IncidentKind("early_card", "Early card", "A card left the shoe before it was due.", _ANYONE),
    IncidentKind("boxed_card", "Boxed card", "A card lies face up inside the shoe.", _PEOPLE),
    IncidentKind("fouled_deck", "Fouled deck", "A card was seen that this deck cannot hold.", _ANYONE),
    IncidentKind("shoe_empty", "Shoe empty", "The shoe has no card left for the next deal.", _ANYONE),
    IncidentKind("unread_card", "Card not read", "A card left the shoe and the shoe did not read it.", _ANYONE),
    IncidentKind(
        "card_mismatch", "Shoe and camera differ", "The shoe read one card and the camera sees another.", _PIT_OR_DEVICE
    ),
    IncidentKind("cleared_early", "Cleared early", "Cards were picked up before the result was settled.", _ANYONE),
    IncidentKind(
        "prize_lost", "Prize lost", "A round was cancelled while a bettor held a First 5 prize.", _PIT_OR_DEVICE
    ),
    IncidentKind(
        "camera_unsure",
        "Camera unsure",
        "The camera cannot confirm a card the shoe has read.",
        _DEVICE,
        Severity.ATTENTION,
    ),
    IncidentKind("misdeal_claimed", "Misdeal claimed", "Somebody claims that the deal was wrong.", _PEOPLE),
    IncidentKind("timed_out", "Timed out", "A seat did not act in time.", _PIT_OR_DEVICE, Severity.NOTE),
    IncidentKind("device_lost", "Device lost", "The link to a shoe, shuffler or camera is lost.", _DEVICE),
    IncidentKind(
        "device_changed", "Another device", "A device came back and has not proved that it is the same one.", _DEVICE
    ),
    IncidentKind("shoe_error", "Shoe error", "The shoe reports an error.", _DEVICE),
    IncidentKind("cut_card", "Cut card out", "The cut card came out of the shoe.", _ANYONE, Severity.NOTE),
    IncidentKind("shoe_restart", "Shoe restarted", "The shoe started anew without a cut card.", _DEVICE, Severity.NOTE),
    IncidentKind(
        "conflicting_reread", "Conflicting reading", "A card already accepted was read again as another card.", _DEVICE
    ),
    IncidentKind(
        "deck_unverified",
        "Deck not verified",
        "The shuffler's count is wrong, or the deck was never verified.",
        _PIT_OR_DEVICE,
        Severity.ATTENTION,
    ),
    IncidentKind("restart", "Program restarted", "The program was started again in the middle of a round.", _DEVICE),
    IncidentKind("video_lost", "Video lost", "The bettors' picture of the table is lost.", _PIT_OR_DEVICE),
    IncidentKind("disconnected", "Bettor disconnected", "A bettor lost the connection.", _PIT_OR_DEVICE, Severity.NOTE),
    IncidentKind(
        "malfunction", "Malfunction", "Something of the studio's own does not work as it must.", _PIT_OR_DEVICE
    ),
    IncidentKind("void_called", "Void called", "The pit calls the round void.", (Reporter.PIT,)),
)

KIND_BY_KEY: Mapping[str, IncidentKind] = {kind.key: kind for kind in KINDS}
