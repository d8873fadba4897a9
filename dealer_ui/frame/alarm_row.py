"""Causes and alarms as the rows of the pit's list, and the one line other screens are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dealer_ui.floor.cause import WORDS, causes_of, together
from dealer_ui.floor.house import House
from dealer_ui.words.language import Language
from studio.pit import Alarm, Cause
from studio.views.shape import IncidentView, TableView

LINGERING: Final = frozenset({"device", "wallet", "wallet_late", "webhook", "webhook_late", "webhook_day"})
"""What comes and goes: in its pauses it is shown on."""


@dataclass(frozen=True, slots=True)
class AlarmRow:
    """One alarm as it is shown. `alarm` is None in the moment before it is kept, or while the disk takes nothing."""

    cause: Cause
    alarm: Alarm | None
    titles: tuple[str, ...]
    incidents: tuple[IncidentView, ...] = ()

    @property
    def id(self) -> str:
        return self.alarm.id if self.alarm else ""

    @property
    def loud(self) -> bool:
        """Nobody has acknowledged it in time."""
        return self.alarm is not None and self.alarm.waits and bool(self.alarm.escalated_ms)

    @property
    def waits(self) -> bool:
        return self.alarm is None or self.alarm.waits

    @property
    def asked(self) -> tuple[IncidentView, ...]:
        """What waits for a second person."""
        return tuple(one for one in self.incidents if one.asked.by)

    @property
    def order(self) -> tuple[object, ...]:
        raised_ms = self.alarm.raised_ms if self.alarm else 0
        return (not self.loud, not self.asked, not self.waits, WORDS.index(self.cause.word), raised_ms, self.cause.key)


def rows_of(house: House) -> list[AlarmRow]:
    """Every alarm: those that are louder first, then those nobody has acknowledged, the worst and the oldest on top."""
    by_cause = {alarm.cause: alarm for alarm in tuple(house.pit.book.alarms.values())}
    rows = [_row(house, cause, by_cause.pop(cause.key, None)) for cause in causes_of(house)]
    lingering = (alarm for alarm in by_cause.values() if alarm.word in LINGERING)
    rows += [_row(house, Cause(one.cause, one.word, one.tables, one.about), one) for one in lingering]
    return sorted(rows, key=lambda row: row.order)


def _row(house: House, cause: Cause, alarm: Alarm | None) -> AlarmRow:
    views: list[TableView] = [house.view(table) for table in cause.tables if table in house.tables]
    incidents = tuple(one for view in views for one in together(view, cause))
    return AlarmRow(cause, alarm, tuple(view.title for view in views), incidents)


def about_of(language: Language, cause: Cause) -> str:
    """Whom or what an alarm concerns, in words."""
    match cause.word:
        case "held" | "incident":
            return language.name("incident", cause.about)
        case "device":
            return language.either(f"device.{cause.about}", cause.about)
    return cause.about


def urgent(house: House, language: Language, viewer_id: str) -> Sequence[Mapping[str, Any]]:
    """The alarms that nobody has acknowledged in time, for everybody who hears alarms, wherever he stands.

    Nobody is told of an alarm that he caused himself.
    """
    return [
        {
            "id": row.id,
            "says": language.say(f"alarm.{row.cause.word}", about=about_of(language, row.cause)),
            "where": ", ".join(row.titles),
            "since_ms": row.alarm.loud_ms if row.alarm else 0,
        }
        for row in rows_of(house)
        if row.loud and row.cause.by != viewer_id
    ]
