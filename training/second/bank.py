"""Draws the bank of flat things on every core into one array, so that a GPU can photograph them.

The groups are those of `training.bank.training_bank`, many more made-up faces drawn: each process draws with a seed of
its own, the outcome does not depend on how many there are.
"""

from __future__ import annotations

import mmap
import multiprocessing
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from training import bank as banks
from training.bank import FACE, Flat, Label, family_faces
from training.decks import CARD_PX, FAMILIES
from training.second.odd_print import taught_dark_face, taught_face

LOT: Final = 280
"""So many things a process draws at a time; a multiple of 14, the kinds of `_others`."""

SHARES: Final = {
    "made up": 0.42, "dark": 0.06, "backs": 0.055, "others": 0.155, "families": 0.30, "dark families": 0.035,
    "their backs": 0.02, "cut out": 0.055, "cut others": 0.03,
}  # fmt: skip
"""How often a thing of each group is photographed."""


@dataclass(frozen=True, slots=True)
class WideBank:
    """`pictures` `(n, 280, 200, 4) uint8` BGRA; `labels` `(n, 4)`: kind, rank, suit, casino; `weights` `(n,)`."""

    pictures: np.ndarray
    labels: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is drawn and from what; `made_up` faces, and the other groups in proportion."""

    seed: int
    fonts: tuple[str, ...]
    art: Path
    photos: Path | None
    made_up: int


class Drawer:
    """What every process knows before it draws."""

    def __init__(self, lesson: Lesson) -> None:
        self.fonts, self.art, self.photos = lesson.fonts, lesson.art, lesson.photos
        known = [f for f in FAMILIES if not f.held_out and f.name not in banks.UNREADABLE]
        self.families = [list(family_faces(lesson.art / f.name)) for f in known]
        self.families = [family for family in self.families if family]
        self.courts = banks.courts_of(self.families)

    def lot(self, kind: str, seed: int) -> list[Flat]:
        rng = random.Random(seed)  # noqa: S311 - synthetic pictures
        match kind:
            case "made up":
                return [taught_face(rng, self.fonts, self.courts) for _ in range(LOT)]
            case "dark":
                return [taught_dark_face(rng, self.fonts, self.courts) for _ in range(LOT)]
            case "backs":
                return [
                    Flat(banks.draw_back(rng.randrange(1 << 30), banks.DRAW_PX_PER_MM), Label(banks.BACK))
                    for _ in range(LOT)
                ]
            case "others":
                return list(banks.drawn_others(rng, self.fonts, self.art, self.families, LOT))
        raise ValueError(kind)


_drawer: Drawer
_sheet: np.ndarray


def _draw(job: tuple[int, str, int]) -> tuple[int, list[tuple[int, int, int, int]]]:
    cv2.setNumThreads(1)
    first, kind, seed = job
    labels = []
    for number, flat in enumerate(_drawer.lot(kind, seed)):
        _sheet[first + number] = sized(flat.picture)
        labels.append(label_row(flat))
    return first, labels


def sized(picture: np.ndarray) -> np.ndarray:
    if picture.shape[:2] != (CARD_PX[1], CARD_PX[0]):
        picture = cv2.resize(picture, CARD_PX, interpolation=cv2.INTER_CUBIC)
    return picture


def label_row(flat: Flat) -> tuple[int, int, int, int]:
    return flat.label.kind, flat.label.rank, flat.label.suit, int(flat.casino)


def wide_bank(lesson: Lesson, processes: int, shares: Mapping[str, float] = SHARES) -> WideBank:
    """The made-up faces of a lesson drawn, and the other groups in proportion."""
    global _drawer, _sheet
    seed, made_up = lesson.seed, lesson.made_up
    _drawer = Drawer(lesson)
    amounts = {"made up": made_up, "dark": made_up // 6, "backs": made_up // 16, "others": made_up // 4}
    jobs: list[tuple[int, str, int]] = []
    spans: dict[str, tuple[int, int]] = {}
    at = 0
    for kind, amount in amounts.items():
        lots = max(1, amount // LOT)
        jobs += [(at + lot * LOT, kind, seed * 1_000_003 + len(jobs) + lot) for lot in range(lots)]
        spans[kind] = (at, at + lots * LOT)
        at += lots * LOT
    fixed = _fixed(_drawer, seed, shares)
    total = at + sum(len(flats) for _, flats in fixed)
    shape = (total, CARD_PX[1], CARD_PX[0], 4)
    _sheet = np.frombuffer(mmap.mmap(-1, int(np.prod(shape))), np.uint8).reshape(shape)
    labels, weights = np.full((total, 4), -1, np.int64), np.zeros(total, np.float64)
    jobs.sort(key=lambda job: job[1] != "made up")
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for first, rows in pool.imap_unordered(_draw, jobs):
            labels[first : first + len(rows)] = rows
    for kind, (start, stop) in spans.items():
        weights[start:stop] = shares[kind] / (stop - start)
    for share, flats in fixed:
        for number, flat in enumerate(flats):
            _sheet[at + number] = sized(flat.picture)
            labels[at + number] = label_row(flat)
        weights[at : at + len(flats)] = share / len(flats)
        at += len(flats)
    return WideBank(_sheet, labels, weights / weights.sum())


def _fixed(drawer: Drawer, seed: int, shares: Mapping[str, float]) -> list[tuple[float, list[Flat]]]:
    """The groups that are what they are: other people's decks, their backs, cards cut out of photographs."""
    rng = random.Random(seed)  # noqa: S311 - synthetic pictures
    groups = [(shares["families"] / len(drawer.families), family) for family in drawer.families]
    dark = [Flat(banks.darkened(f.picture, rng), f.label) for family in drawer.families for f in family[::4]]
    groups.append((shares["dark families"], dark))
    backs = [flat for flat in banks.drawn_backs(rng, drawer.art, 0)]
    groups.append((shares["their backs"], backs))
    if drawer.photos:
        cut = list(banks.cut_out(drawer.photos))
        faces, others = ([flat for flat in cut if (flat.label.kind == FACE) is wanted] for wanted in (True, False))
        groups += [(shares["cut out"], faces), (shares["cut others"] * min(1.0, len(others) / 150), others)]
    return [(share, flats) for share, flats in groups if flats]
