"""What a table does on its shuffler's word: a deck may deal or is blocked, an alarm, a jam [EV6]."""

from __future__ import annotations

from typing import Final

from studio import ports
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.incident import open_incident
from studio.tables.state.rotation import (
    AT_WORK,
    IN_SHOE,
    OK,
    RESHUFFLED,
    UNEXPECTED,
    UNHEARD,
    DeckRecord,
    DeckStage,
    verdict_on,
)
from studio.tables.state.table import Status, TableState

HARMS_NO_DECK: Final = frozenset({"power", "timeout"})
"""Alarms under which a deck that lies verified in the machine stays what it is."""
SPOILS_THE_SHUFFLE: Final = frozenset({"misread", "reverse", "double_feed", "deck_count", "overdraw"})
"""Alarms that say something of the cards under way; the others are the machine's own."""


STALLED_AFTER_MS: Final = 180_000
"""A shuffle takes half a minute; a machine that says nothing new for so long has stopped."""


def tell_stalled(draft: Draft) -> None:
    """A machine that shuffles or counts without an end verifies nothing: the pit is asked what to do [EV6]."""
    state, machine = draft.state, draft.state.decks.machine
    at_work = machine.state in ("shuffling", "verifying") and state.devices.links.get(state.config.shuffler, False)
    if at_work and draft.at_ms - machine.since_ms >= STALLED_AFTER_MS:
        _ask(draft)


def watch_shuffler(draft: Draft, before: TableState, seen: ports.AnyObservation) -> None:
    """`before`: the table as it was before the machine spoke."""
    match seen:
        case ports.DeckVerified():
            _verified(draft, seen)
        case ports.ShufflerState(state=state) if state in AT_WORK:
            _no_longer_verified(draft, before, RESHUFFLED)
        case ports.ShufflerState(state="idle") if not before.decks.machine.state:
            _no_longer_verified(draft, before, UNHEARD)
        case ports.ShufflerAlarm(alarm=alarm, raised=True) if alarm not in before.decks.machine.alarms:
            _alarmed(draft, alarm, at_work=before.decks.machine.state in AT_WORK)


def _alarmed(draft: Draft, alarm: str, *, at_work: bool) -> None:
    """A jam holds the table [HG18, HG19, TK13]. Any other alarm that touches the cards in the machine blocks their
    deck, and the deal goes on with the one in the shoe; all others are told.
    """
    device = draft.state.config.shuffler
    was_good = alarm not in HARMS_NO_DECK and _block(draft, alarm)
    if alarm == "jam" and draft.state.status is not Status.CLOSED:
        open_incident(draft, "shuffler_jam", by=device, device=device)
    elif was_good or (at_work and alarm in SPOILS_THE_SHUFFLE):
        _ask(draft)


def blocked(state: TableState) -> DeckRecord | None:
    """The deck that lies in the machine and may not be dealt."""
    if state.deck is not None and state.decks.machine.deck == state.deck.id:
        return DeckRecord(state.deck.id, DeckStage.BLOCKED, verdict=IN_SHOE)
    return next(
        (one for one in state.decks.records if one.id == state.decks.machine.deck and one.stage is DeckStage.BLOCKED),
        None,
    )


def found_wrong(state: TableState, deck: str) -> bool:
    """The machine counted this deck and found it wrong, and has not shuffled it again since."""
    record = next((one for one in state.decks.records if one.id == deck), None)
    return record is not None and record.stage is DeckStage.BLOCKED and record.verdict in _WHY


def why_not_this(state: TableState, deck: str) -> str:
    """Why this deck may not be loaded, in a sentence that says what to do."""
    if found_wrong(state, deck):
        verdict = next(one.verdict for one in state.decks.records if one.id == deck)
        return f"Deck {deck} may not be dealt: {_WHY[verdict]}"
    return f"Deck {deck} is not verified: shuffle and verify it first."


def why_no_deck(state: TableState) -> str:
    """What the table waits for where no deck is verified, in a sentence that says what to do."""
    return _no_deck(state)[1]


def which_no_deck(state: TableState) -> str:
    """Which of these sentences it is, for whoever says it in another language."""
    return _no_deck(state)[0]


def _no_deck(state: TableState) -> tuple[str, str]:
    machine, device = state.decks.machine, state.config.shuffler
    if not device:
        return "by_hand", "No deck is verified: a pit boss counts one and vouches for it."
    if not state.devices.links.get(device, False):
        return "no_link", "No deck is verified, and the shuffler is not connected: check its cable and its power."
    if (deck := blocked(state)) is not None:
        return "blocked", f"Deck {deck.id} may not be dealt: {_WHY.get(deck.verdict, _WHY_ELSE)}"
    if machine.alarms:
        told = ", ".join(sorted(machine.alarms)).replace("_", " ")
        return "alarm", f"No deck is verified, and the shuffler raises an alarm ({told}): put the machine right first."
    if machine.state in AT_WORK:
        return "busy", f"No deck is verified yet: the shuffler is {machine.state}. Wait until it is ready."
    return "shuffle", "No deck is verified: let the shuffler shuffle and verify one, then load the shoe."


_TAKE_OUT: Final = "Take it out of the shuffler, make it whole or take another deck, and have it shuffled again."
_AGAIN: Final = "Take it out of the shuffler, look at its cards, and have it shuffled and verified again."
_WHY: Final = {
    "short": f"a card is missing. {_TAKE_OUT}",
    "over": f"it has a card too many. {_TAKE_OUT}",
    "duplicate": f"it has one card twice. {_TAKE_OUT}",
    "foreign": f"a card of another deck is in it. {_TAKE_OUT}",
    IN_SHOE: "the shuffler gives it the name of the deck in the shoe. Count both decks, and have them shuffled again.",
    UNEXPECTED: f"the shuffler verified a deck it had not shuffled. {_AGAIN}",
}
_WHY_ELSE: Final = f"it is not verified. {_AGAIN}"


def _verified(draft: Draft, seen: ports.DeckVerified) -> None:
    """Take the shuffler's word on a deck: the first makes the deck good or blocks it, a repeat changes nothing."""
    state = draft.state
    in_shoe = state.deck.id if state.deck else ""
    verdict = verdict_on(state.decks.machine, seen, cards=state.shoe.cards, in_shoe=in_shoe)
    told_before = any(one.id == seen.deck_id and one.verdict == verdict for one in state.decks.records)
    if verdict is None or (told_before and not state.decks.machine.owes):
        return
    if verdict == OK:
        draft.emit(e.DeckApproved(deck_id=seen.deck_id, count=seen.count, by=seen.device))
        _answered(draft)
        return
    draft.emit(e.DeckRefused(deck_id=seen.deck_id, count=seen.count, verdict=verdict, by=seen.device))
    _ask(draft)


def _no_longer_verified(draft: Draft, before: TableState, why: str) -> None:
    """A deck that was verified and was never seen to come out has to be verified anew."""
    deck = next((one for one in before.decks.records if one.id == before.decks.machine.deck), None)
    if deck is not None and deck.stage is DeckStage.VERIFIED:
        draft.emit(e.DeckRefused(deck_id=deck.id, count=deck.count, verdict=why))


def _block(draft: Draft, why: str) -> bool:
    """The verified deck that lies in the machine is verified no longer; whether there was one."""
    machine = draft.state.decks.machine
    deck = next((one for one in draft.state.decks.records if one.id == machine.deck), None)
    if deck is None or deck.stage is not DeckStage.VERIFIED:
        return False
    draft.emit(e.DeckRefused(deck_id=deck.id, count=deck.count, verdict=why, by=draft.state.config.shuffler))
    return True


def _ask(draft: Draft) -> None:
    device = draft.state.config.shuffler
    if draft.state.status is not Status.CLOSED:
        open_incident(draft, "deck_unverified", by=device, device=device)


def _answered(draft: Draft) -> None:
    """A deck was verified after the one that was not: no pit boss has to look at it any more [EV6]."""
    for incident in draft.state.incidents.open:
        if incident.kind == "deck_unverified" and incident.scene.device == draft.state.config.shuffler:
            draft.emit(e.IncidentClosed(id=incident.id))
