"""The only place that says what a correction of a settled round comes to, before anybody agrees to it. Pure.

The same is shown to the person who asks, checked when the second one approves, moved chunk by chunk, and found again by
the audit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.errors import RefusedError
from studio.games.script import Game
from studio.money import format_minor
from studio.rounds import (
    AnyFact,
    Awaiting,
    CardBurned,
    CardDealt,
    CardMoved,
    CardRemoved,
    CardReplaced,
    Finished,
    HandsExchanged,
    Misfit,
    Standing,
    play,
)
from studio.settlement import (
    CorrectionSum,
    Difference,
    Payout,
    differences,
    differences_digest,
    merged_stakes,
    of_house,
    payouts_digest,
    pot_shares,
    settle_bets,
    sums_of,
    void_differences,
)
from studio.tables.correction_event import Righting
from studio.tables.dossier import Dossier
from studio.tables.paying import shares_of
from studio.tables.state import Slot, Stage, by_place

VOID_FITS = "Void the round, or correct the other card too."


@dataclass(frozen=True, slots=True)
class Weighed:
    """A correction with all it changes. `said`: what the record had and shall have, in words, open cards alone.

    `stake_minor`, `returns_minor` and `payouts` (a digest) are those of the whole round afterwards.
    """

    facts: tuple[Righting, ...]
    void: bool
    revision: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    differences: tuple[Difference, ...]
    sums: tuple[CorrectionSum, ...]
    digest: str
    stake_minor: int
    returns_minor: int
    payouts: str
    said: tuple[str, str]


def weigh(dossier: Dossier, facts: Sequence[Righting], *, void: bool) -> Weighed:
    """What the correction changes; `RefusedError` says why it cannot be made."""
    _check_round(dossier)
    said = ("settled", "void") if void else _said(dossier, facts)
    before = _outcome(dossier.game, dossier, ())
    old = _payouts(dossier, before)
    if void:
        _check_pot_kept(dossier)
        return _weighed(dossier, (), (old, None), (before, None), said)
    after = _outcome(dossier.game, dossier, facts)
    _check_pot(dossier, before, after)
    return _weighed(dossier, tuple(facts), (old, _payouts(dossier, after)), (before, after), said)


def _weighed(
    dossier: Dossier,
    facts: tuple[Righting, ...],
    payouts: tuple[tuple[Payout, ...], tuple[Payout, ...] | None],
    outcomes: tuple[Any, Any],
    said: tuple[str, str],
) -> Weighed:
    (old, new), purse = payouts, dossier.purse
    from_pot = purse.prize is not None
    mine = tuple(of_house(old, from_pot=from_pot))
    found = void_differences(mine) if new is None else differences(mine, of_house(new, from_pot=from_pot))
    describe = dossier.game.describe
    return Weighed(
        facts=facts,
        void=new is None,
        revision=dossier.revision + 1,
        before=describe(outcomes[0]),
        after={} if new is None else describe(outcomes[1]),
        differences=found,
        sums=sums_of(found, dossier.currency),
        digest=differences_digest(found),
        stake_minor=sum(purse.worth(each.stake_minor, each.currency) for each in new or ()),
        returns_minor=sum(purse.worth(each.returns_minor, each.currency) for each in new or ()),
        payouts=payouts_digest(new or ()),
        said=said,
    )


def told(weighed: Weighed) -> str:
    """The money of it in words: so many bettors, so much back, so much out, in each currency."""
    parts = [
        f"{one.operator}: {one.bettors} {'bettor' if one.bettors == 1 else 'bettors'}, "
        f"{format_minor(one.back_minor, one.currency)} back, {format_minor(one.out_minor, one.currency)} out"
        for one in weighed.sums
    ]
    return "; ".join(parts) or "no money changes"


# --- what may be corrected --------------------------------------------------------------------------------


def _check_round(dossier: Dossier) -> None:
    stage = dossier.round.stage
    if dossier.void or stage in (Stage.VOIDED, Stage.VOIDING):
        raise RefusedError("round_void", "This round is void and its stakes went back; a void round stays void.")
    if stage is Stage.SETTLING:
        raise RefusedError("being_settled", "This round is being settled now; correct it when that is done.")
    if stage is not Stage.SETTLED:
        raise RefusedError("not_settled", "This round is still open; override the card at the table instead.")


def _outcome(game: Game, dossier: Dossier, facts: Sequence[Righting]) -> Any:
    every = (*dossier.round.facts, *facts)
    if facts:
        _check_counts(game, every)  # before it is played: no hand can be read that holds a card twice
    standing = play(game.script(dossier.round.rules), every)
    if not isinstance(standing, Finished):
        raise RefusedError("misfit", f"{_why(standing)} {VOID_FITS}")
    return standing.outcome


def _why(standing: Standing) -> str:
    match standing:
        case Misfit(awaited=None):
            return "With these cards the deal would have ended earlier, and cards lie there that it does not need."
        case Misfit() | Awaiting():
            return "With these cards the deal would have gone another way than it was dealt and decided."
    return "With these cards the deal does not end."


def _check_counts(game: Game, facts: Sequence[AnyFact]) -> None:
    """No face lies there more often than the decks hold it; of down cards nothing is known."""
    faces = Counter(
        fact.face for fact in by_place(facts).values() if isinstance(fact, CardDealt) and fact.face is not None
    )
    twice = next((face for face, count in faces.items() if count > game.decks), None)
    if twice is not None:
        raise RefusedError("card_twice", f"The {twice} would lie there more often than the deck holds it. {VOID_FITS}")


def _said(dossier: Dossier, facts: Sequence[Righting]) -> tuple[str, str]:
    """The change in words; `RefusedError` where a fact names no open card, no box, or changes nothing."""
    if not facts:
        raise RefusedError("nothing_changed", "Say what is to be corrected: a card, two hands, or the whole round.")
    every: tuple[AnyFact, ...] = dossier.round.facts
    before: list[str] = []
    after: list[str] = []
    for fact in facts:
        was, shall = _read(dossier, by_place(every), fact)
        before.append(was)
        after.append(shall)
        every = (*every, fact)
    return ", ".join(before), ", ".join(after)


def _read(dossier: Dossier, cards: Mapping[Slot, CardDealt | CardBurned], fact: Righting) -> tuple[str, str]:
    zones = dossier.game.zones
    match fact:
        case CardReplaced(id=id, face=face):
            (box, place), old = _card(cards, id)
            if old.face is None:
                raise RefusedError("face_down", "That card lay face down to the end; nobody may say what it was.")
            if old.face is face:
                raise RefusedError("nothing_changed", f"The record has the {face} at {box} {place} already.")
            return f"{box} {place} = {old.face}", f"{box} {place} = {face}"
        case CardRemoved(id=id):
            (box, place), old = _card(cards, id)
            return f"{box} {place} = {old.face or 'sealed'}", f"{box} {place} taken out"
        case CardMoved(id=id, box=to, place=there):
            (box, place), old = _card(cards, id)
            if not 1 <= there <= zones.get(to, 0) or (to, there) == (box, place):
                raise RefusedError("no_place", "Name another place of the felt that the card belongs to.")
            return f"{box} {place} = {old.face or 'sealed'}", f"{to} {there} = {old.face or 'sealed'}"
        case HandsExchanged(a=a, b=b):
            if a == b or a not in zones or b not in zones:
                raise RefusedError("two_boxes", "Name two different boxes whose hands are to be swapped.")
            return f"{a} and {b} as recorded", f"{a} and {b} exchanged"


def _card(cards: Mapping[Slot, CardDealt | CardBurned], id: str) -> tuple[Slot, CardDealt]:
    found = next(((slot, card) for slot, card in cards.items() if card.card.id == id), None)
    if found is None or not isinstance(found[1], CardDealt):
        raise RefusedError("no_card", "There is no such card in this round; choose one of those that were dealt.")
    return found[0], found[1]


# --- the pot ----------------------------------------------------------------------------------------------


def _check_pot_kept(dossier: Dossier) -> None:
    if dossier.round.pot is not None and dossier.round.pot.won is not None:
        raise RefusedError("pot_was_won", _POT_WON)


def _check_pot(dossier: Dossier, before: Any, after: Any) -> None:
    """A pot that was won is begun anew at once, and others play for it: a correction neither gives nor takes it."""
    pot = dossier.round.pot
    if pot is None:
        return
    sharers = [dict.fromkeys(pot_shares(dossier.game, dossier.round.rules, one, dossier.bets, 0))
               for one in (before, after)]  # fmt: skip
    if sharers[0] == sharers[1]:
        return
    if pot.won is not None:
        raise RefusedError("pot_was_won", _POT_WON)
    raise RefusedError(
        "pot_not_won",
        "With these cards the round would have won its pot, which others play for by now. Have the provider decide "
        "what is paid for it, and write it to the operators.",
    )


_POT_WON = (
    "This round won its pot, which was begun anew and others play for by now; a correction cannot take it back. Have "
    "the provider settle it with the operators."
)


def _payouts(dossier: Dossier, outcome: Any) -> tuple[Payout, ...]:
    round, game = dossier.round, dossier.game
    shares = shares_of(game, round.rules, outcome, dossier.bets, round.pot, (dossier.currency, round.rates))
    merged = merged_stakes(game, dossier.bets)
    return tuple(settle_bets(game, round.rules, outcome, dossier.bets, shares, merged=merged))


def open_cards(dossier: Dossier) -> Iterator[tuple[Slot, CardDealt]]:
    """The cards of the round that a person may say something of, in the order of their boxes."""
    cards = by_place(dossier.round.facts)
    for box, places in dossier.game.zones.items():
        for place in range(1, places + 1):
            if isinstance(card := cards.get((box, place)), CardDealt) and card.face is not None:
                yield (box, place), card


__all__ = ["VOID_FITS", "Weighed", "open_cards", "told", "weigh"]
