"""What a source of pictures gives: a frame, packed or not, nothing new, or why there is none; and the note that a kept
one carries.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, runtime_checkable

import cv2
import numpy as np
from PIL import Image

from devices.camera.picture.gate import THUMB_PX, thumbnail
from devices.camera.picture.quadrilateral import Pixels
from studio.diagnosis import PICTURE_PIXELS_MAX

_COMMENT: Final = b"\xff\xfe"
_BYTES_MAX: Final = 65_000
_PARTS: Final = ((8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2))
"""The parts of its size at which a JPEG can be unpacked for less."""


@dataclass(frozen=True, slots=True)
class Gone:
    """The source gives no picture; `reason` is a full sentence for the technician."""

    reason: str


def decoded(picture: bytes) -> Pixels | None:
    """A packed picture in colour; None for bytes that are no picture, and for one that is larger than any camera's."""
    return _unpacked(picture, cv2.IMREAD_COLOR)


def _unpacked(picture: bytes, how: int) -> Pixels | None:
    try:
        width, height = _size_px(picture)
        small = width * height <= PICTURE_PIXELS_MAX
        frame = cv2.imdecode(np.frombuffer(picture, np.uint8), how) if small else None
    except (cv2.error, BrokenPictureError):
        return None
    return None if frame is None else np.asarray(frame, dtype=np.uint8)


class BrokenPictureError(Exception):
    """A packed picture cannot be unpacked."""


class WholePicture:
    """A picture that came unpacked: `(height, width, 3) uint8`, BGR."""

    def __init__(self, whole: Pixels) -> None:
        self.whole = whole

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.whole.shape[1], self.whole.shape[0]

    @cached_property
    def thumb(self) -> Pixels:
        return thumbnail(self.whole)


class PackedPicture:
    """A JPEG, unpacked no further than it is looked at: its thumbnail costs half as much as the whole.

    Its thumbnail is the same whether anybody has looked at the whole or not.
    Every look raises `BrokenPictureError` where the bytes are no picture.
    """

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        """As it came."""

    @cached_property
    def whole(self) -> Pixels:
        """All of it: `(height, width, 3) uint8`, BGR."""
        return self._unpacked(cv2.IMREAD_COLOR)

    @cached_property
    def rough(self) -> Pixels:
        """All of it at a half, a quarter or an eighth of its size: the least that is no smaller than a thumbnail, and
        that its size can be divided by, so that a pixel of it is the mean of whole pixels.
        """
        width, height = self._stored_px
        for part, how in _PARTS:
            if width % part == height % part == 0 and width >= part * THUMB_PX[0] and height >= part * THUMB_PX[1]:
                return self._unpacked(how)
        return self.whole

    @cached_property
    def thumb(self) -> Pixels:
        """The thumbnail, see `gate.thumbnail`."""
        return thumbnail(self.rough)

    @cached_property
    def size_px(self) -> tuple[int, int]:
        """Width and height, as the picture stands: a camera may say that it is to be turned."""
        width, height = self._stored_px
        turned = (width < height) != (self.rough.shape[1] < self.rough.shape[0])
        return (height, width) if turned else (width, height)

    @cached_property
    def _stored_px(self) -> tuple[int, int]:
        return _size_px(self.packed)

    def _unpacked(self, how: int) -> Pixels:
        found = _unpacked(self.packed, how)
        if found is None:
            raise BrokenPictureError("it cannot be unpacked")
        return found


Picture = WholePicture | PackedPicture


def whole_of(frame: Pixels | PackedPicture) -> Pixels | None:
    """All of what a source gave; None where it cannot be unpacked."""
    try:
        return frame.whole if isinstance(frame, PackedPicture) else frame
    except BrokenPictureError:
        return None


def _size_px(packed: bytes) -> tuple[int, int]:
    try:
        with Image.open(io.BytesIO(packed)) as picture:
            return picture.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BrokenPictureError("it is no picture") from error


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A frame as people are shown it, and when it came at the earliest, by the source's steady clock in seconds: what
    lay unread counts as old.
    """

    frame: Pixels | PackedPicture
    came_s: float


@runtime_checkable
class LiveSource(Protocol):
    """A frame source that shows its newest frame to whoever asks, on any thread; a watcher gets it all the same."""

    def newest(self) -> ShownFrame | None:
        """None while the source gives no pictures."""
        ...


@runtime_checkable
class DatedSource(Protocol):
    """A frame source that says when its newest frame came, on any thread."""

    def came_ms(self) -> int | None:
        """By the studio's clock, in milliseconds, whether anybody has looked at it; None while no frame comes."""
        ...


class FrameSource(Protocol):
    """Where a watcher gets its frames from. Used by one thread."""

    @property
    def url(self) -> str: ...

    def grab(self, now_ms: int) -> Pixels | PackedPicture | Gone | None:
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
