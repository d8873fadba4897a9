"""The statistics of reports: intervals, limits and tests, each from scipy, each with its assumption.

Nothing else of the studio imports scipy, and it is loaded when the first figure is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

SURE: Final = 0.95
"""How sure an interval is."""
FALSE_FINDS: Final = 0.05
"""Of the tests that are called out, at most this share on average are mere chance (Benjamini and Hochberg)."""


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def _stats() -> Any:
    from scipy import stats

    return stats


def poisson_rate(events: int, exposure: float) -> Interval:
    """The exact interval (Garwood) of a rate, from so many events in so much exposure.

    >>> found = poisson_rate(0, 1000)
    >>> found.low, round(found.high * 1000, 2)
    (0.0, 3.69)
    """
    beyond = (1 - SURE) / 2
    chi2 = _stats().chi2
    low = float(chi2.ppf(beyond, 2 * events)) / 2 if events else 0.0
    return Interval(low / exposure, float(chi2.ppf(1 - beyond, 2 * events + 2)) / 2 / exposure)


def wilson(successes: int, trials: int) -> Interval:
    """Wilson's interval of a share.

    >>> found = wilson(5, 10)
    >>> round(found.low, 3), round(found.high, 3)
    (0.237, 0.763)
    """
    found = _stats().binomtest(successes, trials).proportion_ci(SURE, method="wilson")
    return Interval(float(found.low), float(found.high))


def no_more_than(seen: int, drawn: int, marked: int, whole: int) -> float:
    """How likely of so many drawn out of a whole with so many marked no more than that are marked (Fisher's test).

    >>> round(no_more_than(0, 2, 2, 4) * 6, 9)
    1.0
    """
    return float(_stats().hypergeom.cdf(seen, whole, marked, drawn))


def or_more(seen: int, trials: int, chance: float) -> float:
    """How likely so many or more of the trials succeed, each with this chance.

    >>> or_more(2, 3, 0.5)
    0.5
    """
    return float(_stats().binom.sf(seen - 1, trials, chance))


def beyond_chi2(statistic: float, freedom: int) -> float:
    """How likely chance alone gives as much or more."""
    return float(_stats().chi2.sf(statistic, freedom))


def beyond_normal(z: float) -> float:
    """How likely chance alone strays as far, to either side."""
    return float(2 * _stats().norm.sf(abs(z)))


def skewness(values: Sequence[float]) -> float:
    """The skewness of a sample; 0 when all its values are the same."""
    return 0.0 if len(set(values)) < 2 else float(_stats().skew(values))


def called_out(chances: Sequence[float | None]) -> list[float | None]:
    """Each p-value as it counts among so many tests at once (Benjamini and Hochberg); None stays None.

    >>> called_out([0.01, None, 0.5])
    [0.02, None, 0.5]
    """
    known = [chance for chance in chances if chance is not None]
    if not known:
        return list(chances)
    weighed = iter(_stats().false_discovery_control(known, method="bh"))
    return [None if chance is None else float(next(weighed)) for chance in chances]


def binomial(found: int, trials: int, expected: float) -> float:
    """How likely chance alone strays as far from so many expected among the trials, to either side."""
    return float(_stats().binomtest(found, trials, expected / trials).pvalue)


def rank_correlation(order: Sequence[int]) -> float:
    """Spearman's, of an order with the natural one.

    >>> rank_correlation([0, 1, 2, 3]), rank_correlation([3, 2, 1, 0])
    (1.0, -1.0)
    """
    return round(float(_stats().spearmanr(range(len(order)), order).statistic), 12)
