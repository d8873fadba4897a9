"""Live pictures: streams, capture devices and `sim://` callables, and what an address means. What lies in files is read
by `recording`.

A source that is missing, stops or comes back is a value (`Gone`), never an exception. Streams and capture
devices are drained by a thread of their own, which alone owns the capture, so that a slow reader sees the
newest frame and a hung camera holds nobody up. Wherever a frame comes from, unpacked it is `(height, width, 3) uint8`,
BGR.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what FFmpeg has to say comes as `Gone`

import cv2
import numpy as np

from devices.camera.pace.load import Flow
from devices.camera.picture.frame import FrameSource, Gone, PackedPicture, ShownFrame
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.source.mjpeg import BrokenStreamError, NoStreamError, PictureStream
from devices.camera.source.recording import FilmSource, FolderSource
from devices.camera.source.stamp import Stamps
from studio.device_address import without_password
from studio.errors import BadInputError

__all__ = ["Feed", "FeedSource", "FrameSource", "Gone", "StreamSource", "open_source"]

cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)  # a camera that is not there is no warning

_NO_PICTURE: Final = "The camera at {} gives no picture; check its cable, its power and its address."
_NO_STREAM: Final = (
    "The camera at {} answers, and serves no stream of pictures there; correct its address, or set it to send MJPEG "
    "or RTSP."
)
_DENIED: Final = (
    "The camera at {} does not let the studio in; correct the user and the password in the file or variable that its "
    "`secret` names."
)
_OPEN_MS: Final = 3_000
_READ_MS: Final = 2_000
_PAUSE_MS: Final = 4_000
"""So long an open stream may pause: a busy machine is no pulled cable, and of silence the watcher tells before."""
_STALE_MS: Final = 2_000
_REOPEN_S: Final = (0.25, 0.5, 1.0, 2.0)

Feed = Callable[[int], Pixels]
"""A simulated camera: what it sees at `now_ms`."""


def open_source(url: str, feeds: Mapping[str, Feed] | None = None) -> FrameSource:
    """The source for `http://…`, `https://…#ca=FILE`, `rtsp://…`, `/dev/video0`, `0`, a film, a folder of pictures, or `sim://name`.

    Never raises: what cannot be opened says so at the first `grab`.
    """
    if url.startswith("sim://"):
        return FeedSource(url, (feeds or {}).get(url.removeprefix("sim://")))
    in_memory = url.startswith("/dev/shm/")  # noqa: S108 - files, among the devices
    if "://" in url or url.isdigit() or (url.startswith("/dev/") and not in_memory):
        return StreamSource(url)
    if Path(url).is_dir() or url.endswith("/"):
        return FolderSource(url)
    return FilmSource(url)


class FeedSource:
    """An in-process camera: every grab is a fresh frame."""

    def __init__(self, url: str, feed: Feed | None) -> None:
        self.url = url
        self._feed = feed

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        if self._feed is None:
            return Gone(f"There is no simulated camera {self.url}; start the simulated felt first.")
        return self._feed(now_ms)

    def close(self) -> None:
        self._feed = None


class StreamSource:
    """A network stream or a capture device, kept open by a thread that reopens it with growing pauses.

    Only the newest picture is kept; pictures of an MJPEG stream are given as they came, packed.
    `url` is the address as it may be told, without its password.
    """

    def __init__(self, url: str, clock_s: Callable[[], float] = time.monotonic) -> None:
        self.url, self._address = without_password(url), url
        self._clock_s = clock_s
        self._changed = threading.Condition()
        self._newest: bytes | Pixels | Gone | None = None
        self._came_s = self._taken_s = 0.0
        self._dated = True
        self._shown: ShownFrame | None = None
        self._flow = Flow()
        self._reel: _Reel | None = None
        self._why = ""
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {self.url}", daemon=True)
        self._thread.start()

    @property
    def flow(self) -> Flow:
        return self._flow

    def wait(self, timeout_s: float) -> bool:
        """Wait for something to grab, at most so long; False when there is nothing."""
        with self._changed:
            return self._changed.wait_for(lambda: self._newest is not None, timeout_s)

    def grab(self, now_ms: int) -> Pixels | PackedPicture | Gone | None:
        with self._changed:
            newest, self._newest = self._newest, None
            now_s = self._clock_s()
            if newest is not None and not isinstance(newest, Gone):
                if (
                    now_s - self._came_s
                ) * 1000 > _STALE_MS:  # it lay here while nobody looked: the felt may be another by now
                    self._flow = replace(self._flow, skipped=self._flow.skipped + 1)
                    return None
                self._flow = replace(self._flow, age_ms=(now_s - self._taken_s) * 1000, dated=self._dated)
        return PackedPicture(newest) if isinstance(newest, bytes) else newest

    def newest(self) -> ShownFrame | None:
        """The frame that came last, whether a watcher has taken it or not; None while none comes."""
        return self._shown

    def close(self) -> None:
        self._closed.set()
        reel = self._reel
        if isinstance(reel, PictureStream):
            reel.stop()
        self._thread.join(timeout=(_OPEN_MS + _READ_MS) / 1000)

    def _run(self) -> None:
        failures = 0
        while not self._closed.is_set():
            self._reel = self._open()
            if self._reel is not None:
                failures = 0 if self._drain(self._reel) else failures
                self._reel.close()
            self._put(Gone(self._why or _NO_PICTURE.format(self.url)), self._clock_s(), True)
            self._closed.wait(_REOPEN_S[min(failures, len(_REOPEN_S) - 1)])
            failures += 1

    def _open(self) -> _Reel | None:
        """An MJPEG stream as it is; anything else, and what asks for more than a password, through FFmpeg: that checks
        nobody by TLS, so never what is to be checked.
        """
        self._why = ""
        by_tls = self._address.startswith("https://")
        if not by_tls and not self._address.startswith("http://"):
            return _Capture.opened(self._address, self._clock_s)
        try:
            return PictureStream(self._address, open_s=_OPEN_MS / 1000, read_s=_PAUSE_MS / 1000, clock_s=self._clock_s)
        except BadInputError as error:
            self._why = f"The camera at {self.url} is not looked through. {error.sentence}"
            return None
        except NoStreamError as error:
            opened = None if by_tls else _Capture.opened(self._address, self._clock_s)
            if opened is None:  # what FFmpeg has opened and loses later was there
                self._why = (_DENIED if error.denied else _NO_STREAM).format(self.url)
            return opened
        except (OSError, ValueError):  # nobody answers, or the address is none
            return None

    def _drain(self, reel: _Reel) -> int:
        """Take what comes until nothing does; how many pictures came."""
        came = 0
        while not self._closed.is_set():
            try:
                self._put(reel.read(), reel.taken_s, reel.dated)
            except (OSError, ValueError, BrokenStreamError, cv2.error):
                break
            came += 1
        return came

    def _put(self, newest: bytes | Pixels | Gone, taken_s: float, dated: bool) -> None:
        with self._changed:
            self._shown = None
            if not isinstance(newest, Gone):
                frame = PackedPicture(newest) if isinstance(newest, bytes) else newest
                self._shown = ShownFrame(frame, taken_s)
                unseen = self._newest is not None and not isinstance(self._newest, Gone)
                self._flow = replace(self._flow, taken=self._flow.taken + 1, skipped=self._flow.skipped + unseen)
            self._newest, self._came_s, self._taken_s, self._dated = newest, self._clock_s(), taken_s, dated
            self._changed.notify_all()


class _Reel(Protocol):
    """An open stream; `read` gives the next picture, and raises `BrokenStreamError` or `OSError` at its end.

    That picture was taken at `taken_s` or later, but for what camera and network take to send it. Where it is not
    `dated` that rests on no more than on what a buffer holds.
    """

    @property
    def dated(self) -> bool: ...

    @property
    def taken_s(self) -> float: ...

    def read(self) -> bytes | Pixels: ...

    def close(self) -> None: ...


class _Capture:
    """Whatever OpenCV opens, decoded by it."""

    def __init__(self, url: str, clock_s: Callable[[], float]) -> None:
        self._clock_s, self._stamps = clock_s, Stamps(clock_s())
        self._capture = _capture(url)

    @classmethod
    def opened(cls, url: str, clock_s: Callable[[], float]) -> _Capture | None:
        capture = cls(url, clock_s)
        if capture._capture.isOpened():
            return capture
        capture.close()
        return None

    def read(self) -> Pixels:
        read, frame = self._capture.read()
        if not read:
            raise BrokenStreamError("the stream is at its end")
        self._stamps.came(self._clock_s(), self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000)
        return np.asarray(frame, dtype=np.uint8)

    @property
    def taken_s(self) -> float:
        return self._stamps.taken_s

    @property
    def dated(self) -> bool:
        return self._stamps.dated

    def close(self) -> None:
        self._capture.release()


def _capture(url: str) -> cv2.VideoCapture:
    if "://" not in url:
        device = url.removeprefix("/dev/video")
        return cv2.VideoCapture(int(device) if device.isdigit() else url, cv2.CAP_V4L2)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS]
    return cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
