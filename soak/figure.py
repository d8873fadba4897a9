"""The figures of a soak: a line of a file each, and what they come to: flat, or growing.

A life of the studio is judged by itself, for a process that was killed begins anew: the middle of its second quarter
against the middle of its last, once everything has been loaded that is loaded once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from soak.line_file import LineFile


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One look. Sizes in bytes, times in milliseconds; `at_s` is the soak's own time, over all that was run of it."""

    life: int
    at_s: float
    rss_mb: float
    files: int
    threads: int
    seq: int
    rounds: int
    sizes: dict[str, int]
    act_ms: list[float] = []
    bet_ms: list[float] = []
    screen_ms: list[float] = []


class Life(msgspec.Struct, frozen=True, kw_only=True):
    """One life of the studio that is over. `notes`: what happened in it, in words. Rounds, rows and bytes of their
    bodies are those of its last `counted_s`.
    """

    number: int
    kind: str
    lasted_s: float
    counted_s: float
    rounds: int
    rows: int
    bytes: int
    kinds: list[tuple[str, int, int]]
    wrong: list[str]
    notes: list[str]


class FigureBook:
    """The samples and lives of a soak, in two files of its folder; what is there is read again."""

    def __init__(self, folder: Path) -> None:
        self.samples = LineFile(folder / "samples.jsonl", Sample)
        self.lives = LineFile(folder / "lives.jsonl", Life)

    @property
    def spent_s(self) -> float:
        """The soak's time of the lives that are over."""
        return sum(one.lasted_s for one in self.lives)


class Trend(msgspec.Struct, frozen=True):
    """One figure of one life, early and late. `per_hour`: how fast it grew; `bounded`: it may go on so for ever."""

    name: str
    unit: str
    early: float
    late: float
    per_hour: float
    bounded: bool


SAMPLES_MIN: Final = 16
"""With fewer looks a life says nothing of growth."""
_OF_PROCESS: Final[tuple[tuple[str, str, Callable[[Sample], float], float, float], ...]] = (
    ("memory", "MB", lambda one: one.rss_mb, 0.15, 40),
    ("open files", "", lambda one: one.files, 0.0, 12),
    ("threads", "", lambda one: one.threads, 0.0, 12),
)
"""What a process holds: it is bounded as long as it grows by less than this share, and than so much beside it."""
_LATENCIES: Final[tuple[tuple[str, Callable[[Sample], list[float]]], ...]] = (
    ("a dealer's act", lambda one: one.act_ms),
    ("shoe to screen", lambda one: one.screen_ms),
    ("a bet", lambda one: one.bet_ms),
)


def trends(samples: Sequence[Sample]) -> list[Trend]:
    """How the figures of one life went; none where it was too short."""
    if len(samples) < SAMPLES_MIN:
        return []
    quarter = len(samples) // 4
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]
    hours = (late[0].at_s - early[0].at_s) / 3600
    found = []
    for name, unit, of, share, beside in _OF_PROCESS:
        first, last = median(map(of, early)), median(map(of, late))
        bounded = last - first <= share * first + beside
        found.append(Trend(name, unit, first, last, (last - first) / hours if hours else 0.0, bounded))
    for name, times in _LATENCIES:
        soon, at_last = ([ms for one in part for ms in times(one)] for part in (early, late))
        if soon and at_last:
            found += [
                Trend(f"{name}, {word}", "ms", at(soon), at(at_last), 0.0, bounded=True)
                for word, at in (("median", median), ("p95", p95))
            ]
    return found


def p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def by_life(samples: Iterable[Sample]) -> dict[int, list[Sample]]:
    found: defaultdict[int, list[Sample]] = defaultdict(list)
    for one in samples:
        found[one.life].append(one)
    return dict(found)
