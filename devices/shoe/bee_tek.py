"""The Bee-Tek shoe: its messages become observations.

The shoe is only heard: it takes no commands, and gives no sign of life between cards. Its alarms and warnings are
said once and never taken back, so each is told as raised and cleared in one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from devices.driver import DriverTurn, HostCommand, Instant
from devices.link import LineSettings
from devices.order import refuse_every_command
from devices.shoe.bee_tek_codec import BeeTekDecoder, BeeTekMessage, Frame, alarm_of, card_of
from devices.shoe.listener import ShoeListener
from studio.cards import Sealer
from studio.ports import (
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShoeErrorCleared,
    ShoeErrorRaised,
    UnreadableFrame,
)

REST_MS: Final = 2000
"""The rest of a message that has not come by then never comes: the maker's read time-out."""


class BeeTekDriver:
    """Messages to observations."""

    def __init__(self, device: str, sealer: Sealer, *, settings: LineSettings | None = None) -> None:
        self._device = device
        self._sealer = sealer
        self._settings = settings or LineSettings(baud=9600)
        self._line = ShoeListener(BeeTekDecoder(), REST_MS)
        self._at_ms = 0

    @property
    def settings(self) -> LineSettings:
        return self._settings

    def turn(self, data: bytes, now: Instant) -> DriverTurn:
        self._at_ms = now.at_ms
        frames = self._line.hear(data, now)
        heard = any(isinstance(frame, BeeTekMessage) for frame in frames)
        return DriverTurn([seen for frame in frames for seen in self._observe(frame)], heard=heard)

    def reset(self, now: Instant) -> Sequence[Observation]:
        self._at_ms = now.at_ms
        return [seen for frame in self._line.lost() for seen in self._observe(frame)]

    def check(self, command: HostCommand) -> None:
        refuse_every_command(self._device, command)

    def command(self, command: HostCommand) -> None:
        refuse_every_command(self._device, command)

    def _observe(self, frame: Frame) -> Iterator[Observation]:
        if not isinstance(frame, BeeTekMessage):
            yield UnreadableFrame(device=self._device, at_ms=self._at_ms, reason=frame.reason, count=frame.count)
        elif frame.card is not None:
            yield self._card(frame.mode, frame.card)
        elif frame.body.startswith("Alarm:"):
            yield from self._said_once(*alarm_of(frame.body.removeprefix("Alarm:")))
        elif frame.body.startswith("W0x"):
            yield from self._said_once(int(frame.body[3:], 16), "warning")
        else:
            yield ShoeCardUnread(device=self._device, at_ms=self._at_ms, label=frame.mode)

    def _card(self, mode: str, text: str) -> Observation:
        card = card_of(text)
        if card is None:
            return ShoeCardUnread(device=self._device, at_ms=self._at_ms, label=mode)
        return ShoeDrewCard(device=self._device, at_ms=self._at_ms, card=self._sealer.card(card), label=mode)

    def _said_once(self, code: int, error: str) -> Iterator[Observation]:
        yield ShoeErrorRaised(device=self._device, at_ms=self._at_ms, code=code, error=error)
        yield ShoeErrorCleared(device=self._device, at_ms=self._at_ms, code=code, error=error)
