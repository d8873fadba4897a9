"""The only place where pictures come from: streams, capture devices, films, folders, and `sim://` callables.

A source that is missing, stops or comes back is a value (`Gone`), never an exception. Streams and capture
devices are drained by a thread of their own, which alone owns the capture, so that a slow reader sees the
newest frame and a hung camera holds nobody up. Wherever a frame comes from: `(height, width, 3) uint8`, BGR.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what FFmpeg has to say comes as `Gone`

import cv2
import numpy as np

from devices.camera.rectify import Pixels

cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)  # a camera that is not there is no warning

_OPEN_MS: Final = 3_000
_READ_MS: Final = 2_000
_REOPEN_S: Final = (0.25, 0.5, 1.0, 2.0)
_PICTURES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".webp")

Feed = Callable[[int], Pixels]
"""A simulated camera: what it sees at `now_ms`."""


@dataclass(frozen=True, slots=True)
class Gone:
    """The source gives no picture; `reason` is a full sentence for the technician."""

    reason: str


class FrameSource(Protocol):
    """Where a watcher gets its frames; used by one thread."""

    @property
    def url(self) -> str: ...

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        """The newest frame not given before, None when there is none yet, or why there is none at all."""
        ...

    def close(self) -> None: ...


def open_source(url: str, feeds: Mapping[str, Feed] | None = None) -> FrameSource:
    """The source for `http://…`, `rtsp://…`, `/dev/video0`, `0`, a film, a folder of pictures, or `sim://name`.

    Never raises: what cannot be opened says so at the first `grab`.
    """
    if url.startswith("sim://"):
        return FeedSource(url, (feeds or {}).get(url.removeprefix("sim://")))
    if "://" in url or url.isdigit() or url.startswith("/dev/"):
        return StreamSource(url)
    if Path(url).is_dir():
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


class FolderSource:
    """The pictures of a folder, by name, one a grab; afterwards nothing more."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._files = sorted(file for file in Path(url).iterdir() if file.suffix.lower() in _PICTURES)
        self._next = 0

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        if not self._files:
            return Gone(f"The folder {self.url} holds no picture; put JPEG or PNG files into it.")
        while self._next < len(self._files):
            picture = cv2.imread(str(self._files[self._next]), cv2.IMREAD_COLOR)
            self._next += 1
            if picture is not None:
                return np.asarray(picture, dtype=np.uint8)
        return None

    def close(self) -> None:
        self._next = len(self._files)


class FilmSource:
    """A video file, one frame a grab; its end is `Gone`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG) if Path(url).is_file() else None

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        if self._capture is None:
            return Gone(f"There is no camera, film or folder {self.url}; check the camera's URL in the configuration.")
        if not self._capture.isOpened():
            return Gone(f"The file {self.url} cannot be read as a film; give an MP4, AVI or MKV file.")
        read, frame = self._capture.read()
        return np.asarray(frame, dtype=np.uint8) if read else Gone(f"The film {self.url} is at its end.")

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()


class StreamSource:
    """A network stream or a capture device, kept open by a thread that reopens it with growing pauses."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._lock = threading.Lock()
        self._newest: Pixels | Gone | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {url}", daemon=True)
        self._thread.start()

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        with self._lock:
            newest, self._newest = self._newest, None
            return newest

    def close(self) -> None:
        self._closed.set()
        self._thread.join(timeout=(_OPEN_MS + _READ_MS) / 1000)

    def _run(self) -> None:
        failures = 0
        while not self._closed.is_set():
            capture = self._open()
            if capture.isOpened():
                failures = 0
                self._drain(capture)
            capture.release()
            self._put(Gone(f"The camera at {self.url} gives no picture; check its cable, its power and its address."))
            self._closed.wait(_REOPEN_S[min(failures, len(_REOPEN_S) - 1)])
            failures += 1

    def _open(self) -> cv2.VideoCapture:
        if "://" not in self.url:
            device = self.url.removeprefix("/dev/video")
            return cv2.VideoCapture(int(device), cv2.CAP_V4L2) if device.isdigit() else cv2.VideoCapture()
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS]
        return cv2.VideoCapture(self.url, cv2.CAP_FFMPEG, limits)

    def _drain(self, capture: cv2.VideoCapture) -> None:
        while not self._closed.is_set():
            read, frame = capture.read()
            if not read:
                return
            self._put(np.asarray(frame, dtype=np.uint8))

    def _put(self, newest: Pixels | Gone) -> None:
        with self._lock:
            self._newest = newest
