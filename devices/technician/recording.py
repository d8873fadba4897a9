"""Writes down what a line carries as it comes, for as long as nobody's cards are on it."""

from __future__ import annotations

from typing import Final, Protocol

from devices.driver import LineTalk
from devices.technician.capture import CAPTURE_BYTES_MAX, Piece, head_of, text_of

FULL: Final = f"The recording holds {CAPTURE_BYTES_MAX} bytes and takes no more; end it and begin another."


class Sink(Protocol):
    """Where the text goes: a file, or memory."""

    def write(self, text: str, /) -> object: ...


class Recorder:
    """Writes the talk of one line as a capture; `CAPTURE_BYTES_MAX` bytes at most. One thread feeds it."""

    def __init__(self, sink: Sink, protocol: str, *, device: str, baud: int | None, now_ms: int) -> None:
        self._sink = sink
        self._began_ms = now_ms
        self.bytes = 0
        sink.write(head_of(protocol, device=device, baud=baud, started_ms=now_ms))

    @property
    def full(self) -> bool:
        return self.bytes >= CAPTURE_BYTES_MAX

    def take(self, talk: LineTalk) -> None:
        """Write what crossed the line; what came before the beginning counts as its first moment."""
        data = talk.data[: CAPTURE_BYTES_MAX - self.bytes]
        if data:
            self.bytes += len(data)
            at_ms = max(0, talk.at_ms - self._began_ms)
            self._sink.write(text_of(Piece(at_ms, data, sent=talk.direction == "out")))
