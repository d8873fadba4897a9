"""What a technician is shown of a device: how far it works, what its line says, where places lie in its picture."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

PICTURE_PIXELS_MAX: Final = 64_000_000
"""Of a camera's picture, nearly twice what any camera has: a few megabytes may say that they are a thousand times more,
and whoever unpacks them runs out of memory.
"""

Point = tuple[float, float]
"""Fractions of a picture's width and height."""


class Unseen(enum.StrEnum):
    """Why there is no picture to be shown of a table; each names its words under `picture.<key>`."""

    ABSENT = "absent"
    """The table has no camera."""
    NONE = "none"
    """Its camera gives no picture."""
    AWAITED = "awaited"
    """One came, and nobody has looked yet where the felt lies on it."""
    HIDDEN = "hidden"
    """One came that may not be shown: nobody knows where on it cards lie face down."""
    BROKEN = "broken"
    """What came is no picture."""
    UNREACHABLE = "unreachable"
    """It would come from a machine that cannot be reached."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung of the ladder. `state`: good, poor, waiting or bad; unknown above the first that does not hold. `key`
    names its sentence, under `ladder.<key>`.
    """

    name: str
    state: str
    key: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LineCounts:
    """What is known of a serial line. `reports` are cards read, or of a shuffler whatever it says of itself."""

    up: bool = False
    reason: str = ""
    open_ms: int = 0
    bytes: int = 0
    frames: int = 0
    damaged: int = 0
    reports: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True)
class TalkLine:
    """One turn of a line. `masked` where the table was open: no `hex`, `count` rounded up, readings as names alone."""

    number: int
    at_ms: int
    direction: str
    count: int
    masked: bool
    hex: str = field(default="", repr=False)
    frames: tuple[str, ...] = ()
    readings: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a self-test found. `state`: good, poor, bad, or skipped. `key` names its sentence under `test.<key>`, and
    `values` fill it.
    """

    key: str
    state: str
    values: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outline:
    """A place of the felt in the picture; `place` 0 is a whole fan."""

    zone: str
    place: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class CalibrationProposal:
    """What a calibration would make of the felt. `warnings` are sentences; `card_px` is the smallest card's height."""

    corners: tuple[Point, ...]
    outlines: tuple[Outline, ...]
    warnings: tuple[str, ...]
    card_px: float
    error_px: float | None
