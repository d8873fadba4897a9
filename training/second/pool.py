"""Half cards for networks that learn on a processor: one process draws them into memory that all see.

Three in four are photographed by `training.crops`, which is quickest there, the rest by the GPU's darkroom, which knows
wider frames, fingers and lenses. Made-up faces are drawn anew all the while, so that no face is shown too often.
"""

from __future__ import annotations

import bisect
import itertools
import multiprocessing
import random
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import Tensor

from training.bank import Bank, Flat, Label
from training.crops import Darkroom, Hardness, Sample
from training.second.bank import LOT, SHARES, Drawer, Lesson, WideBank, label_row, sized, wide_bank
from training.second.chance import NOT_TAUGHT
from training.second.darkroom import GpuDarkroom
from training.second.odd_print import taught_face

TAUGHT: Final = Hardness(
    reprint=0.45, blur_mm=0.65, noise=13.0, px_per_mm=(1.1, 3.6), corner_mm=0.9, covered=0.07, across=0.2
)
OFTENER: Final = {**SHARES, "dark": 0.10, "cut out": 0.09}
"""More of what the photographs showed it lacks: gold and white signs on black."""

ONE_BY_ONE, SHOOT, ANEW = 192, 20, 36
"""Half cards by `training.crops`, cards by the GPU's darkroom, and made-up faces drawn anew, in one round."""


class Pool:
    """`(size, 3, 80, 112) uint8` half cards, BGR, and their labels `(size, 3)`, in memory all processes see."""

    def __init__(self, size: int) -> None:
        self.pictures = torch.zeros((size, 3, 80, 112), dtype=torch.uint8).share_memory_()
        self.labels = torch.zeros((size, 3), dtype=torch.int64).share_memory_()
        context = multiprocessing.get_context("fork")
        self.drawn: Any = context.Value("q", 0)
        self.begun = context.Event()
        """Set once a quarter of it is filled."""

    @property
    def filled(self) -> int:
        return min(self.drawn.value, len(self.labels))

    def put(self, pictures: Tensor, labels: Tensor) -> None:
        """In empty places first, then in place of any."""
        free = range(self.filled, min(self.filled + len(labels), len(self.labels)))
        where = torch.tensor(free) if len(free) == len(labels) else torch.randperm(len(self.labels))[: len(labels)]
        self.pictures[where], self.labels[where] = pictures, labels
        self.drawn.value += len(labels)
        if 4 * self.drawn.value >= len(self.labels):
            self.begun.set()


class _Things(Bank):
    """The wide bank as `training.crops` draws from it."""

    def __init__(self, wide: WideBank) -> None:
        super().__init__(())
        object.__setattr__(self, "wide", wide)
        object.__setattr__(self, "sums", list(itertools.accumulate(wide.weights)))

    def draw(self, rng: random.Random) -> Flat:
        wide, sums = self.wide, self.sums
        at = min(bisect.bisect(sums, rng.random() * sums[-1]), len(sums) - 1)
        kind, rank, suit, casino = (int(part) for part in wide.labels[at])
        return Flat(wide.pictures[at], Label(kind, rank, suit), casino == 1)


def fill(pool: Pool, lesson: Lesson) -> None:
    """The drawing process; without end."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    wide = wide_bank(lesson, 2, OFTENER)
    rng, drawer = random.Random(lesson.seed + 1), Drawer(lesson)  # noqa: S311
    one_by_one = Darkroom(lesson.seed, _Things(wide), TAUGHT).samples()
    many = (torch.from_numpy(part) for part in (wide.pictures, wide.labels, wide.weights))
    room = GpuDarkroom(*many, lesson.seed)
    anew = 0
    while True:
        pool.put(*_packed(list(itertools.islice(one_by_one, ONE_BY_ONE))))
        with torch.no_grad():
            pool.put(*room.shoot(SHOOT))
        for _ in range(ANEW):
            flat = taught_face(rng, lesson.fonts, drawer.courts)
            wide.pictures[anew], wide.labels[anew] = sized(flat.picture), label_row(flat)
            anew = (anew + 1) % (lesson.made_up // LOT * LOT)


def _packed(samples: list[Sample]) -> tuple[Tensor, Tensor]:
    pictures = np.stack([picture for picture, _ in samples]).transpose(0, 3, 1, 2)
    labels = torch.tensor([(label.kind, label.rank, label.suit) for _, label in samples])
    labels[labels < 0] = NOT_TAUGHT
    return torch.from_numpy(np.ascontiguousarray(pictures)), labels
