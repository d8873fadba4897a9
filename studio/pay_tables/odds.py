"""Odds as the public reads them: what has to happen, and what is paid then.

They come from the constants of the rulebook that settles; nothing is written down twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from studio.rulebook.pay_ladder import Ladder


@dataclass(frozen=True, slots=True)
class Pays:
    """One line: what has to happen (a key of the catalogue, empty for the plain case) and the odds paid.

    Odds are `8:1`, the gain beside the stake; `x30`, all that comes back; `+4:1`, paid beside the rest; or empty, where
    the words say it all.
    """

    when: str
    odds: str


EVEN: Final = Pays("", "1:1")
BACK: Final = Pays("pays.else_back", "")


def odds_of(returned: Fraction) -> str:
    """What a return says as odds: the stake comes back beside it.

    >>> odds_of(Fraction(9)), odds_of(Fraction(3, 2)), odds_of(Fraction(195, 100))
    ('8:1', '1:2', '0.95:1')
    """
    gain = returned - 1
    if gain.denominator == 2:
        return f"{gain.numerator}:2"
    return f"{gain.numerator}:1" if gain.denominator == 1 else f"{float(gain):g}:1"


def rungs(ladder: Ladder, family: str = "poker") -> tuple[Pays, ...]:
    return tuple(Pays(f"{family}.{hand}", odds_of(paid)) for hand, paid in ladder.items())
