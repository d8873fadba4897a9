"""The live pictures of tables: small ones, each drawn once however many look, and each with its age.

The people of the house see an old picture, with its age; bettors see none that is older than three seconds. Where cards
lie face down it comes painted over already.
"""

from __future__ import annotations

import base64
import io
import threading
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from PIL import Image

from dealer_ui.floor.house import House
from studio.diagnosis import PICTURE_PIXELS_MAX, Unseen

OLD_MS: Final = 3_000
FRESH_MS: Final = 150
"""Whoever else looks within that time sees the same picture."""
WIDTHS: Final = {"small": 320, "medium": 640, "large": 960}
_QUALITY: Final = 72
_PARTS: Final = ((4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2))
"""The parts of its size at which a JPEG is unpacked for less."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    of: bytes
    width: int
    jpeg: bytes


def shown_now(house: House, table: str) -> tuple[bytes, int] | Unseen:
    """The table's newest picture with its age in milliseconds, however old; but no old one of a camera whose link is
    down.
    """
    seen = house.camera_jpeg(table)
    if isinstance(seen, Unseen):
        return seen
    age_ms = max(0, house.now_ms() - seen[1])
    if age_ms > OLD_MS and not house.view(table).devices.links.get("camera", False):
        return Unseen.NONE
    return seen[0], age_ms


class PictureRack:
    """Makes each picture small once, however many look. Thread-safe."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._lock = threading.Lock()
        self._drawn: dict[tuple[str, int], _Drawn] = {}
        self._lately: dict[tuple[str, str], tuple[int, bytes]] = {}

    def look(self, table: str, size: str) -> dict[str, Any]:
        """The table's newest picture as text, with its age in milliseconds and whether its machine is full; or `why`
        there is none.
        """
        seen = shown_now(self._house, table)
        if isinstance(seen, Unseen):
            return {"why": seen}
        jpeg, age_ms = self._small(table, seen[0], WIDTHS[size]), seen[1]
        if not jpeg:
            return {"why": Unseen.BROKEN}
        full = self._house.view(table).devices.camera_late is not None
        return {"age_ms": age_ms, "jpeg": base64.b64encode(jpeg).decode(), "full": full}

    def live(self, table: str, size: str) -> bytes:
        """The table's picture as it is now; nothing where there is none that is live."""
        now_ms = self._house.now_ms()
        with self._lock:
            asked_ms, jpeg = self._lately.get((table, size), (0, b""))
        if now_ms - asked_ms < FRESH_MS:
            return jpeg
        seen = self._house.camera_jpeg(table)
        if isinstance(seen, Unseen) or now_ms - seen[1] > OLD_MS:
            jpeg = b""
        else:
            jpeg = self._small(table, seen[0], WIDTHS[size])
        with self._lock:
            self._lately[table, size] = (now_ms, jpeg)
        return jpeg

    def _small(self, table: str, picture: bytes, width: int) -> bytes:
        with self._lock:
            drawn = self._drawn.get((table, width))
        if drawn is None or drawn.of != picture:
            drawn = _Drawn(picture, width, _shrunk(picture, width))
            with self._lock:
                self._drawn[table, width] = drawn
        return drawn.jpeg


def _shrunk(picture: bytes, width: int) -> bytes:
    """The picture no wider than that; nothing of what is no picture. Unpacked no larger than it need be."""
    if not (wide := _wide(picture)):
        return b""
    how = next((how for part, how in _PARTS if wide >= part * width), cv2.IMREAD_COLOR)
    try:
        frame = cv2.imdecode(np.frombuffer(picture, np.uint8), how)
    except cv2.error:  # it says that it is larger than any picture, or it is empty
        return b""
    if frame is None:
        return b""
    height, wide = frame.shape[:2]
    if wide > width:
        frame = cv2.resize(frame, (width, max(1, height * width // wide)), interpolation=cv2.INTER_AREA)
    good, encoded = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
    return encoded.tobytes() if good else b""


def _wide(picture: bytes) -> int:
    """0 of what is no picture, or a larger one than any camera's."""
    try:
        with Image.open(io.BytesIO(picture)) as found:
            width, height = found.size
            return min(width, height) if width * height <= PICTURE_PIXELS_MAX else 0  # it may be to be turned
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return 0
