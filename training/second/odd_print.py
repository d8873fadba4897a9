"""Faces printed in ways that no deck at hand has: signs of other shapes, as outlines, other sizes and distances.

For teaching only. The faces of a proof are drawn by `training.bank.made_up_face`, which knows nothing of this.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from devices.sim.picture.deck_art import Design, draw_face, random_design
from devices.sim.picture.suit_shape import ODD, Pixels, suit_mask
from studio.cards import DECK, Card
from training import bank as banks
from training import oddment
from training.bank import DRAW_PX_PER_MM, Courts, Flat

SHARE: Final = 0.3
"""How many of the made-up faces are printed so."""

ACES: Final = 0.03
"""How many are aces with a large sign full of ornament, as makers have on the ace of spades."""

_BLACK: Final = tuple(card for card in DECK if card.suit in "cs")


def taught_face(rng: random.Random, fonts: tuple[str, ...], courts: Courts) -> Flat:
    """A made-up face as in a proof, or one printed oddly."""
    if rng.random() < ACES:
        return ornate_ace(rng, fonts)
    return odd_face(rng, fonts) if rng.random() < SHARE else banks.made_up_face(rng, fonts, courts)


def taught_dark_face(rng: random.Random, fonts: tuple[str, ...], courts: Courts) -> Flat:
    """The same on black."""
    if rng.random() >= SHARE:
        return banks.dark_made_up(rng, fonts, courts)
    flat = odd_face(rng, fonts)
    return Flat(banks.darkened(flat.picture, rng), flat.label, flat.casino)


def odd_face(rng: random.Random, fonts: tuple[str, ...]) -> Flat:
    card, design = rng.choice(DECK if rng.random() < 0.5 else _BLACK), _spread(random_design(rng, fonts), rng)
    if rng.random() < 0.3 and (signed := banks.suit_fonts_of(fonts)):
        design = replace(design, suit_font=rng.choice(signed))
    picture = draw_face(design, card, DRAW_PX_PER_MM)
    if rng.random() < 0.3:
        picture = _outlined(picture, rng)
    if rng.random() < 0.3:
        picture = _shaded(picture, rng)
    return Flat(picture, banks.label_of(card), design.layout == "casino")


def ornate_ace(rng: random.Random, fonts: tuple[str, ...]) -> Flat:
    """Its sign is rings, stripes and gaps; small print stands beside it."""
    card, design = Card("A", rng.choice("sshdc")), random_design(rng, fonts)
    rank_mm = rng.uniform(6.0, 11.0)
    design = replace(
        design, layout="poker", four_indices=False, rank_mm=rank_mm, suit_mm=rank_mm * rng.uniform(0.5, 0.9)
    )
    picture = draw_face(design, card, DRAW_PX_PER_MM)
    height, width = picture.shape[:2]
    paper = np.median(picture[:, :, :3].reshape(-1, 3), axis=0)
    top, left = int(0.24 * height), int(0.24 * width)
    picture[top : height - top, left : width - left, :3] = paper
    high = int(height * rng.uniform(0.3, 0.5))
    size = (int(min(high * rng.uniform(0.75, 1.05), 0.62 * width)), high)
    sign = np.asarray(suit_mask(card.suit, ODD + rng.randrange(1_000_000)).resize(size)) > 127
    deep = cv2.distanceTransform(sign.astype(np.uint8), cv2.DIST_L2, 3)
    step = rng.uniform(2.0, 9.0)
    inked = sign & ((deep < rng.uniform(1.5, 5.0)) | ((deep / step).astype(int) % 2 == rng.randrange(2)))
    if rng.random() < 0.6:
        rough = cv2.resize(np.array([[rng.random() for _ in range(9)] for _ in range(12)], np.float32), size)
        inked &= (rough > rng.uniform(0.2, 0.5)) | (deep < 3)
    y, x = (height - size[1]) // 2, (width - size[0]) // 2
    ink = [rng.randint(0, 90)] * 3 if card.suit in "cs" else [rng.randint(0, 60), rng.randint(0, 60), 200]
    picture[y : y + size[1], x : x + size[0], :3][inked] = ink
    if rng.random() < 0.7:
        oddment.lettering(picture, rng, (0.28, rng.uniform(0.16, 0.3), 0.72, 0.9))
    return Flat(picture, banks.label_of(card), casino=False)


def _spread(design: Design, rng: random.Random) -> Design:
    """Sizes and distances beyond those of `random_design`, and a suit's shape of its own."""
    design = replace(
        design,
        plump=ODD + rng.randrange(1_000_000),
        rank_wide=design.rank_wide * rng.uniform(0.75, 1.25),
        suit_wide=rng.uniform(0.72, 1.25),
        heavy=rng.choice((0, 0, 1, 2, 3, 5, 7)),
    )
    if design.layout == "casino":
        return design
    rank_mm = rng.choice((rng.uniform(6.5, 10.0), rng.uniform(9.0, 14.0), rng.uniform(13.0, 20.0)))
    return replace(
        design,
        rank_mm=rank_mm,
        suit_mm=min(16.0, rank_mm * rng.uniform(0.6, 1.3)),
        gap_mm=rng.uniform(0.4, 6.0),
        inset_mm=(rng.uniform(1.2, 6.5), rng.uniform(1.5, 8.0)),
        pip_mm=rng.uniform(6.0, 16.0 if rank_mm < 13 else 9.0),
        pips=rng.random() < (0.9 if rank_mm < 13 else 0.6),
        four_indices=rank_mm < 11 and rng.random() < 0.3,
    )


def _outlined(picture: Pixels, rng: random.Random) -> Pixels:
    """Signs as outlines: what lies deep in the ink is paper again, or another colour."""
    bgr = picture[:, :, :3]
    paper = np.median(bgr.reshape(-1, 3), axis=0)
    ink = (np.abs(bgr.astype(np.int16) - paper.astype(np.int16)).max(axis=2) > 60).astype(np.uint8)
    reach = rng.choice((3, 3, 5))
    deep = cv2.erode(ink, np.ones((reach, reach), np.uint8)) > 0
    filling = paper if rng.random() < 0.6 else np.array([rng.randint(60, 255) for _ in range(3)])
    outlined = picture.copy()
    outlined[deep, :3] = filling
    return outlined


def _shaded(picture: Pixels, rng: random.Random) -> Pixels:
    """Ink or paper that changes its tone across the card, as printed plastic and patterned paper do."""
    height, width = picture.shape[:2]
    rough = np.array([[[rng.uniform(0.78, 1.0) for _ in range(3)] for _ in range(3)] for _ in range(4)], np.float32)
    tone = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    bgr = picture[:, :, :3].astype(np.float32)
    if rng.random() < 0.5:
        bgr = 255 - (255 - bgr) * tone
    else:
        bgr *= tone
    return np.dstack((np.clip(bgr, 0, 255).astype(np.uint8), picture[:, :, 3]))
