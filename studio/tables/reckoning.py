"""The only place that says what each bet of a finished round gives back by the facts as they read now. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from studio.cards import Card
from studio.rounds import AnyFact, CardDealt, HandVoided
from studio.settlement import Payout, PlacedBet, merged_stakes, settle_bets
from studio.tables.box import box_of
from studio.tables.dossier import Dossier
from studio.tables.paying import shares_of
from studio.tables.state import by_place

Reckoned = tuple[Payout | None, ...]
"""One for each bet of the round, in their order; None where its stake goes back."""


def reckoned(dossier: Dossier, facts: Sequence[AnyFact], outcome: Any) -> Reckoned:
    """What the outcome of these facts pays; the bets on a hand that they void go back."""
    void = {fact.box for fact in facts if isinstance(fact, HandVoided)}
    stand = tuple(bet for bet in dossier.bets if box_of(bet.bet) not in void)
    round, game = dossier.round, dossier.game
    shares = shares_of(game, round.rules, outcome, stand, round.pot, (dossier.currency, round.rates))
    paid = {
        each.id: each
        for each in settle_bets(game, round.rules, outcome, stand, shares, merged=merged_stakes(game, stand))
    }
    return tuple(paid.get(bet.id) for bet in dossier.bets)


def reckoned_void(dossier: Dossier, facts: Sequence[AnyFact], before: Reckoned, settled: Any, pays: str) -> Reckoned:
    """Every stake goes back, but for the bets that are paid all the same where the void `pays`.

    A hand that no fact touches keeps what it was paid; another is paid on its first stake, and what was put out later
    goes back with it. `settled` is the outcome the round was paid by.
    """
    if not pays:
        return (None,) * len(before)
    won = _won(dossier, facts, pays)
    touched = _touched(dossier, facts)
    merged = merged_stakes(dossier.game, dossier.bets)
    found: list[Payout | None] = []
    for bet, old in zip(dossier.bets, before, strict=True):
        ret = won.get(bet.bet)
        if ret is None or old is None:
            found.append(None)
        elif not touched & {box_of(bet.bet), "dealer"}:
            found.append(old)
        else:
            found.append(_paid(dossier, bet, merged.get(bet.id, bet.stake_minor), ret, settled))
    return tuple(found)


def _won(dossier: Dossier, facts: Sequence[AnyFact], pays: str) -> Mapping[str, Fraction]:
    hands: dict[str, tuple[Card, ...]] = {}
    cards = by_place(facts)
    for slot in sorted(cards):
        fact = cards[slot]
        if isinstance(fact, CardDealt) and fact.face is not None:
            hands[slot[0]] = (*hands.get(slot[0], ()), fact.face)
    pay = dossier.game.paid_though_void.get(pays)
    return pay(dossier.round.rules, hands) if pay else {}


def _touched(dossier: Dossier, facts: Sequence[AnyFact]) -> set[str]:
    """The boxes whose cards these facts read otherwise than the round was paid by."""
    old, new = by_place(dossier.round.facts), by_place(facts)
    return {box_of(slot[0]) for slot in {*old, *new} if _face(old.get(slot)) != _face(new.get(slot))}


def _face(fact: object) -> Card | None:
    return fact.face if isinstance(fact, CardDealt) else None


def _paid(dossier: Dossier, bet: PlacedBet, counted_minor: int, ret: Fraction, settled: Any) -> Payout:
    """`counted_minor` is all that was put out on the key, on its first bet; of it the first stake is multiplied."""
    game = dossier.game
    times = game.put_out(settled, bet.bet) if game.put_out else 1
    first_minor = counted_minor // max(times, 1)
    back_minor = first_minor * ret.numerator // ret.denominator + counted_minor - first_minor
    return Payout(bet.id, bet.bet, bet.account, bet.stake_minor, back_minor, currency=bet.currency)
