"""What the simulated camera sees beside cards: cloth, print, markers, light, the dealer's hand."""

from __future__ import annotations

import random
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.felt.layout import Fan, Layout, Slot
from devices.camera.felt.marker import marker_picture
from devices.sim.picture.suit_shape import Pixels

FRAME_PX: Final = (1280, 720)
"""Width and height of a frame of an ordinary felt; `Layout.frame_px` says it for each."""

_SEEN_PX: Final = ((34.0, 16.0), (1246.0, 16.0), (1268.0, 708.0), (12.0, 708.0))
"""Where its corners appear, clockwise from the top left: a camera a little in front of the table."""

_DRAW_PX_PER_MM: Final = 2.0
CLOTH: Final = (66, 112, 38)
"""Blue, green and red of the cloth."""
_PRINT_LIGHTER: Final = (18, 22, 20)
_SKIN: Final = (128, 160, 214)
_SLEEVE: Final = (46, 38, 36)
_REACH_MM: Final = 190.0

Matrix = NDArray[np.float64]


def view_of(layout: Layout) -> Matrix:
    """The homography from felt millimetres to pixels of the frame."""
    width, height = layout.width_mm, layout.height_mm
    felt = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = np.array(_SEEN_PX, np.float32) * np.float32(layout.frame_px[0] / FRAME_PX[0])
    return np.asarray(cv2.getPerspectiveTransform(felt, seen), dtype=np.float64)


def light_over(rng: random.Random, frame_px: tuple[int, int] = FRAME_PX) -> NDArray[np.float32]:
    """How bright each pixel is lit, around 1: a lamp somewhere above the table."""
    x = np.linspace(-1, 1, frame_px[0], dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, frame_px[1], dtype=np.float32)[:, None]
    lamp_x, lamp_y = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)
    falling = (x - np.float32(lamp_x)) ** 2 * np.float32(0.12) + (y - np.float32(lamp_y)) ** 2 * np.float32(0.10)
    return np.asarray(np.float32(1.0) - falling, dtype=np.float32)


def bare_felt(
    layout: Layout, view: Matrix, light: NDArray[np.float32], seed: int, cloth: tuple[int, int, int] = CLOTH
) -> Pixels:
    """The felt with nothing on it, as the camera sees it."""
    scale = _DRAW_PX_PER_MM
    size = (round(layout.width_mm * scale), round(layout.height_mm * scale))
    weave = np.floor(np.random.default_rng(seed).normal(0, 5, (size[1], size[0]))).astype(np.int16)
    threads = [np.clip(weave + colour, 0, 255).astype(np.uint8) for colour in cloth]
    felt = np.asarray(cv2.merge(threads), dtype=np.uint8)
    _print(felt, layout, cloth)
    to_mm = np.diag((1 / scale, 1 / scale, 1.0))
    softened = cv2.GaussianBlur(felt, (0, 0), 0.8)
    ground = np.full((layout.frame_px[1], layout.frame_px[0], 3), (38, 48, 66), np.uint8)
    seen = cv2.warpPerspective(
        softened, view @ to_mm, layout.frame_px, dst=ground, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
    )
    lit = seen * light[:, :, None]
    return np.asarray(np.clip(lit, 0, 255, out=lit), dtype=np.uint8)


def _print(felt: Pixels, layout: Layout, cloth: tuple[int, int, int]) -> None:
    """Outlines of the places, names of the zones, and the four markers."""
    lighter = 1 if max(cloth) < 200 else -1
    ink = [colour + lighter * more for colour, more in zip(cloth, _PRINT_LIGHTER, strict=True)]
    scale = _DRAW_PX_PER_MM
    for region in layout.regions:
        left, top = (region.x_mm - region.width_mm / 2) * scale, (region.y_mm - region.height_mm / 2) * scale
        right, bottom = left + region.width_mm * scale, top + region.height_mm * scale
        cv2.rectangle(felt, (round(left), round(top)), (round(right), round(bottom)), ink, 2, cv2.LINE_AA)
        if isinstance(region, Fan) or region.place == 1:
            under = (round(left), round(bottom + 16 * scale))
            cv2.putText(felt, region.zone.upper(), under, cv2.FONT_HERSHEY_DUPLEX, 0.5, ink, 1, cv2.LINE_AA)
    side = round(layout.marker_mm * scale)
    for number, (x_mm, y_mm) in enumerate(layout.markers):
        left, top = round(x_mm * scale - side / 2), round(y_mm * scale - side / 2)
        felt[top : top + side, left : left + side] = marker_picture(number, side)[:, :, None]


def draw_hand(picture: Pixels, view: Matrix, layout: Layout, slot: Slot, away: float) -> None:
    """A hand and its sleeve over a place; `away` goes from 0, on the card, to 1, out of the way.

    It comes from the nearest edge: below for the near row, above for the far one, the sides for the middle. Over
    a felt of fans it is the dealer's alone, who stands on the far side.
    """
    towards = _edge(layout, slot)
    x_mm, y_mm = slot.x_mm + towards[0] * _REACH_MM * away, slot.y_mm + towards[1] * _REACH_MM * away
    cuff = (x_mm + towards[0] * 70, y_mm + towards[1] * 70)
    gone = (x_mm + towards[0] * 900, y_mm + towards[1] * 900)
    across = (towards[1], towards[0])
    palm, wrist, elbow, tips = _seen(view, (x_mm, y_mm), cuff, gone, (x_mm - towards[0] * 26, y_mm - towards[1] * 26))
    cv2.line(picture, wrist, elbow, _SLEEVE, 74, cv2.LINE_AA)
    cv2.line(picture, palm, wrist, _SKIN, 56, cv2.LINE_AA)
    cv2.circle(picture, palm, 47, _SKIN, -1, cv2.LINE_AA)
    for finger in (-1.5, -0.5, 0.5, 1.5):
        reach = round(finger * 17)
        tip = (tips[0] + round(across[0] * reach), tips[1] + round(across[1] * reach))
        cv2.line(picture, palm, tip, _SKIN, 18, cv2.LINE_AA)
        cv2.circle(picture, tip, 5, (150, 178, 226), -1, cv2.LINE_AA)


def _edge(layout: Layout, slot: Slot) -> tuple[float, float]:
    if layout.fans:
        return (0.0, -1.0)
    if slot.y_mm > layout.height_mm * 0.66:
        return (0.0, 1.0)
    if slot.y_mm < layout.height_mm * 0.33:
        return (0.0, -1.0)
    return (-1.0, 0.0) if slot.x_mm < layout.width_mm / 2 else (1.0, 0.0)


def _seen(view: Matrix, *points_mm: tuple[float, float]) -> list[tuple[int, int]]:
    points = cv2.perspectiveTransform(np.array([points_mm], np.float64), view)[0]
    return [(round(float(x)), round(float(y))) for x, y in points]
