"""A calibration on disk: a JSON file of four felt corners, the picture's size and the bare felt.

The file is written whole or not at all. It holds no card: the picture in it is of the empty felt.
"""

from __future__ import annotations

import base64
import json
import math
import os
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from devices.camera.felt.calibration import Calibration, calibrate_from_corners
from devices.camera.felt.layout import Layout
from devices.camera.picture.frame import decoded
from devices.camera.picture.quadrilateral import Pixels
from studio.errors import BadInputError

_VERSION: Final = 1
_QUALITY: Final = 92
_BYTES_MAX: Final = 16_000_000
_SIDE_PX_MAX: Final = 8_192


def save(calibration: Calibration, path: Path) -> None:
    """Write the calibration; `OSError` when the disk does not take it."""
    kept: dict[str, Any] = {
        "version": _VERSION,
        "layout": calibration.layout.key,
        "felt_mm": [calibration.layout.width_mm, calibration.layout.height_mm],
        "frame_px": list(calibration.frame_px),
        "corners_px": np.round(calibration.corners_px, 2).tolist(),
    }
    if calibration.empty is not None:
        encoded = cv2.imencode(".jpg", calibration.empty, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))[1]
        kept["empty_jpeg"] = base64.b64encode(encoded.tobytes()).decode()
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    os.replace(beside, path)


def load(path: Path, layout: Layout) -> Calibration:
    """Read a calibration of this felt; `BadInputError` says what is wrong with the file, and what to do."""
    try:
        if path.stat().st_size > _BYTES_MAX:
            raise _bad(path, "it is far too large")
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInputError(
            f"There is no calibration {path}; calibrate the camera, or take the key out of the configuration."
        ) from None
    except (OSError, ValueError) as error:
        raise _bad(path, f"it cannot be read ({type(error).__name__})") from None
    return _calibration(kept, path, layout)


def _calibration(kept: Any, path: Path, layout: Layout) -> Calibration:
    if not isinstance(kept, dict) or kept.get("version") != _VERSION:
        raise _bad(path, f"it is not of version {_VERSION}")
    if kept.get("layout") != layout.key:
        raise BadInputError(
            f"The calibration {path} was made for another felt, and this table's has other places; "
            "calibrate its camera again."
        )
    frame_px, corners = _pair(kept.get("frame_px")), kept.get("corners_px")
    if frame_px is None or not all(1 <= side <= _SIDE_PX_MAX and side == int(side) for side in frame_px):
        raise _bad(path, "it does not say how large the picture is")
    points = [_pair(point) for point in corners] if isinstance(corners, list) else []
    whole = [point for point in points if point is not None]
    if len(points) != 4 or len(whole) != 4:
        raise _bad(path, "it does not hold four corners")
    size = (int(frame_px[0]), int(frame_px[1]))
    return calibrate_from_corners(whole, layout, size, empty=_picture(kept.get("empty_jpeg"), size, path))


def _pair(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    good = all(isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one) for one in value)
    return (float(value[0]), float(value[1])) if good else None


def _picture(encoded: Any, size: tuple[int, int], path: Path) -> Pixels | None:
    if encoded is None:
        return None
    try:
        picture = decoded(base64.b64decode(encoded, validate=True))
    except (TypeError, ValueError):
        picture = None
    if picture is None or (picture.shape[1], picture.shape[0]) != size:
        raise _bad(path, "its picture of the empty felt is damaged")
    return picture


def _bad(path: Path, why: str) -> BadInputError:
    return BadInputError(f"The calibration {path} cannot be used: {why}. Calibrate the camera again.")
