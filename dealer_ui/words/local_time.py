"""Times of the record as people of the studio read them: in the studio's own zone, which is named beside them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class LocalTime:
    """
    >>> LocalTime("Asia/Makassar").moment(0), LocalTime("UTC").clock(61_000)
    ('1970-01-01 08:00:00', '00:01:01')
    """

    name: str

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.name)

    def moment(self, at_ms: int) -> str:
        """Date and time to the second, the same in every language."""
        return self._at(at_ms).strftime("%Y-%m-%d %H:%M:%S")

    def minute(self, at_ms: int) -> str:
        """Date and time to the minute."""
        return self._at(at_ms).strftime("%Y-%m-%d %H:%M")

    def day(self, at_ms: int) -> str:
        return self._at(at_ms).strftime("%Y-%m-%d")

    def clock(self, at_ms: int) -> str:
        return self._at(at_ms).strftime("%H:%M:%S")

    def exact(self, at_ms: int) -> str:
        """The time of day to the millisecond."""
        return f"{self.clock(at_ms)}.{at_ms % 1000:03d}"

    def _at(self, at_ms: int) -> datetime:
        return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(self.zone)
