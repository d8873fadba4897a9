"""The bytes of one line on their way to the record: sealed before what is decoded from them, or only counted.

Frames that say nothing new, heartbeats, are counted; everything else is sealed as it came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from devices.driver import DriverTurn, Instant
from studio.cards import Sealer
from studio.ports import LineBytes, LineIdled, Observation

RAW_BYTES_MAX: Final = 255
"""One sealed piece; see `Sealer.raw`."""
HELD_MS: Final = 1000
"""A frame that is not whole by then is sealed as far as it came."""
IDLE_MS: Final = 60_000
IDLE_MS_MAX: Final = 3_600_000
"""How long frames that say nothing new are counted for one row, and how long at most."""


class RawRecord:
    """The bytes of one line, gathered and sealed before what is decoded from them is told."""

    def __init__(self, device: str, sealer: Sealer) -> None:
        self._device = device
        self._sealer = sealer
        self._raw = bytearray()
        self._heard_ms = 0
        self._idle = _IdleCount(device)

    def keep(self, data: bytes, now: Instant, turn: DriverTurn) -> Sequence[Observation]:
        """Gather slow bytes into few records: told before an observation, when the line is quiet, or when many."""
        if not (data or self._raw or turn.observations or turn.idle):
            return self._idle.due(now, news=False)
        self._raw += data
        if data:
            self._heard_ms = now.run_ms
        for frame in turn.idle:
            self._leave_out(frame)
            self._idle.take(frame, now)
        told: Sequence[Observation] = ()
        if turn.observations or not data or len(self._raw) >= RAW_BYTES_MAX:
            told = self._seal(now.at_ms, held=turn.held if now.run_ms - self._heard_ms < HELD_MS else 0)
        return [*self._idle.due(now, news=bool(told or turn.observations)), *told]

    def flush(self, at_ms: int) -> Sequence[Observation]:
        """All that is left, where the line is lost."""
        return [*self._idle.tell(at_ms), *self._seal(at_ms)]

    def _seal(self, at_ms: int, held: int = 0) -> Sequence[Observation]:
        """What was gathered, but for the last bytes of a frame under way."""
        end = max(0, len(self._raw) - held)
        data = bytes(self._raw[:end])
        del self._raw[:end]
        pieces = [data[at : at + RAW_BYTES_MAX] for at in range(0, len(data), RAW_BYTES_MAX)]
        return [
            LineBytes(device=self._device, at_ms=at_ms, sealed=sealed, count=len(piece))
            for piece in pieces
            for sealed in self._sealer.raw(piece)
        ]

    def _leave_out(self, frame: bytes) -> None:
        """Take a whole frame out of what was gathered; of one that was sealed in part, the rest."""
        for begin in range(len(frame)):
            rest = frame[begin:]
            at = self._raw.find(rest) if begin == 0 else 0 if self._raw.startswith(rest) else -1
            if at >= 0:
                del self._raw[at : at + len(rest)]
                return


class _IdleCount:
    """Frames of one line that said nothing new, since the last row about them.

    The first row comes after a minute; as long as nothing new is heard each next one takes twice as long.
    """

    def __init__(self, device: str) -> None:
        self._device = device
        self._frames = 0
        self._bytes = 0
        self._from = Instant(0, 0)
        self._to_ms = 0
        self._spacing_ms = IDLE_MS

    def take(self, frame: bytes, now: Instant) -> None:
        if not self._frames:
            self._from = now
        self._frames += 1
        self._bytes += len(frame)
        self._to_ms = now.at_ms

    def due(self, now: Instant, *, news: bool) -> Sequence[Observation]:
        """The row about them when its time has come; something new ends a long wait."""
        if news:
            self._spacing_ms = IDLE_MS
        if not self._frames or now.run_ms - self._from.run_ms < self._spacing_ms:
            return ()
        if not news:
            self._spacing_ms = min(self._spacing_ms * 2, IDLE_MS_MAX)
        return self.tell(now.at_ms)

    def tell(self, at_ms: int) -> Sequence[Observation]:
        if not self._frames:
            return ()
        told = LineIdled(
            device=self._device,
            at_ms=at_ms,
            frames=self._frames,
            count=self._bytes,
            from_ms=self._from.at_ms,
            to_ms=self._to_ms,
        )
        self._frames = self._bytes = 0
        return (told,)
