"""What the reader gets to see of a flat thing of the bank: two half cards.

It is laid on a made-up ground, lit, photographed as a camera or a telephone does it, found with the locator's own
errors and flattened as the reader flattens it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from devices.camera.picture.quadrilateral import CARD_PX, halves_of
from devices.sim.picture.suit_shape import Pixels
from training.across import lay_across
from training.bank import FACE, OTHER, Bank, Flat, Label

Sample = tuple[Pixels, Label]
_TARGET: Final = np.array(
    [(0, 0), (CARD_PX[0], 0), (CARD_PX[0], CARD_PX[1]), (0, CARD_PX[1])], dtype=np.float32
) - np.float32(0.5)


@dataclass(frozen=True, slots=True)
class Hardness:
    """How badly the camera treats a card; the defaults are what is trained on."""

    blur_mm: float = 0.55
    noise: float = 11.0
    px_per_mm: tuple[float, float] = (1.15, 3.4)
    corner_mm: float = 0.8
    covered: float = 0.06
    across: float = 0.0
    """How often other cards or a cable lie across it and leave its indices in sight."""
    reprint: float = 0.0
    """How often it is printed a little otherwise: bolder or finer, its signs warped. In training only."""
    mishap: float = 1.0
    """How often a shadow, glare, a false exposure, a grey or a stretched picture befalls it."""


class Darkroom:
    """Everything between the flat thing and the half cards, drawn from one seed."""

    def __init__(self, seed: int, bank: Bank, hardness: Hardness | None = None) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - synthetic pictures
        self.numbers = np.random.default_rng(seed)
        self.bank = bank
        self.hard = hardness or Hardness()
        self.height_px = 0.0
        """How high the card of the last picture is."""
        self._grain = self.numbers.normal(0, 1, (2_000_000,)).astype(np.float32)

    def samples(self) -> Iterator[Sample]:
        """Half cards without end, `(80, 112, 3) uint8` BGR, the two halves of one card after each other."""
        while True:
            yield from self.photographed(self.bank.draw(self.rng))

    def photographed(self, flat: Flat) -> tuple[Sample, Sample]:
        rng = self.rng
        scale = math.exp(rng.uniform(*(math.log(edge) for edge in self.hard.px_per_mm)))
        print_ = self._reprinted(flat.picture) if rng.random() < self.hard.reprint else flat.picture
        patch, corners = _laid(print_, rng, scale, self.hard.mishap)
        self.height_px = float(np.linalg.norm(corners[[3, 2]] - corners[[0, 1]], axis=1).mean())
        labels = [flat.label, flat.label]
        if flat.label.kind == FACE and rng.random() < self.hard.covered:
            labels = _covered(patch, corners, flat, rng)
        elif flat.label.kind == FACE and rng.random() < self.hard.covered:
            deep = rng.uniform(0.15, 1.0 if self.hard.across else 0.6)
            labels = _overlapped(patch, corners, flat, self.bank.draw(rng).picture, deep, rng)
        elif flat.label.kind == FACE and self.hard.across and rng.random() < self.hard.across:
            lay_across(patch, corners, _index_wide(flat), lambda: self.bank.draw(rng).picture, rng)
        shot = self._developed(self._lit(patch), scale)
        error = self.numbers.normal(0, self.hard.corner_mm * rng.random() * scale, corners.shape).astype(np.float32)
        flatten = cv2.getPerspectiveTransform(corners + error, _TARGET)
        card = cv2.warpPerspective(shot, flatten, CARD_PX, flags=cv2.INTER_LINEAR)
        if rng.random() < 0.13 * self.hard.mishap:
            card = _greyed(card, rng)
        upper, lower = halves_of(card)
        return (upper, labels[0]), (lower, labels[1])

    def _reprinted(self, flat: Pixels) -> Pixels:
        """The same card as another printer has it: every sign a little other in shape, weight and place."""
        rng, (height, width) = self.rng, flat.shape[:2]
        if rng.random() < 0.4:
            change = cv2.erode if rng.random() < 0.5 else cv2.dilate
            flat = np.dstack((change(flat[:, :, :3], np.ones((rng.choice((2, 3)), 2), np.uint8)), flat[:, :, 3]))
        reach = rng.uniform(0.5, 5.0)
        cells = rng.choice(((3, 4), (5, 7), (7, 9)))
        rough = self.numbers.normal(0, reach / cells[0] * 2, (cells[1], cells[0], 2)).astype(np.float32)
        drift = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        return cv2.remap(
            flat, x + drift[:, :, 0], y + drift[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )

    def _lit(self, patch: Pixels) -> np.ndarray:
        """Uneven light, its colour, a hard shadow, glare, too long an exposure."""
        rng, mishap = self.rng, self.hard.mishap
        light = patch.astype(np.float32)
        height, width = patch.shape[:2]
        rough = self.numbers.uniform(1 - rng.uniform(0.05, 0.45), 1.1, (3, 3)).astype(np.float32)
        gain = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC) * rng.uniform(0.5, 1.2)
        if rng.random() < 0.2 * mishap:
            gain *= _shadow(rng, width, height)
        cast = [rng.uniform(0.85, 1.12) for _ in range(3)]
        exposure = rng.uniform(1.2, 2.6) if rng.random() < 0.12 * mishap else 1.0
        for channel in range(3):
            light[:, :, channel] *= gain * np.float32(cast[channel] * exposure)
        if exposure > 1.0 or rng.random() < 0.15 * mishap:
            veil = np.float32(rng.uniform(0, 110))
            light += veil * (1 - light / 330)
        if rng.random() < 0.3:
            grey = light.mean(axis=2, keepdims=True)
            light = grey + (light - grey) * np.float32(rng.uniform(0.35, 1.3))
        light += np.float32(rng.uniform(0, 30))
        if rng.random() < 0.12 * mishap:
            spot = np.zeros((height, width), np.float32)
            cv2.circle(spot, (rng.randrange(width), rng.randrange(height)), rng.randint(8, 45), 200.0, -1)
            light += cv2.GaussianBlur(spot, (0, 0), rng.uniform(2, 12))[:, :, None]
        return light

    def _developed(self, light: np.ndarray, scale: float) -> Pixels:
        """Lens, sensor, enlargement and compression."""
        rng = self.rng
        sigma = rng.random() ** 2 * self.hard.blur_mm * scale
        if sigma > 0.25:
            light = cv2.GaussianBlur(light, (0, 0), sigma)
        if rng.random() < 0.15:
            light = cv2.filter2D(light, -1, _streak(rng, scale))
        noise = 0.3 + rng.random() ** 1.5 * self.hard.noise
        start = rng.randrange(len(self._grain) - light.size) if light.size < len(self._grain) else 0
        shot = light + self._grain[start : start + light.size].reshape(light.shape) * np.float32(noise)
        shot = np.clip(shot, 0, 255).astype(np.uint8)
        height, width = shot.shape[:2]
        if rng.random() < 0.12 and scale > 1.6:
            small = rng.uniform(0.45, 0.9)
            shot = cv2.resize(shot, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
            shot = cv2.resize(shot, (width, height), interpolation=rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC)))
        if rng.random() < 0.07:
            shot = self._salted(shot)
        if rng.random() < 0.65:
            quality = (cv2.IMWRITE_JPEG_QUALITY, rng.randint(35, 95))
            shot = cv2.imdecode(cv2.imencode(".jpg", shot, quality)[1], cv2.IMREAD_COLOR)
        return np.asarray(shot, np.uint8)

    def _salted(self, shot: Pixels) -> Pixels:
        """Impulse noise burned in, then the median that the reader answers it with."""
        share = self.rng.uniform(0.002, 0.03)
        which = self.numbers.random(shot.shape[:2])
        shot[which < share / 2] = 0
        shot[which > 1 - share / 2] = 255
        return np.asarray(cv2.medianBlur(shot, 3), np.uint8)


def _laid(card: Pixels, rng: random.Random, scale: float, mishap: float) -> tuple[Pixels, np.ndarray]:
    """The thing on a ground, aslant and perhaps stretched; the picture and its corners in it."""
    height, width = card.shape[:2]
    stretch = [1.0, 1.0]
    if rng.random() < 0.4 * mishap:
        stretch[rng.randrange(2)] = rng.uniform(0.6, 1.0)
    wide, tall = CARD_WIDTH_MM * scale * stretch[0], CARD_HEIGHT_MM * scale * stretch[1]
    margin = 5 * scale
    size = (int(wide + 2 * margin), int(tall + 2 * margin))
    turn = math.radians(rng.uniform(-5, 5))
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], np.float32)
    corners *= np.array((wide, tall), np.float32)
    spin = np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))], np.float32)
    lean = np.array([[rng.uniform(-3, 3) * scale for _ in range(2)] for _ in range(4)], np.float32)
    corners = corners @ spin + lean + np.array(size, np.float32) / 2
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    softness = (max(0.0, 0.45 * width / wide - 0.3), max(0.0, 0.45 * height / tall - 0.3))
    softened = cv2.GaussianBlur(card, (0, 0), sigmaX=max(0.01, softness[0]), sigmaY=max(0.01, softness[1]))
    laid = cv2.warpPerspective(softened, cv2.getPerspectiveTransform(source, corners), size, flags=cv2.INTER_LINEAR)
    ground = _ground(rng, size)
    cover = laid[:, :, 3:]
    return np.where(cover > 127, laid[:, :, :3], ground), corners


def _ground(rng: random.Random, size: tuple[int, int]) -> Pixels:
    few = rng.choice((1, 1, 2, 4))
    rough = [[[rng.randint(0, 255) for _ in range(3)] for _ in range(few)] for _ in range(few)]
    return cv2.resize(np.array(rough, np.uint8), size, interpolation=rng.choice((cv2.INTER_LINEAR, cv2.INTER_NEAREST)))


def _covered(patch: Pixels, corners: np.ndarray, flat: Flat, rng: random.Random) -> list[Label]:
    """A finger or a chip over the middle, which hides nothing, or over an index: that half nobody may name."""
    ink = [rng.randint(20, 240) for _ in range(3)]
    middle, reach = corners.mean(axis=0), float(np.linalg.norm(corners[1] - corners[0]))
    labels = [flat.label, flat.label]
    if rng.random() < 0.3:
        cv2.circle(patch, [int(v) for v in middle], int(reach * rng.uniform(0.1, 0.22)), ink, -1)
        return labels
    for half in rng.choice(((0,), (1,), (0, 1))):
        corner, across = corners[2 * half], corners[2 * half + 1]
        toward = across if flat.casino and rng.random() < 0.5 else middle
        centre = corner * 0.74 + toward * 0.26
        cv2.circle(patch, [int(v) for v in centre], int(reach * rng.uniform(0.38, 0.46)), ink, -1)
        labels[half] = Label(OTHER)
    return labels


def _index_wide(flat: Flat) -> float:
    """How far the index of a half reaches across the card."""
    return 0.98 if flat.casino else 0.22


def _overlapped(
    patch: Pixels, corners: np.ndarray, flat: Flat, over: Pixels, deep: float, rng: random.Random
) -> list[Label]:
    """Another card over a corner: a half whose index it touches nobody may name."""
    middle, corner = corners.mean(axis=0), corners[rng.randrange(4)]
    away = (corner - middle) / np.linalg.norm(corner - middle)
    turn = math.radians(rng.choice((rng.uniform(-25, 25), rng.uniform(65, 115))))
    height, width = over.shape[:2]
    size = float(np.linalg.norm(corners[2] - corners[1])) / height
    spin = size * np.array([(math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))])
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    turned = (source - np.array((width / 2, height / 2))) @ spin.T
    placed = turned + corner * (1 - deep) + middle * deep - away * (turned @ away).min() * rng.uniform(0.75, 1.0)
    lay = cv2.getPerspectiveTransform(source, placed.astype(np.float32))
    laid = cv2.warpPerspective(over, lay, (patch.shape[1], patch.shape[0]), flags=cv2.INTER_LINEAR)
    seen = laid[:, :, 3] > 127
    patch[seen] = laid[seen, :3]
    hidden = [_share_hidden(seen, corners, half, _index_wide(flat)) for half in (0, 1)]
    return [Label(OTHER) if share > 0.08 else flat.label for share in hidden]


def _share_hidden(seen: np.ndarray, corners: np.ndarray, half: int, wide: float) -> float:
    """How much of a half's index is hidden."""
    start, across, along = corners[2 * half], corners[2 * half + 1], corners[3 - 2 * half]
    across, along = across - start, along - start
    box = np.array([start + across * u + along * v for u, v in ((0.03, 0.03), (wide, 0.03), (wide, 0.3), (0.03, 0.3))])
    index = np.zeros(seen.shape, np.uint8)
    cv2.fillConvexPoly(index, np.rint(box).astype(np.int32), 1)
    return float((index.astype(bool) & seen).sum()) / max(1, int(index.sum()))


def _shadow(rng: random.Random, width: int, height: int) -> np.ndarray:
    """A hard-edged shadow across the picture, its edge softened a little."""
    mask = np.ones((height, width), np.float32)
    points = np.array([(rng.uniform(-0.5, 1.5) * width, rng.uniform(-0.5, 1.5) * height) for _ in range(4)], np.int32)
    cv2.fillPoly(mask, [points], rng.uniform(0.2, 0.8))
    return cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 6))


def _greyed(card: Pixels, rng: random.Random) -> Pixels:
    """A grey picture, by any camera's idea of grey, its contrast perhaps stretched."""
    weights = np.array([rng.uniform(0.05, 0.4), rng.uniform(0.3, 0.8), rng.uniform(0.1, 0.5)], np.float32)
    grey = card.astype(np.float32) @ (weights / weights.sum())
    if rng.random() < 0.4:
        grey = (grey - rng.uniform(0, 60)) * rng.uniform(1.0, 1.8)
    return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def _streak(rng: random.Random, scale: float) -> np.ndarray:
    length = rng.choice((3, 5)) if scale < 2.2 else rng.choice((3, 5, 7))
    streak = np.zeros((length, length), np.float32)
    turn, reach = rng.uniform(0, math.pi), length // 2
    tip = (round(reach * math.cos(turn)), round(reach * math.sin(turn)))
    cv2.line(streak, (reach - tip[0], reach - tip[1]), (reach + tip[0], reach + tip[1]), 1.0)
    return np.asarray(streak / streak.sum())
