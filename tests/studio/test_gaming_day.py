"""A gaming day is the same however it is asked for: by a moment in it, or by its span; also when clocks are changed."""

from __future__ import annotations

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from studio.reports import GamingDay

HOUR_MS = 3_600_000
TEN_MINUTES_MS = 600_000


@pytest.mark.parametrize(
    ("zone", "around"),
    [
        ("Europe/Berlin", datetime(2026, 3, 29, 1, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2026, 10, 25, 1, tzinfo=UTC)),
        ("Africa/Cairo", datetime(2026, 4, 23, 22, tzinfo=UTC)),
        ("Africa/Cairo", datetime(2026, 10, 29, 21, tzinfo=UTC)),
        ("America/Havana", datetime(2026, 11, 1, 5, tzinfo=UTC)),
    ],
)
@pytest.mark.parametrize("begins", ["00:00", "00:30", "01:30", "02:00", "02:30", "03:00", "06:00", "23:30"])
def test_every_moment_is_in_the_span_of_its_own_day_and_no_other(zone: str, around: datetime, begins: str) -> None:
    day, middle = GamingDay(time.fromisoformat(begins), ZoneInfo(zone)), int(around.timestamp()) * 1_000
    for at_ms in range(middle - 30 * HOUR_MS, middle + 30 * HOUR_MS, TEN_MINUTES_MS):
        begin_ms, end_ms = day.span_ms(day.of_ms(at_ms))
        assert begin_ms <= at_ms < end_ms, datetime.fromtimestamp(at_ms / 1_000, UTC)
