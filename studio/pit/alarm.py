"""What an alarm is: one for each cause, acknowledged by a person, ended by nothing but its cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from studio.pit.pit_event import AlarmEnded, AlarmEscalated, AlarmGrew, AlarmRaised

ESCALATE_MS: Final = 30_000
"""So long an alarm may stay unacknowledged before everybody else is told."""
LINGER_MS: Final = 3_000
"""A cause that comes and goes, as a loose plug does, is one alarm while its pauses are shorter than this."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why somebody should look, now. `key` tells it from every other cause there was.

    `by` is the id of whoever's own act it is, empty where it is nobody's; `seen_by_name` is his name where he is one
    of those who see to alarms: he knows of it already.
    """

    key: str
    word: str
    tables: tuple[str, ...]
    about: str = ""
    lingers: bool = False
    by: str = ""
    seen_by_name: str = ""

    @property
    def seen_by(self) -> str:
        return self.by if self.seen_by_name else ""


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm that is not over. `loud_ms`: since when it has been waiting for somebody."""

    id: str
    cause: str
    word: str
    tables: tuple[str, ...]
    about: str
    raised_ms: int
    loud_ms: int
    seen_by: str = ""
    seen_by_name: str = ""
    seen_ms: int = 0
    escalated_ms: int = 0
    told: tuple[str, ...] = ()

    @property
    def waits(self) -> bool:
        """Nobody has acknowledged it yet."""
        return not self.seen_by


Due = AlarmRaised | AlarmGrew | AlarmEscalated | AlarmEnded


def due(
    alarms: Mapping[str, Alarm], causes: Sequence[Cause], gone_ms: Mapping[str, int], now_ms: int, *, next_number: int
) -> Iterator[Due]:
    """What has come about by now.

    `alarms` by id, `gone_ms`: since when a lingering cause has been away. An `AlarmEscalated` has yet to be told to
    whom.
    """
    by_cause = {alarm.cause: alarm for alarm in alarms.values()}
    for cause in causes:
        alarm = by_cause.pop(cause.key, None)
        if alarm is None:
            raised = AlarmRaised(
                id=f"A-{next_number}", cause=cause.key, word=cause.word, tables=cause.tables, about=cause.about,
                seen_by=cause.seen_by, seen_by_name=cause.seen_by_name, at_ms=now_ms,
            )  # fmt: skip
            next_number += 1
            yield raised
        elif more := tuple(table for table in cause.tables if table not in alarm.tables):
            yield AlarmGrew(
                id=alarm.id, tables=(*alarm.tables, *more), seen_by=cause.seen_by, seen_by_name=cause.seen_by_name,
                at_ms=now_ms,
            )  # fmt: skip
        elif alarm.waits and not alarm.escalated_ms and now_ms - alarm.loud_ms >= ESCALATE_MS:
            yield AlarmEscalated(id=alarm.id, told=(), at_ms=now_ms)
    for alarm in by_cause.values():
        if now_ms - gone_ms.get(alarm.cause, 0) >= LINGER_MS:
            yield AlarmEnded(id=alarm.id, at_ms=now_ms)
