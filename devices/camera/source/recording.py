"""Pictures that lie in files: a film played at its own pace, and a folder of pictures.

Neither is ever waited for: what is not there is looked for again after a growing pause, by the clock of whoever grabs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from devices.camera.pace.load import Flow
from devices.camera.picture.frame import Gone, decoded
from devices.camera.picture.quadrilateral import Pixels

_AGAIN_MS: Final = (250, 500, 1_000, 2_000)
_FPS: Final = (0.5, 120.0)
_FPS_USUAL: Final = 25.0
_SKIPPED_AT_ONCE: Final = 12
_PICTURES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
_TRIES: Final = 4
_LOOKS_MS: Final = 250
_BYTES_MAX: Final = 64_000_000


@dataclass(slots=True)
class _Patience:
    """When to try again: after each failure a longer pause, up to two seconds."""

    failures: int = 0
    due_ms: int | None = None

    def is_due(self, now_ms: int) -> bool:
        return self.due_ms is None or now_ms >= self.due_ms

    def failed(self, now_ms: int) -> None:
        self.due_ms = now_ms + _AGAIN_MS[min(self.failures, len(_AGAIN_MS) - 1)]
        self.failures += 1

    def went_well(self) -> None:
        self.failures, self.due_ms = 0, None


class FilmSource:
    """A video file, played at its own pace by the grabber's clock; its end is `Gone` until the file is another one."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._capture: cv2.VideoCapture | None = None
        self._played: tuple[int, ...] | None = None
        self._pace_ms = 1_000 / _FPS_USUAL
        self._due_ms = 0.0
        self._patience = _Patience()
        self._gone = Gone(f"There is no camera, film or folder {url}; check the camera's URL in the configuration.")
        self._taken = self._skipped = 0

    @property
    def flow(self) -> Flow:
        return Flow(self._taken, self._skipped)

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        if self._capture is None:
            if not self._patience.is_due(now_ms) or not self._open(now_ms):
                return self._gone
            self._due_ms = now_ms
        if now_ms < self._due_ms:
            return None
        return self._next(now_ms)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
        self._capture = None

    def _open(self, now_ms: int) -> bool:
        """Open the file; True when it can be played.

        A file that was played already, or that could not be read, is not opened again until it changes.
        """
        name = _name_of(Path(self.url))
        self._patience.failed(now_ms)
        if name is None:
            self._gone = Gone(
                f"There is no camera, film or folder {self.url}; check the camera's URL in the configuration."
            )
            self._played = None
            return False
        if name == self._played:
            return False
        self._played = name
        capture = cv2.VideoCapture(self.url, cv2.CAP_FFMPEG)
        if not capture.isOpened():
            capture.release()
            self._gone = Gone(f"The file {self.url} cannot be read as a film; give an MP4, AVI or MKV file.")
            return False
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._pace_ms = 1_000 / (fps if _FPS[0] <= fps <= _FPS[1] else _FPS_USUAL)
        self._capture = capture
        self._patience.went_well()
        return True

    def _next(self, now_ms: int) -> Pixels | Gone:
        """The frame that is due by now; those that were due before are left out, a few at a time."""
        assert self._capture is not None
        late = min(int((now_ms - self._due_ms) / self._pace_ms), _SKIPPED_AT_ONCE)
        for _ in range(late):
            if not self._capture.grab():
                break
            self._taken, self._skipped = self._taken + 1, self._skipped + 1
        read, frame = self._capture.read()
        if not read:
            self.close()
            self._patience.failed(now_ms)
            self._gone = Gone(f"The film {self.url} is at its end.")
            return self._gone
        self._taken += 1
        self._due_ms = max(self._due_ms + (late + 1) * self._pace_ms, now_ms - _SKIPPED_AT_ONCE * self._pace_ms)
        return np.asarray(frame, dtype=np.uint8)


class FolderSource:
    """The pictures of a folder, in the order of their names, each once; those that come later as they come."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._last = ""
        self._waiting: list[Path] = []
        self._looked_ms: int | None = None
        self._patience = _Patience()
        self._tries = 0
        self._gone: Gone | None = None
        self._taken = 0
        self._closed = False

    @property
    def flow(self) -> Flow:
        return Flow(self._taken)

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        if self._closed:
            return None
        if not self._waiting and self._is_time(now_ms):
            self._look(now_ms)
        if self._gone is not None:
            return self._gone
        while self._waiting:
            picture = _picture(self._waiting[0])
            if picture is None and self._tries < _TRIES and len(self._waiting) == 1:
                self._tries += 1  # the newest may still be being written
                return None
            self._last, self._tries = self._waiting.pop(0).name, 0
            if picture is not None:
                self._taken += 1
                return picture
        return None

    def close(self) -> None:
        self._closed = True
        self._waiting.clear()

    def _is_time(self, now_ms: int) -> bool:
        if self._gone is not None:
            return self._patience.is_due(now_ms)
        return self._looked_ms is None or now_ms - self._looked_ms >= _LOOKS_MS

    def _look(self, now_ms: int) -> None:
        """List what has come since; a folder that is gone is looked for again."""
        self._looked_ms = now_ms
        try:
            names = [file for file in Path(self.url).iterdir() if file.suffix.lower() in _PICTURES]
        except OSError:
            self._gone = Gone(f"There is no folder {self.url} any more; bring it back, or check the camera's URL.")
            self._patience.failed(now_ms)
            return
        self._waiting = sorted(file for file in names if file.name > self._last)
        if not names and not self._last:
            self._gone = Gone(f"The folder {self.url} holds no picture; put JPEG or PNG files into it.")
            self._patience.failed(now_ms)
            return
        self._gone = None
        self._patience.went_well()


def _name_of(path: Path) -> tuple[int, ...] | None:
    """Inode, size and time of change, which tell this file from another of the same name; None when there is no such
    file.
    """
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns) if path.is_file() else None


def _picture(path: Path) -> Pixels | None:
    try:
        return decoded(path.read_bytes()) if path.stat().st_size <= _BYTES_MAX else None
    except OSError:
        return None
