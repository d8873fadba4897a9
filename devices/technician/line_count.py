"""Counts of what a line carried: bytes, whole frames, damaged ones, cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from studio.diagnosis import LineCounts
from studio.ports import (
    CommandAnswered,
    DeckVerified,
    LineBytes,
    LinkDown,
    LinkUp,
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShufflerAlarm,
    ShufflerHello,
    ShufflerState,
    UnreadableFrame,
)

_OF_THE_LINK = (LinkUp, LinkDown, LineBytes, CommandAnswered)
_OF_A_MACHINE = (ShufflerHello, ShufflerState, ShufflerAlarm, DeckVerified)


@dataclass(slots=True)
class LineTally:
    """Counts of one line since it was first opened. `unread` are cards that came unread."""

    bytes: int = 0
    frames: int = 0
    damaged: int = 0
    cards: int = 0
    unread: int = 0
    states: int = 0
    connects: int = 0
    up: bool = False
    reason: str = ""
    plug: str = ""
    up_at_ms: int = 0
    before: LineCounts = field(default_factory=LineCounts)
    """What had come before the link was opened last."""
    identity: dict[str, str] = field(default_factory=dict)

    def take(self, seen: Sequence[Observation]) -> None:
        """Count what the driver made of the bytes, and what the link did."""
        for one in seen:
            match one:
                case LinkUp():
                    self.up, self.reason, self.up_at_ms, self.plug = True, "", one.at_ms, one.plug
                    self.connects += 1
                    self.before = LineCounts(bytes=self.bytes, frames=self.frames, damaged=self.damaged)
                case LinkDown(reason=reason):
                    self.up, self.reason = False, reason
                case UnreadableFrame():
                    self.damaged += 1
                case _ if not isinstance(one, _OF_THE_LINK):
                    self._report(one)

    def _report(self, one: Observation) -> None:
        self.frames += 1
        self.cards += isinstance(one, ShoeDrewCard)
        self.unread += isinstance(one, ShoeCardUnread)
        self.states += isinstance(one, _OF_A_MACHINE)
        if isinstance(one, ShufflerHello):
            self.identity = {"model": one.model, "serial": one.serial, "firmware": one.firmware}

    def counts(self, role: str, now_ms: int) -> LineCounts:
        """All that came."""
        return LineCounts(
            up=self.up,
            reason=self.reason,
            open_ms=now_ms - self.up_at_ms if self.up else 0,
            bytes=self.bytes,
            frames=self.frames,
            damaged=self.damaged,
            reports=self.states if role == "shuffler" else self.cards,
            unread=self.unread,
        )

    def standing(self, role: str, now_ms: int) -> LineCounts:
        """What the ladder asks for: of bytes and frames those since the link was opened, once there are any. What hangs
        on the line now may be another device than before, or speak at another speed.
        """
        counts, before = self.counts(role, now_ms), self.before
        if counts.bytes == before.bytes:
            return counts
        return replace(
            counts,
            bytes=counts.bytes - before.bytes,
            frames=counts.frames - before.frames,
            damaged=counts.damaged - before.damaged,
        )
