"""What the bets of Blackjack give back, counted over every card eight decks can deal.

One box is played, each decision the best for its own cards and the up card; a split box counts as twice one of its
hands, drawn with both cards of the pair gone. Nobody is insured or takes even money. The play found is then counted
exactly, as integers: every hand it ends with, in all its orders, against every hand the dealer can draw.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple

from studio.cards import DECK, Card
from studio.games.blackjack_hand import BOX_KEYS, DECKS, Outcome, PlayedHand
from studio.hands.blackjack import ACE, TEN
from studio.proof.returns.blackjack_play import BOX, BestPlay, State, Values, Way, card_of, cards_of, set_of
from studio.proof.returns.blackjack_shoe import (
    DRAWS,
    ENDINGS,
    NONE,
    SHOE,
    VALUES,
    Cards,
    count_endings,
    ending_of,
    falling,
    left_after,
    ways_to_draw,
    with_one,
)
from studio.proof.returns.figure import Count, Figure, Report, of_main, of_returned, unreported
from studio.rulebook.game import Game
from studio.rulebook.script import Rules

CARDS: Final = sum(SHOE)


@dataclass(frozen=True, slots=True)
class End:
    """A hand where its decisions end: in how many orders its cards come so, and for how many hands of the box."""

    values: Values
    gone: Cards
    way: Way
    orders: int

    @property
    def hands(self) -> int:
        return 2 if self.way.split else 1

    @property
    def size(self) -> int:
        return sum(self.gone)


def figures(game: Game, rules: Rules, report: Report = unreported) -> Iterator[Figure]:
    """The figures of Blackjack, the quick ones first."""
    yield insurance(game, rules)
    yield perfect_pair(game, rules)
    won = put_out = Fraction(0)
    hands = 0
    for done, up in enumerate(VALUES, start=1):
        share = Fraction(SHOE[up - 1], CARDS)
        here = against(BestPlay(game, rules, up))
        won += share * here.won
        put_out += share * here.put_out
        hands += here.hands
        report(done / len(VALUES))
    yield from of_main(won, put_out, _keys("main"), Count(hands))


class Against(NamedTuple):
    """What a first stake of 1 wins against one up card, and how much is put out, on average and exactly.

    `hands` are the hands the best play ends with there, told apart.
    """

    won: Fraction
    put_out: Fraction
    hands: int


def against(play: BestPlay) -> Against:
    """Count the best play against its up card."""
    left = left_after(with_one(NONE, play.up))
    cards = sum(left)
    ends = list(ends_of(play))
    dealer = _dealer_ways(play, ends)
    won: dict[int, Fraction] = defaultdict(Fraction)
    staked: Counter[int] = Counter()
    for end in ends:
        ways = end.orders * end.hands * ways_to_draw(end.gone, left)
        staked[end.size] += ways * (2 if end.way.doubled else 1)
        net = play.pay.net(end.values, end.way)
        if end.gone in dealer:
            against_each = zip(ENDINGS, dealer[end.gone], strict=True)
            won[end.size] += ways * sum(count * net[ending] for ending, count in against_each if count)
        else:
            won[end.size] += ways * falling(cards - end.size, DRAWS) * next(iter(net.values()))
    return Against(
        sum((each / falling(cards, size + DRAWS) for size, each in won.items()), Fraction(0)),
        sum((Fraction(each, falling(cards, size)) for size, each in staked.items()), Fraction(0)),
        len(ends),
    )


def ends_of(play: BestPlay) -> Iterator[End]:
    """Every hand the best play ends with, from the first two cards on; those of the same cards are one."""
    open_states: Counter[State] = Counter()
    for pair in product(VALUES, repeat=2):
        open_states[State(set_of(pair))] += 1
    while open_states:
        follows: Counter[State] = Counter()
        for state, orders in open_states.items():
            yield from _step(play, state, orders, follows)
        open_states = follows


def _step(play: BestPlay, state: State, orders: int, follows: Counter[State]) -> Iterator[End]:
    """Do the best at one state: it ends, or leads to others."""
    values = play.reached[state]
    match choice := play.best(state)[0]:
        case "stand" | "surrender":
            yield End(values, state.gone, play.way(state, surrendered=choice == "surrender"), orders)
        case "split":
            for value in VALUES:
                follows[State(set_of(values[:1]), values[0]).after(value)] += orders
        case "hit" | "double":
            for value in VALUES:
                after = state.after(value)
                if choice == "hit" and after in play.reached:
                    follows[after] += orders
                else:
                    way = play.way(state, doubled=choice == "double")
                    yield End((*values, value), after.gone, way, orders)


def _dealer_ways(play: BestPlay, ends: Sequence[End]) -> dict[Cards, Sequence[int]]:
    """For the cards gone with each end the dealer still has a say in: his ways to each of his endings."""
    open_ends = [end for end in ends if len(set(play.pay.net(end.values, end.way).values())) > 1]
    gone = list(dict.fromkeys(end.gone for end in open_ends))
    ways = count_endings(play.up, [with_one(each, play.up) for each in gone], exact=True)
    return dict(zip(gone, ways.T.tolist(), strict=True))


def insurance(game: Game, rules: Rules) -> Figure:
    """Insurance is taken when only the dealer's ace is seen: his next card is any of the rest. [BJ-10]"""
    left = left_after(with_one(NONE, ACE))
    hand = PlayedHand(BOX, (card_of(5), card_of(TEN)))
    returned: Counter[Fraction] = Counter()
    for value in VALUES:
        outcome = Outcome(dealer_stood((ACE, value)), (hand,))
        back = game.payment.returns(rules, game.deal.outcome(rules, outcome), "")[f"{BOX}:insurance"]
        returned[back] += left[value - 1]
    return of_returned("insurance", _keys("insurance"), len(VALUES), returned)


def dealer_stood(values: Values) -> tuple[Card, ...]:
    """These cards of the dealer's and as many more as he must draw: fives, which change nothing."""
    while ending_of(values) is None:
        values = (*values, 5)
    return cards_of(values)


def perfect_pair(game: Game, rules: Rules) -> Figure:
    """Every two cards a box can be dealt, in the order dealt. [BJ-21]"""
    returned: Counter[Fraction] = Counter()
    for first, second in product(DECK, repeat=2):
        outcome = Outcome((card_of(5), card_of(TEN), card_of(5)), (PlayedHand(BOX, (first, second)),))
        back = game.payment.returns(rules, game.deal.outcome(rules, outcome), "")[f"{BOX}:perfect_pair"]
        returned[back] += DECKS * (DECKS - (first is second))
    return of_returned("perfect_pair", _keys("perfect_pair"), len(DECK) ** 2, returned)


def _keys(bet: str) -> tuple[str, ...]:
    return tuple(f"{box}:{bet}" for box in BOX_KEYS)
