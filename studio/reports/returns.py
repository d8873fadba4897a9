"""Game returns against theory: what came back of each bet, day by day, and what chance allows.

All bettors of a round share its cards, so a round, not a bettor, is one trial: the spread of a day is that of one unit
times the root of the sum of the squared stakes of its rounds. The spread of one unit is exact where the certificate
counts the prizes of the bet; where bettors decide, it is taken from the rounds themselves, and theory supposes the best
decisions. A sample too small for a normal curve (25 times the squared skewness, Cochran) gets no limits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Final

from studio.games import PEER_GAMES
from studio.reports.record.choice import Expected, ReportAsked
from studio.reports.record.ledger_sum import LedgerBetSum, bet_sums
from studio.reports.record.left_out import left_out, left_out_notes
from studio.reports.record.round_log import RoundDealt, rounds
from studio.reports.sheet.shape import Cell, Chart, Column, Drawing, Money, Note, Report, ReportSheet, Row, Sort
from studio.reports.statistic import FALSE_FINDS, beyond_normal, called_out, skewness
from studio.rulebook.shoe_terms import house_rules

COCHRAN: Final = 25
LEAST_ROUNDS: Final = 30
"""Fewer say nothing, however they are spread."""


_OF_SEATS: Final = frozenset(game.key for game in PEER_GAMES)
"""Games in which seats play among themselves: what they put in is no bet against a return."""


@dataclass(slots=True)
class Sample:
    """The rounds of one bet: what was staked on it in each, and what came back."""

    stakes: list[int] = field(default_factory=list)
    returns: list[int] = field(default_factory=list)

    def add(self, stake: int, back: int) -> None:
        self.stakes.append(stake)
        self.returns.append(back)

    @property
    def stake(self) -> int:
        return sum(self.stakes)

    @property
    def back(self) -> int:
        return sum(self.returns)

    @property
    def share(self) -> float:
        return self.back / self.stake

    @property
    def trials(self) -> float:
        """How many rounds of equal stakes would tell as much as these rounds do."""
        return self.stake**2 / sum(stake**2 for stake in self.stakes)


@dataclass(frozen=True, slots=True)
class BetSpread:
    """How widely the return of one unit varies: standard deviation and skewness. `exact`: they come from the
    certificate.
    """

    deviation: float
    skew: float
    exact: bool


@dataclass(frozen=True, slots=True)
class ReportedBet:
    """What a figure is about: one bet of one game, staked in one currency."""

    game: str
    bet: str
    currency: str


def spread_of(expected: Expected) -> BetSpread | None:
    """From the prizes of the pay table; None where these depend on decisions.

    >>> even = Expected("even", "stake", Fraction(1), ("even",), ((Fraction(2), 1), (Fraction(0), 1)))
    >>> spread_of(even)
    BetSpread(deviation=1.0, skew=0.0, exact=True)
    """
    ways = sum(count for _, count in expected.prizes)
    if not ways:
        return None
    mean = sum((prize * count for prize, count in expected.prizes), Fraction(0)) / ways
    second, third = (
        sum(((prize - mean) ** power * count for prize, count in expected.prizes), Fraction(0)) / ways
        for power in (2, 3)
    )
    deviation = sqrt(second)
    return BetSpread(deviation, float(third) / deviation**3 if deviation else 0.0, exact=True)


def sampled(sample: Sample, share: float) -> BetSpread:
    """The spread of a bet's return, from the rounds themselves, each weighed by its stake. The deviation is measured
    from `share`, the expected return of one unit.
    """
    units = [back / stake for stake, back in zip(sample.stakes, sample.returns, strict=True) if stake]
    squares = sum((back - share * stake) ** 2 for stake, back in zip(sample.stakes, sample.returns, strict=True))
    return BetSpread(sqrt(squares / sum(stake**2 for stake in sample.stakes)), skewness(units), exact=False)


def is_enough(sample: Sample, spread: BetSpread) -> bool:
    return sample.trials >= max(LEAST_ROUNDS, COCHRAN * spread.skew**2)


def error_of(sample: Sample, spread: BetSpread) -> float:
    """The standard deviation of the share that comes back of such stakes."""
    return spread.deviation / sqrt(sample.trials)


class _Samples:
    """All bets: over the whole period, and day by day."""

    def __init__(self, asked: ReportAsked) -> None:
        self.expected: dict[ReportedBet, Expected | None] = {}
        self.whole: defaultdict[ReportedBet, Sample] = defaultdict(Sample)
        self.days: defaultdict[tuple[ReportedBet, int], Sample] = defaultdict(Sample)
        self._asked = asked
        self.tests = left_out(asked)
        self._theory: dict[tuple[str, int, str], Sequence[Expected]] = {}
        known = {one.id: one for one in rounds(asked)}
        for bet, at_ms, stake, back in self._of_rounds(known):
            self.whole[bet].add(stake, back)
            self.days[bet, asked.day.begin_ms(asked.day.of_ms(at_ms))].add(stake, back)

    def _of_rounds(self, known: Mapping[str, RoundDealt]) -> Iterator[tuple[ReportedBet, int, int, int]]:
        """The trials of each round: bets a figure speaks for as a whole are one; a bet at several boxes, several."""
        choice = self._asked.choice
        together: defaultdict[tuple[ReportedBet, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        last = ""
        for sums in bet_sums(self._asked.reader, self._asked.period, choice.table, choice.operator, self.tests):
            if sums.round != last:
                yield from _emptied(together)
                last = sums.round
            dealt = known.get(sums.round)
            if dealt is None or dealt.void or dealt.game in _OF_SEATS or sums.stake_minor <= 0:
                continue
            own = together[self._bet(dealt, sums)]
            own[0] = sums.at_ms
            own[1] += sums.stake_minor
            own[2] += sums.returns_minor
        yield from _emptied(together)

    def _bet(self, dealt: RoundDealt, sums: LedgerBetSum) -> tuple[ReportedBet, str]:
        """The figure that speaks for a bet, and which trial of the round it belongs to."""
        expected = next((one for one in self._figures(dealt) if sums.bet in one.covers), None)
        bet = ReportedBet(dealt.game, expected.bet if expected else sums.bet, sums.currency)
        self.expected.setdefault(bet, expected)
        return bet, "" if expected and expected.basis == "total" else sums.bet

    def _figures(self, dealt: RoundDealt) -> Sequence[Expected]:
        rules = house_rules(dealt.rules)
        key = (dealt.game, dealt.version, repr(sorted(rules.items())))
        if key not in self._theory:
            self._theory[key] = self._asked.theory(dealt.game, dealt.version, rules)
        return self._theory[key]


def _emptied(together: defaultdict[tuple[ReportedBet, str], list[int]]) -> Iterator[tuple[ReportedBet, int, int, int]]:
    for (bet, _), (at_ms, stake, back) in together.items():
        yield bet, at_ms, stake, back
    together.clear()


def make(asked: ReportAsked) -> Report:
    samples, period = _Samples(asked), asked.period
    sheets = (_bets(samples, tuple(left_out_notes(asked, samples.tests))), _days(samples))
    return Report("returns", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def _spread(sample: Sample, expected: Expected | None) -> BetSpread:
    exact = spread_of(expected) if expected else None
    return exact or sampled(sample, float(expected.share) if expected else sample.share)


def _bets(samples: _Samples, left: tuple[Note, ...]) -> ReportSheet:
    columns = (
        Column("game", Sort.KEY, "game"), Column("bet", Sort.KEY, "bet"), Column("currency"),
        Column("rounds", Sort.COUNT), Column("handle", Sort.MONEY), Column("came_back", Sort.SHARE),
        Column("theory", Sort.SHARE), Column("low3", Sort.SHARE), Column("high3", Sort.SHARE),
        Column("chance", Sort.CHANCE), Column("among_all", Sort.CHANCE), Column("verdict", Sort.KEY, "report.verdict"),
        Column("spread", Sort.KEY, "report.spread"),
    )  # fmt: skip
    found = sorted(samples.whole.items(), key=lambda one: (one[0].game, -one[1].stake))
    told = [_told(sample, samples.expected[bet]) for bet, sample in found]
    weighed = called_out([chance for chance, *_ in told])
    rows: list[Row] = []
    for (bet, sample), (chance, low, high, exact), among in zip(found, told, weighed, strict=True):
        expected = samples.expected[bet]
        rows.append((
            bet.game, bet.bet, bet.currency, len(sample.stakes), Money(sample.stake, bet.currency), sample.share,
            float(expected.share) if expected else None, low, high, chance, among, _verdict(expected, chance, among),
            exact,
        ))  # fmt: skip
    notes = (
        Note(
            "returns_trials", "All bettors of a round share its cards: a round is one trial, whatever is staked on it."
        ),
        Note("returns_best", "Where bettors decide, theory supposes the best decisions; less comes back of others."),
        Note("returns_seats", "Poker hands are not here: what a seat wins is another's, and no theory says how much."),
        *left,
    )
    return ReportSheet("returns", columns, rows, notes)


def _told(sample: Sample, expected: Expected | None) -> tuple[float | None, Cell, Cell, str]:
    """How likely chance strays as far, the limits, and where the spread is from."""
    spread = _spread(sample, expected)
    kind = "exact" if spread.exact else "sampled"
    error = error_of(sample, spread)
    if expected is None or not error or not is_enough(sample, spread):
        return None, None, None, kind
    share = float(expected.share)
    return beyond_normal((sample.share - share) / error), max(share - 3 * error, 0), share + 3 * error, kind


def _verdict(expected: Expected | None, chance: float | None, among: float | None) -> str:
    if expected is None:
        return "unproved"
    if chance is None or among is None:
        return "too_small"
    return "look" if among < FALSE_FINDS else "usual"


def _days(samples: _Samples) -> ReportSheet:
    """Day by day with its limits, the bets with the largest stakes first."""
    columns = (
        Column("day", Sort.DAY), Column("game", Sort.KEY, "game"), Column("bet", Sort.KEY, "bet"),
        Column("currency"), Column("rounds", Sort.COUNT), Column("came_back", Sort.SHARE), Column("theory", Sort.SHARE),
        Column("low3", Sort.SHARE), Column("low2", Sort.SHARE), Column("high2", Sort.SHARE),
        Column("high3", Sort.SHARE),
    )  # fmt: skip
    order = {bet: -sample.stake for bet, sample in samples.whole.items()}
    rows: list[Row] = []
    for (bet, day), sample in sorted(samples.days.items(), key=lambda one: (order[one[0][0]], one[0][1])):
        expected = samples.expected[bet]
        spread = _spread(samples.whole[bet], expected)
        limits: tuple[Cell, ...] = (None,) * 4
        if expected is not None and is_enough(sample, spread):
            share, error = float(expected.share), error_of(sample, spread)
            limits = (max(share - 3 * error, 0), max(share - 2 * error, 0), share + 2 * error, share + 3 * error)
        theory = float(expected.share) if expected else None
        rows.append((day, bet.game, bet.bet, bet.currency, len(sample.stakes), sample.share, theory, *limits))
    told = Note("returns_small", "A day without limits has too few rounds for this bet: it may be anything.")
    chart = Chart(Drawing.FUNNEL, "day", "came_back", ("theory", "low3", "low2", "high2", "high3"), facet="bet")
    return ReportSheet("return_days", columns, rows, (told,), chart)
