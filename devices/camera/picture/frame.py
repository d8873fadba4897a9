"""What a source of pictures gives: a frame, nothing new, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from devices.camera.picture.quadrilateral import Pixels


@dataclass(frozen=True, slots=True)
class Gone:
    """The source gives no picture; `reason` is a full sentence for the technician."""

    reason: str


class FrameSource(Protocol):
    """Where a watcher gets its frames from. Used by one thread."""

    @property
    def url(self) -> str: ...

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        """The newest frame not given before, None when there is none yet, or why there is none at all."""
        ...

    def close(self) -> None: ...
