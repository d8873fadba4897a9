"""What a lead is, by which rules one is found, and how rarely chance alone gives one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

FALSE_LEADS: Final = 0.01
"""At most this share of the reports on honest bettors have a lead, by all rules together."""
EVIDENCE: Final = 5
"""So many rounds are named of a lead."""

Bettor = str
"""`operator/bettor`."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`least`: so often a pair has met in the way of this rule before it is looked at."""

    key: str
    least: int


TOGETHER: Final = Rule("together", 8)
FLOW: Final = Rule("flow", 12)
SOFT: Final = Rule("soft", 8)
OPPOSITE: Final = Rule("opposite", 10)
COVER: Final = Rule("cover", 5)
RULES: Final = (TOGETHER, FLOW, SOFT, OPPOSITE, COVER)

CHANCE_MOST: Final = FALSE_LEADS / len(RULES)
"""Of one rule in one report: a pair's chance times the pairs looked at is no more than this, or it is no lead."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One pair under one rule. `chance` is of this pair alone; `sums` by currency, in minor units."""

    rule: Rule
    bettor: Bettor
    partner: Bettor
    where: str
    times: int
    seen: float
    expected: float
    chance: float
    sums: Counter[str] = field(default_factory=Counter)
    rounds: tuple[str, ...] = ()


def leads(looked: Sequence[Looked]) -> Iterator[Looked]:
    """Those that chance does not explain, the least likely first; from here on `chance` is that of the whole report."""
    pairs = Counter(one.rule.key for one in looked)
    for one in sorted(
        looked, key=lambda one: (one.chance * pairs[one.rule.key], one.rule.key, one.bettor, one.partner)
    ):
        if one.chance * pairs[one.rule.key] <= CHANCE_MOST:
            yield _of_report(one, pairs[one.rule.key])


def _of_report(one: Looked, pairs: int) -> Looked:
    return Looked(
        one.rule, one.bettor, one.partner, one.where, one.times, one.seen, one.expected, one.chance * pairs, one.sums,
        one.rounds,
    )  # fmt: skip


def largest(rounds: Iterable[tuple[float, str]]) -> tuple[str, ...]:
    """The rounds that weigh most, in the order they were dealt."""
    return tuple(sorted(round for _, round in sorted(rounds, reverse=True)[:EVIDENCE]))
