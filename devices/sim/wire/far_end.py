"""Puts a simulated device's frames on the wire: in pace, and harmed as the faults say."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from devices.link import LineSettings
from devices.sim.wire.fault import FaultPanel
from devices.wire import Wire

SPLIT_MS: Final = 60
MERGE_MS: Final = 400
NOISE_BYTES_MAX: Final = 9


@dataclass(frozen=True, slots=True)
class Pacing:
    """How long the line takes: none at all without settings; `speed` divides every wait of the device."""

    line: LineSettings | None = None
    speed: float = 1.0

    def wait_ms(self, real_ms: float) -> float:
        return real_ms / self.speed

    def bytes_ms(self, count: int) -> float:
        return self.wait_ms(self.line.byte_ms * count) if self.line else 0.0


@dataclass(frozen=True, slots=True)
class _Outgoing:
    data: bytes
    wait_ms: float = 0.0


class FarEnd:
    """The machine's end of a wire. Pumped by whoever steps the machine."""

    def __init__(self, wire: Wire, faults: FaultPanel, rng: random.Random, pacing: Pacing | None = None) -> None:
        self.pacing = pacing or Pacing()
        self._wire = wire
        self._faults = faults
        self._rng = rng
        self._queue: deque[_Outgoing] = deque()
        self._free_ms = 0.0
        self._last_copy: _Outgoing | None = None
        """A report's last copy, held back to be swapped with the next report's first."""

    @property
    def idle(self) -> bool:
        return not self._queue

    def hear(self) -> bytes:
        return self._wire.machine_read()

    def send(self, frame: bytes, *, copies: int = 1, again: bool = False) -> None:
        """Put copies of one frame on the line; `again`: it was sent before, and its first copy is behind it."""
        swapped, self._last_copy = self._last_copy, None
        copies = 1 if "triple_send_off" in self._faults else copies + ("repeated_frame" in self._faults)
        items = self._harmed(frame, range(again, again + copies))
        if swapped is not None:
            items.insert(1, swapped)
        if "swapped_frame" in self._faults and len(items) > 1:
            self._last_copy = items.pop()
        self._queue += items

    def answer(self, data: bytes, *, wait_ms: float = 0.0) -> None:
        """Put an ACK or NAK on the line; nothing but the wrong speed harms it."""
        self._queue.append(_Outgoing(data, self.pacing.wait_ms(wait_ms)))

    def pump(self, now_ms: int) -> None:
        """Let go of what the line has carried by now."""
        if not self._queue and self._last_copy is None:
            self._free_ms = now_ms
        while self._queue:
            item = self._queue[0]
            done_ms = self._free_ms + item.wait_ms + self.pacing.bytes_ms(len(item.data))
            if done_ms > now_ms:
                return
            self._free_ms = done_ms
            self._queue.popleft()
            self._wire.machine_write(self._at_baud(item.data))
        self._release_last(now_ms)

    def _release_last(self, now_ms: int) -> None:
        held = self._last_copy
        if held is not None and now_ms >= self._free_ms + self.pacing.wait_ms(MERGE_MS):
            self._last_copy = None
            self._wire.machine_write(self._at_baud(held.data))

    def _harmed(self, frame: bytes, copies: range) -> list[_Outgoing]:
        items: list[_Outgoing] = []
        for copy in copies:
            if copy == 0 and "lost_frame" in self._faults:
                continue
            data = _wrong_bcc(frame) if copy == 0 and "wrong_bcc" in self._faults else frame
            if "damaged_byte" in self._faults:
                data = self._damaged(data)
            if "noise" in self._faults:
                data = self._rng.randbytes(self._rng.randint(1, NOISE_BYTES_MAX)) + data
            items += self._split(data) if "split_frame" in self._faults else [_Outgoing(data)]
        if items and "merged_frame" in self._faults:
            items[0] = replace(items[0], wait_ms=self.pacing.wait_ms(MERGE_MS))
        return items

    def _damaged(self, data: bytes) -> bytes:
        at = self._rng.randrange(len(data))
        return data[:at] + bytes((data[at] ^ self._rng.randint(1, 255),)) + data[at + 1 :]

    def _split(self, data: bytes) -> Sequence[_Outgoing]:
        at = self._rng.randint(1, len(data) - 1)
        return _Outgoing(data[:at]), _Outgoing(data[at:], self.pacing.wait_ms(SPLIT_MS))

    def _at_baud(self, data: bytes) -> bytes:
        """At another speed each byte is sampled at the wrong moments: never the byte that was sent."""
        if "wrong_baud" not in self._faults:
            return data
        return bytes(byte ^ self._rng.randint(1, 255) for byte in data)


def _wrong_bcc(frame: bytes) -> bytes:
    """The same frame with its last digit changed to another hex digit."""
    return frame[:-1] + (b"0" if frame[-1:] != b"0" else b"1")
