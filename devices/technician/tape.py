"""Writes down what a line carries as it comes, for as long as nobody's cards are on it: at a closed table only."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Final, Protocol

from devices.driver import LineTalk
from devices.technician.capture import CAPTURE_BYTES_MAX, Piece, head_of, read_capture, text_of
from devices.technician.playback import driver_for, observations
from devices.technician.telling import in_words
from studio.cards import Sealer
from studio.errors import BadInputError, RefusedError

FULL: Final = f"The recording holds {CAPTURE_BYTES_MAX} bytes and takes no more; end it and begin another."


REPLAYED_MAX: Final = 2_000
"""So many readings of a capture are told on a page."""


class Tape:
    """The recording of one line. `hides` says whether its table is open: then it ends, and is not handed out."""

    def __init__(self, device: str, driver: str, baud: int | None, hides: Callable[[], bool]) -> None:
        self._device = device
        self._driver = driver
        self._baud = baud
        self._hides = hides
        self._lock = threading.Lock()
        self._recorder: Recorder | None = None
        self._text = io.StringIO()

    @property
    def running(self) -> bool:
        return self._recorder is not None

    @property
    def bytes(self) -> int:
        return self._recorder.bytes if self._recorder is not None else 0

    def take(self, talk: LineTalk, *, masked: bool) -> None:
        """Keep what crossed the line, if a recording runs; what comes at an open table ends it."""
        with self._lock:
            if masked:
                self._recorder = None
            elif self._recorder is not None:
                self._recorder.take(talk)

    def start(self, now_ms: int) -> None:
        """Begin a recording, and forget the one before."""
        self.need_closed()
        with self._lock:
            self._text = io.StringIO()
            self._recorder = Recorder(self._text, self._driver, device=self._device, baud=self._baud, now_ms=now_ms)

    def stop(self) -> None:
        with self._lock:
            self._recorder = None

    def capture(self) -> str:
        """The recording as a capture file; empty when there is none."""
        self.need_closed()
        with self._lock:
            return self._text.getvalue()

    def replay(self, text: str, sealer: Sealer) -> list[tuple[int, str]]:
        """What a capture says through its driver: milliseconds since its beginning, and a line of words."""
        self.need_closed()
        try:
            capture = read_capture(text)
            driver = driver_for(capture, sealer)
        except BadInputError as error:
            raise RefusedError("capture_unreadable", str(error)) from None
        told: list[tuple[int, str]] = []
        for seen in observations(capture, driver):
            told.append((seen.at_ms - capture.started_ms, in_words(seen, faces=True)))
            if len(told) >= REPLAYED_MAX:
                break
        return told

    def need_closed(self) -> None:
        """`RefusedError` while the table is open."""
        if self._hides():
            sentence = "The table is open, and the bytes of its line may be a card's face: close the table first."
            raise RefusedError("line_of_open_table", sentence)


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
