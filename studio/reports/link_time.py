"""The time of a link, counted: up, down, and not known."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.reports.standing import Stretch


@dataclass(slots=True)
class LinkTime:
    """A device's link: `up` is None while nobody can know, before its first word and after the program came up."""

    since_ms: int
    up: bool | None = None
    reason: str = ""
    up_ms: int = 0
    unknown_ms: int = 0
    outages: list[Stretch] = field(default_factory=list)
    still_down: bool = False

    def turn(self, up: bool | None, at_ms: int, reason: str = "") -> None:
        at_ms = max(at_ms, self.since_ms)
        length = at_ms - self.since_ms
        if self.up:
            self.up_ms += length
        elif self.up is None:
            self.unknown_ms += length
        elif up is False:
            return  # it was down already, and stays so
        else:
            self.outages.append(Stretch(self.since_ms, at_ms, self.reason))
        self.up, self.since_ms, self.reason = up, at_ms, reason

    def close(self, end_ms: int) -> None:
        self.still_down = self.up is False
        self.turn(None, end_ms)

    @property
    def down_ms(self) -> int:
        return sum(one.length_ms for one in self.outages)

    @property
    def share(self) -> float | None:
        """The part of the time that is known in which it was up."""
        known = self.up_ms + self.down_ms
        return self.up_ms / known if known else None

    @property
    def longest_ms(self) -> int | None:
        return max((one.length_ms for one in self.outages), default=None)
