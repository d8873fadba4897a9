"""A device's side of the generic profile's line: one frame under way, again, and given up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from devices.frame import Broken
from devices.shuffler.generic_codec import (
    ACK_BYTES,
    NAK_BYTES,
    SEQ_COUNT,
    Accepted,
    GenericDecoder,
    GenericRecord,
    Refused,
    encode,
)
from devices.shuffler.generic_order import RETRIES, RETRY_MS, WORDS
from devices.sim.wire.far_end import FarEnd
from devices.sim.wire.fault import FaultPanel

HEARTBEAT_MS: Final = 2000
SLOW_ACK_MS: Final = 1500
QUEUE_MAX: Final = 64


@dataclass(slots=True)
class _Sending:
    frame: bytes
    tries: int = 0
    due_ms: float = 0.0


class GenericStation:
    """Speaks for one device. `obey` takes a command's data when it was accepted; `catch_up` is called when the host
    understands again after frames that were given up.
    """

    def __init__(
        self,
        dev: str,
        far_end: FarEnd,
        faults: FaultPanel,
        *,
        obey: Callable[[str], None],
        catch_up: Callable[[], None],
    ) -> None:
        self._dev = dev
        self._far_end = far_end
        self._faults = faults
        self._obey = obey
        self._catch_up = catch_up
        self._ears = GenericDecoder()
        self._seq = 0
        self._queue: deque[_Sending] = deque()
        self._gave_up = False
        self._last_order = b""
        self._beat_at_ms = 0

    @property
    def idle(self) -> bool:
        return not self._queue and self._far_end.idle

    def tell(self, kind: str, data: str = "") -> None:
        """Queue a record. More than 64 that nobody acknowledges are not kept."""
        frame = encode(self._dev, self._seq, kind, data)
        self._seq = (self._seq + 1) % SEQ_COUNT
        if len(self._queue) < QUEUE_MAX:
            self._queue.append(_Sending(frame))

    def go_dead(self) -> None:
        """No power: nothing is heard, and what was to be said is forgotten."""
        self._far_end.hear()
        self._queue.clear()
        self._last_order = b""

    def hear(self) -> None:
        """Take what the host sent: answers to our records, and its commands."""
        for frame in self._ears.feed(self._far_end.hear()):
            match frame:
                case Accepted():
                    self._acknowledged()
                case Refused() if self._queue:
                    self._queue[0].due_ms = 0
                case GenericRecord(kind="C"):
                    self._answer(frame)
                case Broken(reason=reason) if reason != "noise":
                    self._far_end.answer(NAK_BYTES)

    def speak(self, now_ms: int) -> None:
        """Send what is due, a heartbeat when nothing else was said, and let out what the line carries by now."""
        if now_ms >= self._beat_at_ms and not self._queue:
            self.tell("B")
        self._transmit(now_ms)
        self._far_end.pump(now_ms)

    def _transmit(self, now_ms: int) -> None:
        while self._queue and now_ms >= self._queue[0].due_ms:
            sending = self._queue[0]
            if sending.tries > RETRIES:
                self._queue.popleft()
                self._gave_up = True
                continue
            sending.tries += 1
            sending.due_ms = now_ms + RETRY_MS
            self._beat_at_ms = now_ms + HEARTBEAT_MS
            self._far_end.send(sending.frame, again=sending.tries > 1)

    def _acknowledged(self) -> None:
        if not self._queue or not self._queue[0].tries:
            return
        self._queue.popleft()
        if self._gave_up:
            self._gave_up = False
            self._catch_up()

    def _answer(self, order: GenericRecord) -> None:
        """Take it, or refuse it; one that was sent again is taken again and obeyed once."""
        if "nak_busy" in self._faults or order.data not in WORDS.values():
            self._far_end.answer(NAK_BYTES)
            return
        self._far_end.answer(ACK_BYTES, wait_ms=SLOW_ACK_MS if "slow_ack" in self._faults else 0.0)
        if order.raw != self._last_order:
            self._last_order = order.raw
            self._obey(order.data)
