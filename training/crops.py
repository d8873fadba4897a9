"""The only place for the synthetic pictures the reader is trained and calibrated on.

A card of a made-up design is drawn, laid on a made-up ground, degraded as a camera degrades it and rectified
as the reader rectifies it, with the reader's own errors; both halves become samples. Nothing here is a photograph.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from devices.camera.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from devices.camera.rectify import CARD_PX, halves_of
from devices.sim.deck_art import Design, draw_face, random_design
from devices.sim.deck_back import draw_back, draw_cut_card, draw_joker
from devices.sim.suit_shape import Pixels
from studio.cards import DECK

DRAW_PX_PER_MM = 3.0
FACE, BACK, OTHER = 0, 1, 2
NO_LABEL = -1


@dataclass(frozen=True, slots=True)
class Label:
    """What a half card is: `kind` FACE, BACK or OTHER; rank and suit are NO_LABEL unless it is a face."""

    kind: int
    rank: int = NO_LABEL
    suit: int = NO_LABEL


@dataclass(frozen=True, slots=True)
class Hardness:
    """How badly the camera treats a card; 1.0 is the training range."""

    blur_mm: float = 0.5
    noise: float = 9.0
    px_per_mm: tuple[float, float] = (1.2, 3.2)
    corner_mm: float = 0.7


def samples(
    seed: int, fonts: tuple[str, ...], *, hardness: Hardness | None = None, faces_only: bool = False
) -> Iterator[tuple[Pixels, Label]]:
    """Half cards without end, `(64, 96, 3) uint8` BGR, the two halves of one card after each other."""
    rng = random.Random(seed)  # noqa: S311 - synthetic pictures
    noise = np.random.default_rng(seed)
    while True:
        card, label, design = _card(rng, fonts, faces_only=faces_only)
        for _ in range(2):
            yield from _photographed(card, label, design, rng, noise, hardness or Hardness())


def _card(rng: random.Random, fonts: tuple[str, ...], *, faces_only: bool) -> tuple[Pixels, Label, Design | None]:
    chance = 0.0 if faces_only else rng.random()
    if chance < 0.8:
        card, design = rng.choice(DECK), random_design(rng, fonts)
        label = Label(FACE, card.index // 4, card.index % 4)
        return draw_face(design, card, DRAW_PX_PER_MM), label, design
    if chance < 0.91:
        return draw_back(rng.randrange(1 << 30), DRAW_PX_PER_MM), Label(BACK), None
    if chance < 0.94:
        return draw_joker(rng.randrange(1 << 30), DRAW_PX_PER_MM, rng.choice(fonts)), Label(OTHER), None
    if chance < 0.955:
        return draw_cut_card(rng.randrange(1 << 30), DRAW_PX_PER_MM), Label(OTHER), None
    return _oddment(rng, fonts), Label(OTHER), None


def _oddment(rng: random.Random, fonts: tuple[str, ...]) -> Pixels:
    """A thing the locator may take for a card: a face wrongly framed, lettering, a chip, skin, bare cloth."""
    width, height = round(CARD_WIDTH_MM * DRAW_PX_PER_MM), round(CARD_HEIGHT_MM * DRAW_PX_PER_MM)
    kind = rng.choice(("askew", "askew", "lettering", "chip", "skin", "cloth"))
    picture = np.empty((height, width, 4), np.uint8)
    picture[:] = (*(rng.randint(20, 250) for _ in range(3)), 255)
    if kind == "askew":
        face = draw_face(random_design(rng, fonts), rng.choice(DECK), DRAW_PX_PER_MM)
        turn = rng.choice((rng.uniform(35, 145), rng.uniform(-145, -35), rng.uniform(-5, 5)))
        shift = 0.0 if abs(turn) > 10 else rng.choice((-1, 1)) * rng.uniform(0.35, 0.6)
        turned = cv2.getRotationMatrix2D((width / 2, height / 2), turn, rng.uniform(0.8, 1.6))
        turned[:, 2] += (shift * width * rng.choice((0, 1)), shift * height)
        return cv2.warpAffine(face, turned, (width, height), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    ink = tuple(rng.randint(0, 255) for _ in range(3))
    if kind == "lettering":
        for line in range(rng.randint(1, 8)):
            words = "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ") for _ in range(10))
            at = (rng.randint(-40, 40), 30 + line * rng.randint(20, 60))
            cv2.putText(picture, words, at, rng.randint(0, 7), rng.uniform(0.6, 3), (*ink, 255), rng.randint(1, 5))
    elif kind == "chip":
        for _ in range(rng.randint(1, 4)):
            at, radius = (rng.randint(0, width), rng.randint(0, height)), rng.randint(25, 80)
            cv2.circle(picture, at, radius, (*ink, 255), -1)
            cv2.circle(
                picture, at, radius * 2 // 3, (*(rng.randint(0, 255) for _ in range(3)), 255), rng.randint(2, 12)
            )
    elif kind == "skin":
        picture[:, :, :3] = (rng.randint(80, 160), rng.randint(110, 180), rng.randint(150, 235))
    return picture


def _photographed(
    card: Pixels, label: Label, design: Design | None, rng: random.Random, noise: np.random.Generator, hard: Hardness
) -> Iterator[tuple[Pixels, Label]]:
    scale = math.exp(rng.uniform(*(math.log(edge) for edge in hard.px_per_mm)))
    patch, corners = _laid(card, rng, scale)
    if label.kind == FACE and rng.random() < 0.08:
        label = _covered(patch, corners, label, design, rng)
    shot = _shot(patch, rng, noise, hard, scale)
    found = corners + noise.normal(0, hard.corner_mm * rng.random() * scale, corners.shape).astype(np.float32)
    width, height = CARD_PX
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    rectified = cv2.warpPerspective(shot, cv2.getPerspectiveTransform(found, target), CARD_PX, flags=cv2.INTER_LINEAR)
    for half in halves_of(rectified):
        yield half, label


def _laid(card: Pixels, rng: random.Random, scale: float) -> tuple[Pixels, np.ndarray]:
    """The card on a ground in some perspective; the picture and the card's corners in it."""
    height, width = card.shape[:2]
    margin = 6 * scale
    size = (int(CARD_WIDTH_MM * scale + 2 * margin), int(CARD_HEIGHT_MM * scale + 2 * margin))
    turn = math.radians(rng.uniform(-4, 4))
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], np.float32)
    corners *= np.array((CARD_WIDTH_MM * scale, CARD_HEIGHT_MM * scale), np.float32)
    spin = np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))], np.float32)
    lean = np.array([[rng.uniform(-2.5, 2.5) * scale for _ in range(2)] for _ in range(4)], np.float32)
    corners = corners @ spin + lean + np.array(size, np.float32) / 2
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    softened = cv2.GaussianBlur(card, (0, 0), max(0.3, 0.42 * DRAW_PX_PER_MM / scale))
    laid = cv2.warpPerspective(softened, cv2.getPerspectiveTransform(source, corners), size, flags=cv2.INTER_LINEAR)
    ground = np.full((size[1], size[0], 3), [rng.randint(0, 255) for _ in range(3)], np.float32)
    cover = laid[:, :, 3:].astype(np.float32) / 255
    return (laid[:, :, :3] * cover + ground * (1 - cover)).astype(np.uint8), corners


def _covered(patch: Pixels, corners: np.ndarray, label: Label, design: Design | None, rng: random.Random) -> Label:
    """Cover both indices with skin or cloth: then nobody may name the card."""
    assert design is not None
    ink = [rng.randint(60, 240) for _ in range(3)]
    middle = corners.mean(axis=0)
    if rng.random() < 0.5:
        cv2.circle(patch, [int(v) for v in middle], rng.randint(10, 30), ink, -1)
        return label
    for corner, across in ((0, 1), (2, 3)):
        toward = corners[across] if design.layout == "casino" and rng.random() < 0.5 else middle
        centre = corners[corner] * 0.72 + toward * 0.28
        reach = float(np.linalg.norm(corners[1] - corners[0])) * 0.42
        cv2.circle(patch, [int(v) for v in centre], int(reach), ink, -1)
    return Label(OTHER)


def _shot(patch: Pixels, rng: random.Random, noise: np.random.Generator, hard: Hardness, scale: float) -> Pixels:
    """Light, lens, sensor and compression."""
    light = patch.astype(np.float32)
    height, width = patch.shape[:2]
    slope_x = np.linspace(rng.uniform(-0.25, 0.25), rng.uniform(-0.25, 0.25), width, dtype=np.float32)
    slope_y = np.linspace(rng.uniform(-0.25, 0.25), rng.uniform(-0.25, 0.25), height, dtype=np.float32)
    level = rng.uniform(0.5, 1.2)
    light *= (level * (1 + slope_y[:, None] + slope_x[None, :]))[:, :, None]
    light *= np.array([rng.uniform(0.86, 1.12) for _ in range(3)], np.float32)
    if rng.random() < 0.3:
        grey = light.mean(axis=2, keepdims=True)
        light = grey + (light - grey) * rng.uniform(0.4, 1.25)
    light += rng.uniform(0, 35)
    if rng.random() < 0.1:
        spot = np.zeros((height, width), np.float32)
        cv2.circle(spot, (rng.randrange(width), rng.randrange(height)), rng.randint(8, 30), 180.0, -1)
        light += cv2.GaussianBlur(spot, (0, 0), 8)[:, :, None]
    sigma = rng.random() ** 2 * hard.blur_mm * scale
    if sigma > 0.25:
        light = cv2.GaussianBlur(light, (0, 0), sigma)
    if rng.random() < 0.15:
        light = cv2.filter2D(light, -1, _streak(rng))
    light += noise.normal(0, 0.3 + rng.random() ** 1.5 * hard.noise, light.shape).astype(np.float32)
    shot = np.clip(light, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = (cv2.IMWRITE_JPEG_QUALITY, rng.randint(40, 95))
        shot = cv2.imdecode(cv2.imencode(".jpg", shot, quality)[1], cv2.IMREAD_COLOR)
    return shot


def _streak(rng: random.Random) -> np.ndarray:
    length = rng.choice((3, 5))
    streak = np.zeros((length, length), np.float32)
    turn = rng.uniform(0, math.pi)
    reach = length // 2
    tip = (round(reach * math.cos(turn)), round(reach * math.sin(turn)))
    cv2.line(streak, (reach - tip[0], reach - tip[1]), (reach + tip[0], reach + tip[1]), 1.0)
    return streak / streak.sum()
