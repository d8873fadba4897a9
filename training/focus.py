"""What the reader says of cards out of focus: it must refuse them, not take clubs for spades.

    python -m training.focus --fonts DIR [--cards 288]

Cards about 118 px high on cloth, their outlines known, half of them of the simulated felts' deck and half of decks of
chance in the typefaces of DIR, then blurred, streaked or enlarged. Right and WRONG at the certainty of a picture of
anything: the first network alone, the second alone, both as they ship.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from devices.camera.face.half_reader import HalfReader
from devices.camera.face.reader import SURE_FREE, CardReader, Scores, judge
from devices.camera.picture.quadrilateral import Pixels, Quad, halves_of, rectify
from devices.sim.picture.deck_art import FELT_POKER, draw_face
from studio.cards import DECK
from training.bank import DRAW_PX_PER_MM, made_up_face
from training.prove import HEIGHT_PX, name_of
from training.typeface import lettered

HIGH_PX: Final = 118.0
_SEED: Final = 401
_SHEET_PX: Final = 180
_NOISE: Final = 3.0

Mishap = Callable[[Pixels, float], Pixels]


def cards_on_cloth(fonts: tuple[str, ...], count: int) -> Iterator[tuple[str, Pixels, Quad]]:
    """Pictures of one card each, sharp and without noise: its name, the picture, its outline."""
    rng = random.Random(_SEED)  # noqa: S311 - synthetic pictures
    for number in range(count):
        card = rng.choice(DECK)
        if number % 2:
            flat = made_up_face(rng, fonts, {})
            name, art = name_of(flat), flat.picture
        else:
            name, art = str(card), draw_face(FELT_POKER, card, DRAW_PX_PER_MM)
        yield name, *_laid(art, rng)


def _laid(art: Pixels, rng: random.Random) -> tuple[Pixels, Quad]:
    high, wide = HIGH_PX * rng.uniform(0.97, 1.03), HIGH_PX * art.shape[1] / art.shape[0]
    turn = math.radians(rng.uniform(-6, 6))
    spin = np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))])
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    quad = (square * (wide, high) @ spin + _SHEET_PX / 2).astype(np.float32)
    height, width = art.shape[:2]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    small = cv2.GaussianBlur(art, (0, 0), 0.4 * height / high)
    laid = cv2.warpPerspective(small, cv2.getPerspectiveTransform(source, quad), (_SHEET_PX, _SHEET_PX))
    cloth = np.array([rng.uniform(30, 70), rng.uniform(80, 130), rng.uniform(20, 60)])
    cover = laid[:, :, 3:] / 255.0
    light = 0.75 + 0.25 * np.linspace(rng.random(), rng.random(), _SHEET_PX)[None, :, None]
    picture = (laid[:, :, :3] * cover + cloth * (1 - cover)) * light
    return np.asarray(np.clip(picture, 0, 255), np.uint8), quad


def soft(picture: Pixels, sigma_px: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8)


def lens(picture: Pixels, radius_px: float) -> Pixels:
    reach = math.ceil(radius_px) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(picture, -1, disc / disc.sum()), np.uint8)


def streak(picture: Pixels, length_px: float) -> Pixels:
    """Moved downwards while it was taken."""
    kernel = np.ones((round(length_px), 1)) / round(length_px)
    return np.asarray(cv2.filter2D(picture, -1, kernel), np.uint8)


def enlarged(picture: Pixels, share: float) -> Pixels:
    few = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(few, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC), np.uint8)


MISHAPS: Final[tuple[tuple[str, Mishap, tuple[float, ...]], ...]] = (
    ("blur", soft, (1.0, 1.6, 2.0, 2.4, 2.8, 3.2, 3.6)),
    ("lens", lens, (3.0, 4.0, 5.0)),
    ("streak", streak, (7.0, 11.0)),
    ("enlarged", enlarged, (0.45, 0.35, 0.28)),
)


def alone(network: HalfReader, cards: list[Pixels]) -> list[Scores]:
    rows, _ = network.hear([half for card in cards for half in halves_of(card)])
    return list(rows.reshape(-1, 2, rows.shape[1]))


def counted(names: list[str], scores: list[Scores]) -> str:
    said = [judge(one, HEIGHT_PX, SURE_FREE).card for one in scores]
    right = sum(str(card) == name for card, name in zip(said, names, strict=True))
    wrong = [f"{name} named {card}" for card, name in zip(said, names, strict=True) if card and str(card) != name]
    return f"{right} / {len(wrong)}"


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--fonts", type=Path, required=True)
    asked.add_argument("--cards", type=int, default=288)
    given = asked.parse_args()
    cv2.setNumThreads(1)
    shown = list(cards_on_cloth(tuple(map(str, lettered(given.fonts))), given.cards))
    names, noise = [name for name, _, _ in shown], np.random.default_rng(_SEED)
    first, second, both = HalfReader("reader"), HalfReader("second"), CardReader()
    for kind, mishap, strengths in MISHAPS:
        for strength in strengths:
            cards = []
            for _, picture, quad in shown:
                grained = mishap(picture, strength) + noise.normal(0, _NOISE, picture.shape)
                cards.append(rectify(np.asarray(np.clip(grained, 0, 255), np.uint8), quad))
            told = (
                counted(names, scores) for scores in (alone(first, cards), alone(second, cards), both.scores(cards))
            )
            sys.stdout.write(f"| {kind} {strength} | {' | '.join(told)} |\n")


if __name__ == "__main__":
    main()
