"""What each bet of a round gives back by the facts as they read now. Pure.

A hand or a whole round that is void gives its stakes back; where a game pays a dealt hand whatever becomes of it
(`Game.paid_though_void`), that hand is paid on its first stake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import takewhile
from typing import Any

from studio.cards import Card
from studio.money import is_promotion, purse_account
from studio.rounds import AnyFact, CardDealt, Chose, Finished, HandVoided, corrected, play
from studio.settlement import Payout, PlacedBet, merged_stakes, settle_bets
from studio.tables.past.dossier import Dossier
from studio.tables.payment.round_payment import shares_of
from studio.tables.state.box import box_of
from studio.tables.state.round import by_place

Reckoned = tuple[Payout | None, ...]
"""One for each bet of the round, in their order; None where its stake goes back."""

_DEALER = "dealer"


def reckoned(dossier: Dossier, facts: Sequence[AnyFact], outcome: Any) -> Reckoned:
    """What each of the dossier's bets is settled as under these facts and their outcome, in order; None where its stake
    goes back.

    A bet on a hand that the facts void gets what the game pays a dealt hand all the same.
    """
    void = {fact.box for fact in facts if isinstance(fact, HandVoided)}
    stand = tuple(bet for bet in dossier.bets if box_of(bet.bet) not in void)
    round, game = dossier.round, dossier.game
    shares = shares_of(game, round.rules, outcome, stand, round.pot, (dossier.currency, round.rates))
    settled = settle_bets(game, round.rules, outcome, stand, shares, merged=merged_stakes(game, stand))
    paid = {each.id: each for each in settled}
    if void:
        dealt = {each.id: each for each in _dealt(dossier, facts, tuple(game.payment.paid_though_void)) if each}
        paid = {**{id: each for id, each in dealt.items() if box_of(each.bet) in void}, **paid}
    return tuple(paid.get(bet.id) for bet in dossier.bets)


def reckoned_void(dossier: Dossier, facts: Sequence[AnyFact], before: Reckoned, pays: str) -> Reckoned:
    """Every stake goes back, but for the hands that are paid all the same where the void `pays`.

    A hand that no fact touches keeps what it was paid.
    """
    if not pays:
        return (None,) * len(before)
    dealt = _dealt(dossier, facts, (pays,))
    kept = _paid_before(before)
    touched = touched_boxes(dossier, facts)
    return tuple(
        old if old and new and (old.account, old.bet) in kept and box_of(old.bet) not in touched else new
        for old, new in zip(before, dealt, strict=True)
    )


def _dealt(dossier: Dossier, facts: Sequence[AnyFact], pays: Sequence[str]) -> Reckoned:
    """What dealt hands are paid; nothing where the dealer was dealt the same."""
    game, rules = dossier.game, dossier.round.rules
    every = [fact for fact in facts if not isinstance(fact, HandVoided)]
    hands, dealer = _hands(every, _dealt_first(every)), _hands(every).get(_DEALER, ())
    won: dict[str, Fraction] = {}
    for key in pays:
        for bet, ret in game.payment.paid_though_void[key](rules, hands).items():
            box = box_of(bet)
            same = {box: dealer[: len(hands.get(box, ()))]}
            if game.owned is None or bet not in game.payment.paid_though_void[key](rules, same):
                won[bet] = ret
    merged = merged_stakes(game, dossier.bets)
    settled = {bet: _last_outcome(dossier, facts, box_of(bet)) for bet in won} if game.payment.put_out else {}
    freed = {(purse_account(bet.account), bet.bet) for bet in dossier.bets if is_promotion(bet.account)}
    return tuple(
        _paid(dossier, bet, merged.get(bet.id, bet.stake_minor), won[bet.bet], settled.get(bet.bet), freed)
        if bet.bet in won
        else None
        for bet in dossier.bets
    )


def _dealt_first(facts: Sequence[AnyFact]) -> set[str]:
    """The ids of the cards that lay there before any box chose."""
    first = takewhile(lambda fact: not isinstance(fact, Chose), corrected(facts))
    return {fact.card.id for fact in first if isinstance(fact, CardDealt)}


def _hands(facts: Sequence[AnyFact], ids: Container[str] | None = None) -> Mapping[str, tuple[Card, ...]]:
    """The open cards of each box, those with these ids where any are named."""
    cards, hands = by_place(facts), dict[str, tuple[Card, ...]]()
    for slot in sorted(cards):
        fact = cards[slot]
        if isinstance(fact, CardDealt) and fact.face is not None and (ids is None or fact.card.id in ids):
            hands[slot[0]] = (*hands.get(slot[0], ()), fact.face)
    return hands


def _last_outcome(dossier: Dossier, facts: Sequence[AnyFact], box: str) -> Any:
    """How the deal came out before the facts that fit no deal any more, or that void the hand of this box."""
    void = next((at for at, fact in enumerate(facts) if isinstance(fact, HandVoided) and fact.box == box), len(facts))
    for end in range(void, 0, -1):
        standing = play(dossier.game.deal.script(dossier.round.rules), facts[:end])
        if isinstance(standing, Finished):
            return standing.outcome
    return None


def _paid(
    dossier: Dossier, bet: PlacedBet, counted_minor: int, ret: Fraction, settled: Any, freed: Set[tuple[str, str]]
) -> Payout:
    """`counted_minor` is all that was put out on the key, on its first bet; of it the first stake is multiplied.

    `freed`: the keys on which a purse has a free bet. It is counted by itself, and the first stake is free as well as
    the bettor's own beside it, if he had one from the beginning.
    """
    put_out = dossier.game.payment.put_out
    times = put_out(settled, bet.bet) if put_out and settled is not None else 1
    first_minor = counted_minor // times
    if is_promotion(bet.account):
        first_minor = counted_minor
    elif times > 1 and (bet.account, bet.bet) in freed:
        first_minor = _opening_minor(dossier, bet, times)
    back_minor = first_minor * ret.numerator // ret.denominator + counted_minor - first_minor
    return Payout(bet.id, bet.bet, bet.account, bet.stake_minor, back_minor, currency=bet.currency)


def _opening_minor(dossier: Dossier, bet: PlacedBet, times: int) -> int:
    """What the purse itself had staked on the key before it was put out again and again: all the stakes on the key,
    free ones too, over the times they were put out, less what of that was free."""
    mine = [one for one in dossier.bets if one.bet == bet.bet and purse_account(one.account) == bet.account]
    free_minor = sum(one.stake_minor for one in mine if is_promotion(one.account))
    return sum(one.stake_minor for one in mine) // times - free_minor


def _paid_before(before: Reckoned) -> set[tuple[str, str]]:
    """The bets, as bettor's account and bet, that returned more than they cost."""
    sums: Counter[tuple[str, str]] = Counter()
    for each in before:
        if each is not None:
            sums[each.account, each.bet] += each.returns_minor - each.stake_minor
    return {key for key, gain_minor in sums.items() if gain_minor > 0}


def touched_boxes(dossier: Dossier, facts: Sequence[AnyFact]) -> set[str]:
    """The boxes whose cards these facts read otherwise than the round was paid by."""
    old, new = by_place(dossier.round.deal.facts), by_place(facts)
    return {box_of(slot[0]) for slot in {*old, *new} if _face(old.get(slot)) != _face(new.get(slot))}


def _face(fact: object) -> Card | None:
    return fact.face if isinstance(fact, CardDealt) else None


@dataclass(frozen=True, slots=True)
class Changed:
    """One bet with what it returns as the record stands, and what it would return; either is None while its deal is not
    over.
    """

    bet: PlacedBet
    before_minor: int | None
    after_minor: int | None


@dataclass(frozen=True, slots=True)
class Prospect:
    """`before` and `after` describe the outcome; empty while there is none."""

    bets: tuple[Changed, ...]
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)


def prospect(dossier: Dossier, facts: Sequence[AnyFact], *, void: bool) -> Prospect:
    """What a ruling that waits for its second person would do to every bet of a round that is still being dealt.

    By the facts as they stand, and with these beside them; in a void every stake goes back.

    Seats that play among themselves stake nothing against the house: their bets are their chips, and not told here.
    """
    if dossier.game.peers is not None:
        return Prospect(())
    old, before = _returns(dossier, ())
    new, after = ({bet.id: bet.stake_minor for bet in dossier.bets}, {}) if void else _returns(dossier, facts)
    bets = tuple(Changed(bet, old.get(bet.id), new.get(bet.id)) for bet in dossier.bets)
    return Prospect(bets, before, after)


def _returns(dossier: Dossier, facts: Sequence[AnyFact]) -> tuple[Mapping[str, int], Mapping[str, Any]]:
    """What each bet gives back, by its id, and the outcome described; nothing while the deal goes on."""
    every = (*dossier.round.deal.facts, *facts)
    standing = play(dossier.game.deal.script(dossier.round.rules), every)
    if not isinstance(standing, Finished):
        return {}, {}
    paid = zip(dossier.bets, reckoned(dossier, every, standing.outcome), strict=True)
    returns = {bet.id: bet.stake_minor if each is None else each.returns_minor for bet, each in paid}
    return returns, dossier.game.deal.describe(standing.outcome)
