"""Who sits down where one other sits, far more often than if he took any table of that game where somebody plays.

The null: of the tables of a game at which somebody sits, whoever sits down chooses each alike. Where there is one such
table there is no choice, and nothing is counted. Both ways of a pair are counted together; exact.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from studio.reports.collusion.chance import at_least
from studio.reports.collusion.lead import TOGETHER, Bettor, Looked
from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import RecordedEvent, events, since_opened, tables
from studio.tables.event import room

_KINDS: Final = ("SeatTaken", "SeatLeft")
_GAMES: Final = """
SELECT "table", json_extract(body, '$.event.config.game') FROM journal
WHERE kind = 'TableConfigured' AND seq <= ? ORDER BY seq
"""


@dataclass(slots=True)
class _Pair:
    chances: list[float] = field(default_factory=list)
    met: int = 0
    where: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Choices:
    """Who sits where, and whom each chose to sit with. `games` by table."""

    games: dict[str, str]
    _seats: defaultdict[str, dict[str, Bettor]] = field(default_factory=lambda: defaultdict(dict))
    _pairs: defaultdict[tuple[Bettor, Bettor], _Pair] = field(default_factory=lambda: defaultdict(_Pair))

    def sit(self, table: str, seat: str, bettor: Bettor, *, counts: bool = True) -> None:
        """He takes that seat; unless it is known only how it came, it is counted as a choice."""
        if counts:
            self._choose(table, bettor)
        self._seats[table][seat] = bettor

    def leave(self, table: str, seat: str) -> None:
        self._seats[table].pop(seat, None)

    def look(self) -> Iterator[Looked]:
        for (bettor, partner), pair in sorted(self._pairs.items()):
            if len(pair.chances) >= TOGETHER.least:
                chance, where = at_least(pair.chances, pair.met), ", ".join(sorted(pair.where))
                yield Looked(
                    TOGETHER, bettor, partner, where, len(pair.chances), pair.met, sum(pair.chances), chance
                )  # fmt: skip

    def _choose(self, table: str, bettor: Bettor) -> None:
        """Count with everybody who sits at a table that he could have taken, whether he took it."""
        open_to_him = [
            key for key, seats in self._seats.items() if seats and self.games.get(key) == self.games.get(table)
        ]
        if table not in open_to_him or len(open_to_him) < 2:
            return
        sits = Counter(other for key in open_to_him for other in set(self._seats[key].values()))
        for other, at in sits.items():
            if other != bettor and at < len(open_to_him):
                pair = self._pairs[min(bettor, other), max(bettor, other)]
                pair.chances.append(at / len(open_to_him))
                if other in self._seats[table].values():
                    pair.met += 1
                    pair.where.add(table)


def look(asked: ReportAsked) -> Iterator[Looked]:
    choices = Choices(dict(asked.reader.read(_GAMES, (asked.period.upto_seq,))))
    for table in tables(asked.reader):
        for one in since_opened(asked.reader, asked.period, table, _KINDS):
            _take(choices, one, counts=False)
    for one in events(asked.reader, asked.period, _KINDS):
        _take(choices, one, counts=asked.wants(one.table))
    return choices.look()


def _take(choices: Choices, one: RecordedEvent, *, counts: bool) -> None:
    match one.event:
        case room.SeatTaken(seat=seat, operator=operator, bettor=bettor):
            choices.sit(one.table, seat, f"{operator}/{bettor}", counts=counts)
        case room.SeatLeft(seat=seat):
            choices.leave(one.table, seat)
