"""Plays a recorded line again: through a driver at once, or as a link, at its own pace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from devices.catalogue import DriverSpec, build_driver
from devices.driver import Driver, Instant
from devices.link import READ_TIMEOUT_S, LineSettings, Link, LinkLostError, open_link
from devices.technician.capture import Capture, Piece, load_capture
from studio.cards import Sealer
from studio.errors import BadInputError
from studio.ports import Observation

SCHEME: Final = "capture://"
_QUIET_MS: Final = 20
_IDLE_MS: Final = 1_000
"""In a long silence the driver gets a turn so often: it may be due to say something."""
_IDLE_TURNS_MAX: Final = 3_600


def driver_for(capture: Capture, sealer: Sealer, name: str = "") -> Driver:
    """The driver a capture names, or the one that is wanted; `BadInputError` when there is none such."""
    driver = name or capture.protocol
    return build_driver(driver, DriverSpec(capture.device or driver, sealer, capture.baud))


def observations(capture: Capture, driver: Driver) -> Iterator[Observation]:
    """What the driver makes of the line, as fast as it can; the moments are those of the recording."""
    now_ms = 0
    for piece in capture.pieces:
        if piece.sent:
            continue
        for idle_ms in _silence(now_ms, piece.at_ms):
            yield from driver.turn(b"", _instant(capture, idle_ms)).observations
        now_ms = max(now_ms, piece.at_ms)
        yield from driver.turn(piece.data, _instant(capture, now_ms)).observations
    yield from driver.turn(b"", _instant(capture, now_ms + _QUIET_MS)).observations
    yield from driver.reset(_instant(capture, now_ms + _QUIET_MS))


def _silence(from_ms: int, to_ms: int) -> Iterator[int]:
    """When the driver gets a turn without bytes."""
    if to_ms - from_ms > _QUIET_MS:
        yield from_ms + _QUIET_MS
        yield from range(from_ms + _IDLE_MS, to_ms, _IDLE_MS)[:_IDLE_TURNS_MAX]


def _instant(capture: Capture, run_ms: int) -> Instant:
    return Instant(at_ms=capture.started_ms + run_ms, run_ms=run_ms)


class CaptureLink:
    """A link that says what was recorded, when it was recorded; at its end the line is lost.

    `monotonic` None: one piece a read, however fast it is read.
    """

    def __init__(self, url: str, capture: Capture, monotonic: Callable[[], float] | None = None) -> None:
        self._url = url
        self._waiting: list[Piece] = [piece for piece in reversed(capture.pieces) if not piece.sent]
        self._monotonic = monotonic
        self._began_s = monotonic() if monotonic else 0.0
        self._closed = threading.Event()

    def wait(self, most_s: float) -> None:
        self._closed.wait(min(most_s, READ_TIMEOUT_S))

    def wake(self) -> None:
        """A recording is never waited for longer than for a read."""

    def read(self, max_bytes: int) -> bytes:
        if not self._waiting:
            raise LinkLostError(f"The recording {self._url} is at its end; play it again, or look at the device.")
        piece = self._waiting[-1]
        if self._monotonic is not None:
            early_s = piece.at_ms / 1000 - (self._monotonic() - self._began_s)
            if early_s > 0 and not self._closed.wait(min(early_s, READ_TIMEOUT_S)):
                return b""
        self._waiting.pop()
        if len(piece.data) > max_bytes:
            self._waiting.append(Piece(piece.at_ms, piece.data[max_bytes:]))
        return piece.data[:max_bytes]

    def write(self, data: bytes) -> None:
        """A recording hears nothing."""

    def close(self) -> None:
        self._closed.set()
        self._waiting.clear()


def open_line(url: str, settings: LineSettings) -> Link:
    """`open_link`, and `capture://FILE` beside it: a recorded line at the pace it was recorded."""
    if not url.startswith(SCHEME):
        return open_link(url, settings)
    try:
        capture = load_capture(Path(url.removeprefix(SCHEME)))
    except BadInputError as error:
        raise LinkLostError(str(error)) from None
    return CaptureLink(url, capture, time.monotonic)
