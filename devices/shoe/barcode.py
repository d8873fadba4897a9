"""A shoe that scans bar-coded cards: its scans become observations.

An engine reads a card again as long as it sees it: equal reads, each within `repeat_ms` of the one before, are one
card. It is only heard: no commands, and no sign of life between cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from devices.driver import DriverTurn, HostCommand, Instant
from devices.link import LineSettings
from devices.order import refuse_every_command
from devices.shoe.barcode_codec import BarcodeDecoder, Frame, Scan, card_of
from devices.shoe.listener import ShoeListener
from studio.cards import Sealer
from studio.ports import Observation, ShoeCardUnread, ShoeDrewCard, UnreadableFrame

REPEAT_MS: Final = 500
REST_MS: Final = 500
"""The rest of a line that has not come by then never comes: a scan takes 6 ms at 9600."""


class BarcodeDriver:
    """Scans to observations."""

    def __init__(
        self, device: str, sealer: Sealer, *, settings: LineSettings | None = None, repeat_ms: int = REPEAT_MS
    ) -> None:
        self._device = device
        self._sealer = sealer
        self._settings = settings or LineSettings(baud=9600)
        self._repeat_ms = repeat_ms
        self._line = ShoeListener(BarcodeDecoder(), REST_MS)
        self._recent: dict[str, int] = {}
        """When each code was read last, for so long as it counts."""
        self._at_ms = 0

    @property
    def settings(self) -> LineSettings:
        return self._settings

    def turn(self, data: bytes, now: Instant) -> DriverTurn:
        self._at_ms = now.at_ms
        frames = self._line.hear(data, now)
        heard = any(isinstance(frame, Scan) for frame in frames)
        return DriverTurn([seen for frame in frames for seen in self._observe(frame, now.run_ms)], heard=heard)

    def reset(self, now: Instant) -> Sequence[Observation]:
        self._at_ms = now.at_ms
        self._recent.clear()
        return [seen for frame in self._line.lost() for seen in self._observe(frame, now.run_ms)]

    def check(self, command: HostCommand) -> None:
        refuse_every_command(self._device, command)

    def command(self, command: HostCommand) -> None:
        refuse_every_command(self._device, command)

    def _observe(self, frame: Frame, run_ms: int) -> Iterator[Observation]:
        if not isinstance(frame, Scan):
            yield UnreadableFrame(device=self._device, at_ms=self._at_ms, reason=frame.reason, count=frame.count)
        elif not self._again(frame.digits, run_ms):
            yield self._card(frame.digits)

    def _again(self, digits: str, run_ms: int) -> bool:
        """Whether the engine reads the same code still."""
        self._recent = {code: ms for code, ms in self._recent.items() if run_ms - ms < self._repeat_ms}
        again = digits in self._recent
        self._recent[digits] = run_ms
        return again

    def _card(self, digits: str) -> Observation:
        card = card_of(digits)
        if card is None:
            return ShoeCardUnread(device=self._device, at_ms=self._at_ms)
        return ShoeDrewCard(device=self._device, at_ms=self._at_ms, card=self._sealer.card(card))
