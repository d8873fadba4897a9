"""Lines of a pay table in words, as a certificate prints them.

What comes back is taken from the rulebook that pays, the stake of 1 included; only the words stand here.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from studio.rulebook.pay_ladder import read_ladder


class PayLine(msgspec.Struct, frozen=True):
    """One line of a pay table: what a stake of 1 on `bet` comes back as `when` this happens."""

    bet: str
    when: str
    returns: str


Lines = Iterator[PayLine]


def line(bet: str, when: str, returns: Fraction) -> PayLine:
    """
    >>> line("win", "the hand wins", Fraction(39, 20)).returns
    '1.95'
    """
    plain = returns.denominator in (1, 2, 4, 5, 8, 10, 20, 25, 50, 100)
    return PayLine(bet, when, f"{float(returns):g}" if plain else str(returns))


def ladder_lines(bet: str, ladder: str, before: str = "") -> Lines:
    for hand, returns in read_ladder(ladder).items():
        yield line(bet, before + hand.replace("_", " "), returns)
