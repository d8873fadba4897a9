"""What a source of pictures gives: a frame, nothing new, or why there is none; and the note that a kept one carries."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np

from devices.camera.picture.quadrilateral import Pixels

_COMMENT: Final = b"\xff\xfe"
_BYTES_MAX: Final = 65_000


@dataclass(frozen=True, slots=True)
class Gone:
    """The source gives no picture; `reason` is a full sentence for the technician."""

    reason: str


def decoded(picture: bytes) -> Pixels | None:
    """A packed picture in colour; None for bytes that are no picture."""
    try:
        frame = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) if picture else None
    except cv2.error:
        return None
    return None if frame is None else np.asarray(frame, dtype=np.uint8)


class FrameSource(Protocol):
    """Where a watcher gets its frames from. Used by one thread."""

    @property
    def url(self) -> str: ...

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        """The newest frame, if it was not given before; None when there is no new one yet; `Gone` says why there are no
        pictures.
        """
        ...

    def close(self) -> None: ...


def with_note(jpeg: bytes, note: dict[str, Any]) -> bytes:
    """The same picture with the note right after its first mark."""
    comment = json.dumps(note, separators=(",", ":")).encode()
    if len(comment) > _BYTES_MAX:
        raise ValueError("A note is longer than a JPEG's comment may be.")
    return jpeg[:2] + _COMMENT + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def note_of(picture: bytes) -> dict[str, Any]:
    """What a kept picture says of itself: `at_ms`, `model`, and where it was read `scores` and `quad`.

    `scores` are the probabilities of both halves, `quad` the card's corners in the picture. Nothing where no note is.
    """
    if picture[2:4] != _COMMENT:
        return {}
    length = int.from_bytes(picture[4:6], "big")
    try:
        found = json.loads(picture[6 : 4 + length])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
