"""How a command is told a span of time: two moments, or one gaming day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time, tzinfo
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from studio.errors import BadInputError
from studio.reports import GamingDay

_SECOND_MS: Final = 1000
_YEARS: Final = range(1971, 3000)

Command = TypeVar("Command", bound=Callable[..., Any])


def span_options(command: Command) -> Command:
    """The options that name a span; `day_of` and `span_of` read what was told."""
    for option in (
        click.option("--day-begins", default="00:00", show_default=True, help="When a gaming day begins."),
        click.option(
            "--zone", default="UTC", show_default=True, help="Of moments that name none, and of the gaming day."
        ),
        click.option("--day", metavar="DATE", help="One gaming day, instead of --from and --to."),
        click.option("--to", "end", metavar="MOMENT", help="Until when, not included."),
        click.option("--from", "begin", metavar="MOMENT", help="From when on, as in 2026-01-31 or 2026-01-31T18:00."),
    ):
        command = option(command)
    return command


def day_of(told: Mapping[str, Any]) -> GamingDay:
    return GamingDay(_clock(told["day_begins"]), _zone(told["zone"]))


def span_of(told: Mapping[str, Any], day: GamingDay) -> tuple[int | None, int | None]:
    if told["day"]:
        if told["begin"] or told["end"]:
            raise BadInputError("Give either --day, or --from and --to.")
        return day.span_ms(_moment(told["day"], UTC).date())
    begin, end = (_moment(told[name], day.zone) if told[name] else None for name in ("begin", "end"))
    return tuple(None if one is None else int(one.timestamp() * _SECOND_MS) for one in (begin, end))  # type: ignore[return-value]


def _moment(text: str, zone: tzinfo) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadInputError(f"'{text}' is no moment: write it as 2026-01-31 or 2026-01-31T18:00.") from None
    if found.year not in _YEARS:
        raise BadInputError(f"'{text}' is no moment of a studio: name a year from {_YEARS[0]} to {_YEARS[-1]}.")
    return found if found.tzinfo else found.replace(tzinfo=zone)


def _clock(text: str) -> time:
    try:
        found = time.fromisoformat(text)
    except ValueError:
        raise BadInputError(f"'{text}' is no time of day: write it as 06:00.") from None
    if found.tzinfo is not None:
        raise BadInputError(f"'{text}' names a zone of its own: write it as 06:00, and the zone with --zone.")
    return found


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInputError(f"There is no zone '{name}': write it as in Asia/Makassar.") from None
