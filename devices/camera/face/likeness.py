"""How alike the prints of two cards are, whatever the light.

A half card becomes a print: its structure, evened out against light and shadow, once finer and once less so, and its
colours, more coarsely. Prints are compared by their cosine, over small shifts. Faces are by what is finest alone: decks
share their colours, and what is broad in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from devices.camera.picture.quadrilateral import Pixels, halves_of

Rows = NDArray[np.float32]

_FINE_PX: Final = (56, 40)
_COARSE_PX: Final = (28, 20)
_EVEN_PX: Final = 5.0
_FINEST_PX: Final = 1.8
"""What is broader is taken out of a print, of the height of 40 px that half a card has here."""

_FLAT: Final = 9.0
_GREY: Final = 3.0
_COLOUR_WEIGHT: Final = 0.3
_SHIFTS: Final = tuple((dx, dy) for dy in (-2, -1, 0, 1, 2) for dx in (-2, -1, 0, 1, 2))
_RIM_PX: Final = 2
"""As far as a shift goes."""

_SIZES: Final = ((1.0, 1.0), (0.96, 1.0), (1.04, 1.0), (1.0, 0.96), (1.0, 1.04))


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """Both halves of a card: structure, its finest, and colours, `(2, n)` each; rows of unit length, or noughts."""

    fine: Rows
    finest: Rows
    colours: Rows


def print_of(card: Pixels) -> Print:
    """The print of a rectified card."""
    fine, finest, colours = zip(*map(_half_print, halves_of(card)), strict=True)
    return Print(np.stack(fine), np.stack(finest), np.stack(colours))


def likeness(seen: Print, known: Sequence[Print]) -> NDArray[np.float64]:
    """How alike the halves of any two things are, colours too: `(2, cards)`, -1 to 1, the better way round."""
    fine = _fine_alike(seen.fine, np.stack([one.fine for one in known]))
    colours = np.stack([one.colours for one in known])
    strength = np.linalg.norm(seen.colours, axis=1)[:, None, None] * np.linalg.norm(colours, axis=2)[None]
    hue = np.einsum("hn,ckn->hck", seen.colours, colours) / np.maximum(strength, 1e-6)
    weight = _COLOUR_WEIGHT * np.minimum(1.0, strength)
    return _better_way(np.asarray((1 - weight) * fine + weight * hue, np.float32))


def face_likeness(seen: Print, known: Sequence[Print]) -> NDArray[np.float64]:
    """The same of faces, by their finest structure."""
    return _better_way(_finest_alike(seen.finest, np.stack([one.finest for one in known])))


def _better_way(alike: Rows) -> NDArray[np.float64]:
    """Of each half with each known half, `(2, cards, 2)`, the pairs as the card lies best."""
    straight = np.stack((alike[0, :, 0], alike[1, :, 1]))
    turned = np.stack((alike[0, :, 1], alike[1, :, 0]))
    return np.asarray(np.where(straight.sum(axis=0) >= turned.sum(axis=0), straight, turned), dtype=np.float64)


def _fine_alike(seen: Rows, known: Rows) -> Rows:
    """The best cosine of each half seen with each half known, over small shifts and sizes, `(2, cards, 2)`."""
    planes = [_resized(plane.reshape(_FINE_PX[1], _FINE_PX[0]), size) for plane in seen for size in _SIZES]
    moved = np.stack([np.roll(planes, (dy, dx), axis=(1, 2)) for dx, dy in _SHIFTS])
    flat = known.reshape(-1, known.shape[-1])
    cosines = moved.reshape(-1, known.shape[-1]) @ flat.T
    return np.asarray(cosines.reshape(len(_SHIFTS), 2, len(_SIZES), len(known), 2).max(axis=(0, 2)), dtype=np.float32)


def _finest_alike(seen: Rows, known: Rows) -> Rows:
    """As `_fine_alike`, but without the rim: what a shift brings in from outside is held to nothing."""
    width, height = _FINE_PX
    planes = np.stack([_resized(plane.reshape(height, width), size) for plane in seen for size in _SIZES])
    moved = sliding_window_view(planes, (height - 2 * _RIM_PX, width - 2 * _RIM_PX), axis=(1, 2))
    rows = moved.reshape(-1, moved.shape[-2] * moved.shape[-1])
    middles = known.reshape(-1, height, width)[:, _RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX].reshape(-1, rows.shape[1])
    squares = np.einsum("ij,ij->i", rows, rows)[:, None] * np.einsum("ij,ij->i", middles, middles)[None]
    cosines = (rows @ middles.T) / np.sqrt(np.maximum(squares, np.float32(1e-6)))
    return np.asarray(cosines.reshape(2, -1, len(known), 2).max(axis=1), dtype=np.float32)


def _resized(plane: Rows, size: tuple[float, float]) -> Rows:
    """A plane stretched about its middle, of unit length again."""
    if size == (1.0, 1.0):
        return plane
    (wide, tall), (width, height) = size, _FINE_PX
    moved = np.array([(wide, 0, (1 - wide) * width / 2), (0, tall, (1 - tall) * height / 2)])
    grown = cv2.warpAffine(plane, moved, _FINE_PX, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(grown / np.float32(max(float(np.linalg.norm(grown)), 1e-3)), dtype=np.float32)


def _half_print(half: Pixels) -> tuple[Rows, Rows, Rows]:
    small = cv2.resize(half, _FINE_PX, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    light = lab[:, :, 0]
    hue = cv2.resize(lab[:, :, 1:], _COARSE_PX, interpolation=cv2.INTER_AREA) - np.float32(128)
    hue -= np.median(hue.reshape(-1, 2), axis=0) * np.float32(0.5)
    strength = float(np.sqrt((hue * hue).mean()))
    colours = hue / np.float32(max(float(np.linalg.norm(hue)), 1e-3)) * np.float32(min(1.0, strength / _GREY))
    return _evened(light, _EVEN_PX), _evened(light, _FINEST_PX), np.asarray(colours, np.float32).ravel()


def _evened(light: Rows, even_px: float) -> Rows:
    """What stands out from its surroundings, whatever the light, of unit length."""
    above = light - cv2.GaussianBlur(light, (0, 0), even_px)
    spread = np.sqrt(cv2.GaussianBlur(above * above, (0, 0), 2 * even_px)) + np.float32(_FLAT)
    fine = above / spread
    return np.asarray(fine / np.float32(max(float(np.linalg.norm(fine)), 1e-3)), np.float32).ravel()
