"""The best play of a Blackjack hand: for its own cards, one up card, and what is left of the shoe.

Decisions are found in floating point, from returns the rulebook pays; what they are worth is then counted exactly
elsewhere. A value is what a first stake of 1 wins on average, the stake itself not included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from operator import mul
from typing import Final, NamedTuple

from studio.cards import SUITS, Card
from studio.errors import InvariantError
from studio.games.blackjack import LATER_OPTIONS, SPLIT_OPTIONS, first_options
from studio.games.blackjack_hand import Outcome, PlayedHand
from studio.hands.blackjack import ACE, TEN, TWENTY_ONE, count_values
from studio.proof.returns.blackjack_shoe import (
    ENDINGS,
    VALUES,
    Cards,
    count_endings,
    hands_of_dealer,
    left_after,
    with_one,
)
from studio.rulebook.game import Game
from studio.rulebook.script import Rules

BOX: Final = "1"

Values = tuple[int, ...]
"""Cards in the order they came, as their values; 1 is an ace."""


class Way(NamedTuple):
    """How a hand came to its end."""

    doubled: bool = False
    surrendered: bool = False
    split: bool = False


def card_of(value: int, place: int = 0) -> Card:
    """A card of that value; suits go round."""
    return Card("A" if value == ACE else "T" if value == TEN else str(value), SUITS[place % len(SUITS)])


def cards_of(values: Values) -> tuple[Card, ...]:
    return tuple(card_of(value, place) for place, value in enumerate(values))


def set_of(values: Sequence[int]) -> Cards:
    """
    >>> set_of((1, 10, 10))
    (1, 0, 0, 0, 0, 0, 0, 0, 0, 2)
    """
    return tuple(values.count(value) for value in VALUES)


class Pay:
    """What the rulebook pays a hand against each ending of one up card, asked once for hands that are paid alike."""

    def __init__(self, game: Game, rules: Rules, up: int) -> None:
        self._game, self._rules = game, rules
        self._dealer = {ending: cards_of(values) for ending, values in hands_of_dealer(up).items()}
        self._known: dict[tuple[int, bool, Way], tuple[dict[int, Fraction], list[float]]] = {}

    def net(self, values: Values, way: Way) -> Mapping[int, Fraction]:
        """What a first stake of 1 wins at each ending; of a split box, one hand of two alike."""
        return self._both(values, way)[0]

    def won(self, values: Values, way: Way) -> Sequence[float]:
        """The same in the order of `ENDINGS`; 0 at an ending this up card cannot have."""
        return self._both(values, way)[1]

    def _both(self, values: Values, way: Way) -> tuple[Mapping[int, Fraction], Sequence[float]]:
        points = count_values(values).points
        kind = points, len(values) == 2 and points == TWENTY_ONE, way
        if kind not in self._known:
            net = {ending: self._net(values, way, dealer) for ending, dealer in self._dealer.items()}
            self._known[kind] = net, [float(net.get(ending, 0)) for ending in ENDINGS]
        return self._known[kind]

    def _net(self, values: Values, way: Way, dealer: tuple[Card, ...]) -> Fraction:
        hand = PlayedHand(BOX, cards_of(values), **way._asdict())
        hands = (hand, hand) if way.split else (hand,)
        outcome = self._game.deal.outcome(self._rules, Outcome(dealer, hands))
        back = self._game.payment.returns(self._rules, outcome, "")[f"{BOX}:main"]
        return hand.stakes * (back - 1)


class State(NamedTuple):
    """A hand before a decision. `split` is the value of the pair it was split from, 0 where it was not."""

    hand: Cards
    split: int = 0

    @property
    def gone(self) -> Cards:
        """The cards it takes from the shoe; beside a split hand lies the other card of its pair."""
        return with_one(self.hand, self.split) if self.split else self.hand

    def after(self, value: int) -> State:
        """With one card more."""
        return State(with_one(self.hand, value), self.split)


@cache
def reachable() -> Mapping[State, Values]:
    """Every state a hand can come to, with one order its cards may come in."""
    found: dict[State, Values] = {State(set_of(pair)): pair for pair in combinations_with_replacement(VALUES, 2)}
    found |= {State(set_of(hand), hand[0]): hand for hand in product(VALUES, repeat=2)}
    latest = found
    while latest:
        open_hands = {state: values for state, values in latest.items() if not is_over(state, values)}
        longer = ((state.after(value), (*values, value)) for state, values in open_hands.items() for value in VALUES)
        latest = {state: values for state, values in longer if count_values(values).points <= TWENTY_ONE}
        found |= latest
    return found


def is_over(state: State, values: Values) -> bool:
    """Twenty-one stops by itself, and a split ace has its one card. [BJ-8] [BJ-14]"""
    return count_values(values).points == TWENTY_ONE or state.split == ACE


class BestPlay:
    """The best decisions against one up card, with every hand that can be reached against it."""

    def __init__(self, game: Game, rules: Rules, up: int) -> None:
        self.up = up
        self.pay = Pay(game, rules, up)
        self.reached = reachable()
        self._odds = self._dealer_odds()
        self._best: dict[State, tuple[str, float]] = {}

    def best(self, state: State) -> tuple[str, float]:
        """The best option at a state, and what it is worth."""
        if state not in self._best:
            options = self.options(state)
            choice = max(options, key=options.__getitem__)
            self._best[state] = choice, options[choice]
        return self._best[state]

    def options(self, state: State) -> dict[str, float]:
        """What each option the rulebook gives at a state is worth."""
        return {option: self._worth(state, option) for option in self._offered(state)}

    def average(self, state: State, worth: Callable[[State], float], busted: float) -> float:
        """A state's next card: what follows is worth on average, where a bust hand is worth `busted`."""
        left = left_after(with_one(state.gone, self.up))
        follows = (state.after(value) for value in VALUES)
        each = (worth(after) if after in self.reached else busted for after in follows)
        return float(sum(map(mul, left, each)) / sum(left))

    def way(self, state: State, *, doubled: bool = False, surrendered: bool = False) -> Way:
        return Way(doubled=doubled, surrendered=surrendered, split=state.split > 0)

    def _dealer_odds(self) -> dict[State, list[float]]:
        ways = count_endings(self.up, [with_one(state.gone, self.up) for state in self.reached], exact=False)
        return dict(zip(self.reached, (ways / ways.sum(axis=0)).T.tolist(), strict=True))

    def _offered(self, state: State) -> tuple[str, ...]:
        values = self.reached[state]
        if is_over(state, values):
            return ("stand",)
        if len(values) > 2:
            return LATER_OPTIONS
        return SPLIT_OPTIONS if state.split else first_options(cards_of(values), card_of(self.up))

    def _worth(self, state: State, option: str) -> float:
        values = self.reached[state]
        match option:
            case "stand":
                return self._stand(state, self.way(state))
            case "hit":
                return self.average(state, lambda after: self.best(after)[1], -1)
            case "double":
                doubled = self.way(state, doubled=True)
                return self.average(state, lambda after: self._stand(after, doubled), -2)
            case "split":
                one = State(set_of(values[:1]), values[0])
                return 2 * self.average(one, lambda after: self.best(after)[1], -1)
            case "surrender":
                return self._stand(state, self.way(state, surrendered=True))
        raise InvariantError(f"The proof has no value for the option '{option}' of Blackjack.")

    def _stand(self, state: State, way: Way) -> float:
        return float(sum(map(mul, self._odds[state], self.pay.won(self.reached[state], way))))
