"""What a ruling key means: the sentence, what goes back, who agrees, what has to be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow, Refund, Ruling
from studio.procedures.step import Sign, Step, Who


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one ruling does. `gives_back` says it in words, `refund` in a key, `approval` who usually agrees."""

    key: str
    label: str
    sentence: str
    gives_back: str
    approval: Approval
    refund: Refund
    steps: tuple[Step, ...]


_NOTHING = "Every bet stands."
_EVERYTHING = (
    "Every bet of the round goes back, side bets and jackpot contributions too; settled side bets are reversed."
)


Told = str | tuple[str, Sign] | tuple[str, Sign, Who]
"""A step as it is written here: its words, by what it shows, and who does it, where that is not the dealer."""


def _meaning(
    key: str,
    label: str,
    sentence: str,
    *told: Told,
    approval: Approval = Approval.PIT_BOSS,
    gives_back: tuple[Refund, str] = (Refund.NONE, _NOTHING),
) -> Meaning:
    steps = tuple(_step(f"{key}.{number}", one) for number, one in enumerate(told, 1))
    return Meaning(key, label, sentence, gives_back[1], approval, gives_back[0], steps)


def _step(key: str, told: Told) -> Step:
    if isinstance(told, str):
        return Step(key, told)
    text, sign, *who = told
    return Step(key, text, who[0] if who else Who.DEALER, sign)


_GO_ON: Final = "Go on with the deal."
_INSERT: Final = ("Lay the deck into the shuffler.", Sign.INSERTED)
_VERIFY: Final = ("Wait until a deck is verified.", Sign.VERIFIED, Who.SHUFFLER)
_LOAD: Final = ("Load the verified deck into the shoe.", Sign.LOADED)
_CLEAR: Final = ("Move every card of the round to the discard; what lies face down stays so.", Sign.FELT_CLEAR)

RULINGS: tuple[Meaning, ...] = (
    _meaning(
        "continue", "Go on", "The round goes on as it stands.",
        _GO_ON,
        approval=Approval.DEALER,
    ),
    _meaning(
        "card_to_discard", "Card to the discard", "The card does not count and goes to the discard.",
        ("Lay the card in the discard; what lies face down stays so.", Sign.PLACED), _GO_ON,
        approval=Approval.DEALER,
    ),
    _meaning(
        "card_is_next_burn", "Card is the next burn", "The card is used as the next burn card.",
        ("Lay the card in the burn zone, face down.", Sign.PLACED), _GO_ON,
        approval=Approval.DEALER,
    ),
    _meaning(
        "card_is_next_card", "Card is the next card", "The card is used as the next card of the deal.",
        "Hold the card where it lies until the next card is due.", ("Lay the card in the place shown.", Sign.PLACED),
        approval=Approval.DEALER,
    ),
    _meaning(
        "reuse_card", "Use the card again", "The card that fell is picked up and used.",
        "Pick the card up without turning it.", ("Lay it in the place shown.", Sign.PLACED),
        approval=Approval.DEALER,
    ),
    _meaning(
        "move_card", "Put the card right", "The card is moved to the place it was due.",
        ("Move the card to the place shown.", Sign.PLACED), ("Wait until the camera confirms it.", Sign.PLACED),
        approval=Approval.DEALER,
    ),
    _meaning(
        "swap_hands", "Swap the hands", "Two whole hands change places, and so do their results.",
        "Leave the cards where they lie.", "Announce that the two hands shown count for each other.",
    ),
    _meaning(
        "reread_all", "Read every card again", "Every card of the round is read again, from the first.",
        ("Lift each card and lay it back in its place, one by one, in the order dealt.", Sign.PLACED),
        ("Wait until each card is confirmed.", Sign.PLACED),
    ),
    _meaning(
        "relay_from_discard", "Lay the cards out again",
        "The cards are taken from the discard and laid out as they were, against the order read.",
        "Take the cards of this round from the discard.",
        ("Lay each card in the place shown, one at a time.", Sign.PLACED),
        ("Wait until the camera confirms each card.", Sign.PLACED),
    ),
    _meaning(
        "reshuffle", "Shuffle again", "The cards are shuffled again.",
        ("Collect every card.", Sign.FELT_CLEAR), _INSERT, _VERIFY, _LOAD,
    ),
    _meaning(
        "reshuffle_and_redeal", "Shuffle and deal again", "All cards are shuffled and the same round is dealt again.",
        ("Collect every card.", Sign.FELT_CLEAR), _INSERT, _VERIFY, _LOAD,
        ("Deal the same round from its first card.", Sign.DEALT),
        gives_back=(Refund.NONE, "Every bet stands for the new deal."),
    ),
    _meaning(
        "void_hand", "Void the hand", "The hand of one box does not count.",
        "Announce that the hand is void.", ("Move its cards to the discard.", Sign.PLACED),
        "Go on with the other boxes.",
        gives_back=(Refund.HAND, "Every bet on that box goes back."),
    ),
    _meaning(
        "void_round", "Void the round", "The round does not count.",
        "Announce that the round is void.", _CLEAR,
        gives_back=(Refund.ALL, _EVERYTHING),
    ),
    _meaning(
        "void_shoe", "Void the shoe", "The round does not count and no further card of this shoe is dealt.",
        "Announce that the round is void.", _CLEAR, "Take the other cards out of the shoe.", _LOAD,
        gives_back=(Refund.ALL, _EVERYTHING),
    ),
    _meaning(
        "replace_deck", "Replace the deck", "The deck leaves the table and another one, verified, takes its place.",
        ("Collect every card and hand the deck to the pit boss.", Sign.FELT_CLEAR),
        ("Lay another deck into the shuffler.", Sign.INSERTED, Who.PIT_BOSS), _VERIFY, _LOAD,
    ),
    _meaning(
        PIT_DECIDES, "The pit decides", "A pit boss chooses one of the ways allowed.",
        "Leave every card where it lies.", "Wait for the pit boss.",
        gives_back=(Refund.NONE, "Every bet stands until the pit boss has chosen."),
    ),
    _meaning(
        "accept_device", "Accept the device", "The device that answers now is taken for the table's own.",
        _GO_ON,
    ),
    _meaning(
        "shoe", "The shoe is right", "The card counts as the shoe read it.",
        "Leave the card where it lies.", _GO_ON,
    ),
    _meaning(
        "camera", "The camera is right", "The card counts as the camera sees it.",
        "Leave the card where it lies.", _GO_ON,
    ),
    _meaning(
        "manual", "Enter the card by hand", "Two people enter the card they see.",
        "Leave the card where it lies.", _GO_ON,
        approval=Approval.TWO_PEOPLE,
    ),
)  # fmt: skip

RULING_BY_KEY = {meaning.key: meaning for meaning in RULINGS}

VOIDS = frozenset({"void_hand", "void_round", "void_shoe"})
CHANGES_ROUND = VOIDS | {
    "move_card", "swap_hands", "reread_all", "relay_from_discard", "reshuffle_and_redeal", "shoe", "camera", "manual",
}  # fmt: skip
"""What, once a round is settled, is a change of it."""

AFTERWARDS: Mapping[str, str] = {
    "replace_deck": "The deck is replaced before the next round.",
    "change_shoe": "No new round starts on this shoe; it is changed.",
    "verify_deck": "No round starts until the deck is verified.",
    "give_later": "The card that was missed is given after all the others.",
    "pay_qualified": "In a void round of Three Card Poker a Pair Plus that qualifies on three right cards is paid.",
    "pay_dealt": "In a void round a blackjack that was dealt is paid.",
    "compensate": "A case for manual compensation is opened.",
}
"""What may have to follow a ruling, in a sentence each."""


def row_approval(row: ProcedureRow) -> Approval:
    """Who agrees to the row's own ruling: as the row says, else as usual for that ruling."""
    return row.approval if row.approval is not None else RULING_BY_KEY[row.ruling].approval


def effective_approval(
    ruling_chosen: str, row: ProcedureRow | Ruling | None, *, revealed_done: bool = False, settled: bool = False
) -> Approval:
    """Who must agree to carrying out `ruling_chosen` under this row (None: no row, the pit decides).

    `revealed_done`: a `Reveal` step is done or the result is shown; then a void takes two people. Any change
    of a settled round does. A choice the row does not allow is refused.
    """
    if row is not None and ruling_chosen not in (row.options or (row.ruling,)):
        raise RefusedError("choice_not_allowed", _choices_sentence(row))
    if ruling_chosen not in RULING_BY_KEY:
        raise RefusedError("unknown_ruling", f"There is no ruling '{ruling_chosen}'. Choose one of those shown.")
    needed = _before_timing(ruling_chosen, row)
    if (revealed_done and ruling_chosen in VOIDS) or (settled and ruling_chosen in CHANGES_ROUND):
        needed |= Approval.TWO_PEOPLE
    return needed


def _before_timing(ruling_chosen: str, row: ProcedureRow | Ruling | None) -> Approval:
    usual = RULING_BY_KEY[ruling_chosen].approval
    if row is None or row.ruling == PIT_DECIDES:
        return usual | Approval.PIT_BOSS
    if ruling_chosen != row.ruling:
        return usual
    return row_approval(row) if isinstance(row, ProcedureRow) else row.approval


def _choices_sentence(row: ProcedureRow | Ruling) -> str:
    return f"The procedures do not allow that here. Choose one of: {', '.join(row.options or (row.ruling,))}."
