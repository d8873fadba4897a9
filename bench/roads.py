"""Measures drawing the roads of a shoe."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from bench.figure import Figure
from studio.views.past.roads import roads_of
from studio.views.shape import RoadMark

SHOES = 400
ROUNDS = 80
LONGEST_MS = 1.0
_SIDES = ("banker", "player")


def measure() -> Sequence[Figure]:
    chance = random.Random("roads")
    shoes = [tuple(_round(chance) for _ in range(ROUNDS)) for _ in range(SHOES)]
    spent = []
    for marks in shoes:  # each another one: none is kept from before
        began = time.perf_counter()
        roads_of(_SIDES, marks)
        spent.append(time.perf_counter() - began)
    middle_ms = sorted(spent)[SHOES // 2] * 1e3
    return [
        Figure(
            name=f"the five roads of {ROUNDS} rounds, and what would come next", value=middle_ms, unit="ms",
            target=f"≤ {LONGEST_MS:.0f} ms", holds=middle_ms <= LONGEST_MS,
        )
    ]  # fmt: skip


def _round(chance: random.Random) -> RoadMark:
    winner = chance.choices((*_SIDES, "tie"), (46, 45, 9))[0]
    return RoadMark(winner, tuple(side for side in _SIDES if chance.random() < 0.07))
