"""The card tests: whether every card comes as often as it should, and whether the shuffle mixes.

Cards that nobody has seen are unknown, and the tests allow for them. In a pass of a deck of N cards of which k were
seen a face came k/52 times on average (k/36 of a short deck, which is counted apart); because a card that came cannot
come again, the spread is that of drawing without replacement, (N - k)/(N - 1) of the plain one. The chi-square is of
the 52 counts, with 51 degrees of freedom, each pass with its own share of the spread. For the shuffle: which card came
first; how often neighbours are of one rank, or follow one another as in a new deck; and, of the cards seen both in a
pass and in the pass of the same deck before, how much of their order was kept (rising sequences, rank correlation). All
tests of a report are weighed together (Benjamini and Hochberg), so that of those called out at most one in twenty is
chance on average.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from math import sqrt
from typing import Final

from studio.reports.record.choice import ReportAsked
from studio.reports.record.seen import FULL, DrawnCard, Pass, passes
from studio.reports.record.standing import standings
from studio.reports.sheet.shape import Chart, Column, Drawing, Note, Report, ReportSheet, Row, Sort
from studio.reports.shuffle import ShuffleSample, Test
from studio.reports.statistic import FALSE_FINDS, beyond_chi2, called_out

LEAST_OF_EACH: Final = 5
"""Fewer of each face expected, and a chi-square says nothing."""


@dataclass(slots=True)
class Frequency:
    """How often each face was seen of decks that hold these `faces`, and how far chance lets that stray."""

    faces: tuple[str, ...] = FULL
    counts: Counter[str] = field(default_factory=Counter)
    spread: float = 0.0
    seen: int = 0
    passes: int = 0

    def add(self, faces: Iterable[str], cards: int) -> None:
        """Count the faces that were seen of one pass of a deck of `cards` cards through the shoe."""
        told = list(faces)
        self.counts.update(told)
        self.seen += len(told)
        self.passes += 1
        self.spread += len(told) * (cards - len(told)) / (cards - 1) * self.freedom / len(self.faces) ** 2

    @property
    def freedom(self) -> int:
        return len(self.faces) - 1

    @property
    def expected(self) -> float:
        return self.seen / len(self.faces)

    @property
    def statistic(self) -> float:
        if not self.spread:
            return 0.0
        strayed = sum((self.counts[face] - self.expected) ** 2 for face in self.faces)
        return strayed / (self.spread * len(self.faces) / self.freedom)

    @property
    def chance(self) -> float | None:
        if self.expected < LEAST_OF_EACH or not self.spread:
            return None
        return beyond_chi2(self.statistic, self.freedom)


_Group = tuple[str, str, int]
"""What parts it from others, its name there, and how many cards its decks have."""


@dataclass(slots=True)
class _Tally:
    """All groups of one report."""

    groups: dict[_Group, Frequency] = field(default_factory=dict)
    shuffles: dict[tuple[str, int], ShuffleSample] = field(default_factory=dict)
    before: dict[tuple[str, str, int], Pass] = field(default_factory=dict)

    def add(self, one: Pass, part: str, name: str, faces: Iterable[str]) -> None:
        """Cards of one part of a pass."""
        group = (part, name, len(one.faces))
        self.groups.setdefault(group, Frequency(one.faces)).add(faces, one.size)

    def follow(self, one: Pass) -> None:
        """A pass, after the pass of the same deck before it."""
        key = (one.table, one.deck, len(one.faces))
        shuffle = self.shuffles.setdefault((one.deck or one.table, len(one.faces)), ShuffleSample(one.faces))
        shuffle.add(one, self.before.get(key))
        self.before[key] = one


def make(asked: ReportAsked) -> Report:
    tally, period = _Tally(), asked.period
    for one in passes(asked, standings(asked)):
        for sort, part in _PARTS.items():
            for name, faces in _parted(one, part, asked):
                tally.add(one, sort, name, faces)
        tally.follow(one)
    sheets = _sheets(tally)
    return Report("cards", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


_Part = Callable[[Pass, DrawnCard, ReportAsked], str]
_PARTS: Final[dict[str, _Part]] = {
    "all": lambda one, card, asked: "",
    "deck": lambda one, card, asked: one.deck,
    "shoe": lambda one, card, asked: f"{one.table} · {one.shoe}",
    "dealer": lambda one, card, asked: asked.name(card.dealer),
    "week": lambda one, card, asked: _week(asked.day.of_ms(card.at_ms)),
}


def _week(day: date) -> str:
    """The Monday it begins with."""
    return (day - timedelta(days=day.weekday())).isoformat()


def _parted(one: Pass, part: _Part, asked: ReportAsked) -> Iterator[tuple[str, list[str]]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for _, card in one.seen:
        found[part(one, card, asked)].append(card.face)
    return iter(found.items())


def _sheets(tally: _Tally) -> tuple[ReportSheet, ...]:
    """The frequencies and the shuffle, weighed together; then how often each face came."""
    frequencies = sorted(tally.groups.items(), key=lambda one: (tuple(_PARTS).index(one[0][0]), *one[0][1:]))
    shuffles = [(deck, test) for deck, one in sorted(tally.shuffles.items()) for test in one.tests()]
    chances = [one.chance for _, one in frequencies] + [test.chance for _, test in shuffles]
    among = called_out(chances)
    first, second = among[: len(frequencies)], among[len(frequencies) :]
    odd = sum(one is not None and one < FALSE_FINDS for one in among)
    whole = {cards: one for (part, _, cards), one in tally.groups.items() if part == "all"}
    short = [_faces("faces_short", one) for cards, one in whole.items() if cards != len(FULL)]
    return (
        _frequency_sheet(frequencies, first, odd),
        _shuffle_sheet(shuffles, second),
        _faces("faces", whole.get(len(FULL), Frequency())),
        *short,
    )  # fmt: skip


_SHUFFLE_COLUMNS: Final = (
    Column("deck"), Column("deck_of", Sort.COUNT), Column("test", Sort.KEY, "report.test"),
    Column("trials", Sort.COUNT), Column("found", Sort.NUMBER), Column("due", Sort.NUMBER),
    Column("chance", Sort.CHANCE), Column("among_all", Sort.CHANCE), Column("verdict", Sort.KEY, "report.verdict"),
)  # fmt: skip


def _shuffle_sheet(found: list[tuple[tuple[str, int], Test]], among: list[float | None]) -> ReportSheet:
    rows: list[Row] = [
        (*deck, test.key, test.trials, test.found, test.due, test.chance, weighed, verdict(test.chance, weighed))
        for (deck, test), weighed in zip(found, among, strict=True)
    ]
    told = Note("cards_choices", "Where bettors' choices decide how many cards come, the tests are close, not exact.")
    return ReportSheet("shuffle", _SHUFFLE_COLUMNS, rows, (told,))


_FREQUENCY_COLUMNS: Final = (
    Column("part", Sort.KEY, "report.part"), Column("name"), Column("deck_of", Sort.COUNT),
    Column("passes", Sort.COUNT), Column("seen", Sort.COUNT), Column("of_each", Sort.NUMBER),
    Column("chi_square", Sort.NUMBER), Column("chance", Sort.CHANCE), Column("among_all", Sort.CHANCE),
    Column("verdict", Sort.KEY, "report.verdict"),
)  # fmt: skip


def _frequency_sheet(found: list[tuple[_Group, Frequency]], among: list[float | None], odd: int) -> ReportSheet:
    rows: list[Row] = [
        (
            *group, one.passes, one.seen, one.expected, one.statistic, one.chance, weighed,
            verdict(one.chance, weighed),
        )
        for (group, one), weighed in zip(found, among, strict=True)
    ]  # fmt: skip
    sentence = "{count} of the tests call for a look; among so many, chance alone seldom brings even one."
    notes = [
        Note("cards_meaning", "The p-value is how often an honest deck strays as far by chance alone. Small is odd."),
        Note("cards_sealed", "Cards that nobody has seen are not known here; the tests allow for them."),
        Note("cards_board", "Of a poker hand only the board counts: who shows his cards has chosen to."),
    ]
    if odd:
        notes.insert(0, Note("cards_odd", sentence, {"count": odd}, loud=True))
    return ReportSheet("frequency", _FREQUENCY_COLUMNS, rows, tuple(notes))


def verdict(chance: float | None, weighed: float | None) -> str:
    """In a word: too_small, usual, or look."""
    if chance is None or weighed is None:
        return "too_small"
    return "look" if weighed < FALSE_FINDS else "usual"


def _faces(key: str, whole: Frequency) -> ReportSheet:
    """How often each card came, with what chance allows at two and three standard deviations."""
    columns = (
        Column("card"), Column("seen", Sort.COUNT), Column("due", Sort.NUMBER), Column("strays", Sort.NUMBER),
    )  # fmt: skip
    spread = sqrt(whole.spread)
    rows: list[Row] = [
        (face, whole.counts[face], whole.expected, (whole.counts[face] - whole.expected) / spread if spread else None)
        for face in whole.faces
        if whole.seen
    ]
    told = Note("cards_strays", "Strays: by how many standard deviations. Of 52 cards, two or three lie beyond 2.")
    return ReportSheet(key, columns, rows, (told,), Chart(Drawing.SUITS, "card", "strays"))
