"""How a Blackjack dealer's hand ends, counted for whatever cards are gone from the shoe.

Suits and the four kinds of ten do not matter here: cards are their values, and a set of cards is how many of each
value it holds, aces first and tens last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from studio.hands.blackjack import DEALER_STANDS, TWENTY_ONE, count_values

VALUES: Final = tuple(range(1, 11))
SHOE: Final = (32,) * 9 + (128,)
"""Eight decks, value by value."""

DRAWS: Final = 11
"""The dealer never draws more cards than that to his first one."""

BUST: Final = TWENTY_ONE + 1
BLACKJACK: Final = BUST + 1
ENDINGS: Final = (*range(DEALER_STANDS, BLACKJACK + 1),)
"""How the dealer's hand may end: 17 to 21 points, bust, blackjack."""

Cards = tuple[int, ...]
"""How many cards of each value, aces first."""

Counts = npt.NDArray[Any]
"""`(endings, sets of cards)`, either float64 or exact integers as objects."""

NONE: Final[Cards] = (0,) * len(VALUES)


def with_one(cards: Cards, value: int) -> Cards:
    """That set of cards and one card of `value` more."""
    return (*cards[: value - 1], cards[value - 1] + 1, *cards[value:])


def together(a: Cards, b: Cards) -> Cards:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def left_after(gone: Cards) -> Cards:
    """What the shoe still holds."""
    return tuple(whole - taken for whole, taken in zip(SHOE, gone, strict=True))


def falling(top: Any, count: int) -> Any:
    """`top` · (`top` - 1) · … , `count` factors: the ways to draw that many cards one after another.

    >>> falling(52, 2)
    2652
    """
    return prod((top - step for step in range(count)), start=top * 0 + 1)


def ways_to_draw(cards: Cards, shoe: Cards) -> int:
    """In how many ways the shoe deals these cards in one given order of values."""
    return prod(falling(held, wanted) for held, wanted in zip(shoe, cards, strict=True))


def ending_of(values: Sequence[int]) -> int | None:
    """How a dealer's hand of these values has ended, or None while he draws on."""
    points = count_values(values).points
    if points < DEALER_STANDS:
        return None
    return BLACKJACK if points == TWENTY_ONE and len(values) == 2 else min(points, BUST)


def hands_of_dealer(up: int) -> dict[int, tuple[int, ...]]:
    """One dealer's hand, as values in the order drawn, for every ending this up card can have; four cards do."""
    found: dict[int, tuple[int, ...]] = {}
    open_hands: list[tuple[int, ...]] = [(up,)]
    for _ in range(3):
        longer = [(*hand, value) for hand in open_hands for value in VALUES]
        for hand in longer:
            if (ending := ending_of(hand)) is not None:
                found.setdefault(ending, hand)
        open_hands = [hand for hand in longer if ending_of(hand) is None]
    return found


def count_endings(up: int, gone: Sequence[Cards], *, exact: bool) -> Counts:
    """For each set of cards `gone` from the shoe, the up card among them: the ways to each ending.

    The ways are ordered draws of `DRAWS` cards from what is left, of which the dealer uses as many as he needs, so
    they sum up to `falling(left, DRAWS)`. With `exact` they are integers, otherwise floats.
    """
    left = np.array([left_after(each) for each in gone], dtype=object if exact else np.float64).T
    rest = left.sum(axis=0)
    ways = np.zeros((len(ENDINGS), len(gone)), dtype=left.dtype)
    for drawn, ended in enumerate(_drawn_out(up, left), start=1):
        ways += ended * falling(rest - drawn, DRAWS - drawn)
    return ways


def _drawn_out(up: int, left: Counts) -> Iterator[Counts]:
    """After the first draw, the second, …: the ways to the hands that end just then.

    Hands of the same cards are kept as one, with the number of orders that lead there; the ways to one order are the
    same for all of them.
    """
    open_sets: dict[Cards, tuple[int, Counts]] = {NONE: (1, left[0] * 0 + 1)}
    for _ in range(DRAWS):
        ended = np.zeros((len(ENDINGS), left.shape[1]), dtype=left.dtype)
        still_open: dict[Cards, tuple[int, Counts]] = {}
        for cards, (orders, ways) in _grown(open_sets, left).items():
            ending = ending_of((up, *(value for value in VALUES for _ in range(cards[value - 1]))))
            if ending is None:
                still_open[cards] = orders, ways
            else:
                ended[ENDINGS.index(ending)] += orders * ways
        yield ended
        open_sets = still_open


def _grown(open_sets: dict[Cards, tuple[int, Counts]], left: Counts) -> dict[Cards, tuple[int, Counts]]:
    """Every open set of cards with each one card more."""
    grown: dict[Cards, tuple[int, Counts]] = {}
    for cards, (orders, ways) in open_sets.items():
        for value in VALUES:
            more = with_one(cards, value)
            if known := grown.get(more):
                grown[more] = known[0] + orders, known[1]
            else:
                grown[more] = orders, ways * (left[value - 1] - cards[value - 1])
    return grown
