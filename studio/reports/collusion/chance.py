"""How likely chance alone gives as much: exact where it can be counted, else by a bound that chance never beats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

FURTHEST: Final = 30.0
STEPS: Final = 40
"""How far the best tilt is looked for, in parts of the largest weight, and how closely; a worse one bounds as well."""


def at_least(chances: Iterable[float], seen: int) -> float:
    """How likely of independent trials with these chances so many or more succeed; exact.

    >>> at_least([0.5] * 3, 2), at_least([0.5, 0.25], 2), at_least([], 0)
    (0.5, 0.125, 1.0)
    """
    if seen <= 0:
        return 1.0
    below = [1.0] + [0.0] * (seen - 1)
    reached = 0.0
    for chance in chances:
        reached += below[-1] * chance
        below = [was * (1 - chance) + (below[at - 1] * chance if at else 0.0) for at, was in enumerate(below)]
    return min(1.0, reached)


def bounded(parts: Sequence[tuple[float, float]], seen: float) -> float:
    """At most so likely a sum of independent parts comes to as much (Chernoff's bound). A part is its weight and the
    chance of it; it may also come in part, if it does on the average as often.

    >>> bounded([(1.0, 0.5)] * 10, 5.0), bounded([(1.0, 0.5)] * 10, 11.0)
    (1.0, 0.0)
    >>> at_least([0.5] * 10, 9) < bounded([(1.0, 0.5)] * 10, 9.0) < 0.03
    True
    """
    most = sum(weight for weight, _ in parts)
    if seen <= sum(weight * chance for weight, chance in parts):
        return 1.0
    if seen > most:
        return 0.0
    largest = max(weight for weight, _ in parts)
    low, high = 0.0, FURTHEST / largest
    for _ in range(STEPS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if _exponent(parts, seen, left) < _exponent(parts, seen, right):
            high = right
        else:
            low = left
    return min(1.0, math.exp(_exponent(parts, seen, (low + high) / 2)))


def _exponent(parts: Sequence[tuple[float, float]], seen: float, tilt: float) -> float:
    return sum(math.log1p(chance * math.expm1(tilt * weight)) for weight, chance in parts) - tilt * seen
