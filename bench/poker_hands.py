"""Measures how fast poker hands are read: one by one, summed up in a loop, and as arrays.

Processor time of this one thread, the best of several turns: what a core can do, whoever else wants it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from phevaluator import evaluate_cards

from bench.figure import Figure
from studio.hands.array_evaluator import array_evaluator_of
from studio.hands.evaluator import KEYS, Evaluator, evaluator_of
from studio.hands.poker import STANDARD

SINGLE: Final = 100_000
MANY: Final = 1_000_000
TURNS: Final = 7
HELD: Final = (3, 17, 22, 40, 9)


def measure() -> Sequence[Figure]:
    decks = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.uint8), (MANY // 4, 1)), axis=1)
    hands = decks[:, :28].reshape(MANY, 7)
    few = [tuple(hand) for hand in hands[:SINGLE].tolist()]
    one, arrays = evaluator_of(STANDARD), array_evaluator_of(STANDARD)
    bare = _ns(SINGLE, lambda: [evaluate_cards(*hand) for hand in few])
    started_s = time.process_time()
    Evaluator(STANDARD)
    built_s = time.process_time() - started_s
    million = "at most 1,000 ns, a million a second"
    return [
        _figure(
            "seven cards, one call a hand", _ns(SINGLE, lambda: [one.of_seven(hand) for hand in few]), bare, million
        ),
        _figure("any number of cards, one call a hand", _ns(SINGLE, lambda: [one.of(hand) for hand in few]), bare, ""),
        _figure(
            "the last two of seven in a loop of sums", _ns(47 * 46 // 2 * 50, lambda: _loop(one, 50)), bare, million
        ),
        _figure(
            "seven cards, arrays",
            _ns(MANY, lambda: arrays.of(hands)),
            bare,
            "at most 100 ns, ten million a second",
            100,
        ),
        Figure(
            name="making the tables", value=built_s * 1000, unit="ms", target="at most 1,500 ms", holds=built_s < 1.5
        ),
    ]


def _figure(name: str, value: float, bare: float, target: str, most_ns: int = 1_000) -> Figure:
    holds = value <= most_ns if target else None
    return Figure(name=name, value=value, unit="ns", raw=bare, raw_name="phevaluator", target=target, holds=holds)


def _loop(evaluator: Evaluator, turns: int) -> int:
    """Every two cards after five that are held, as a rulebook's enumeration would go through them."""
    best, start = 0, evaluator.empty + sum(KEYS[card] for card in HELD)
    rest = [KEYS[card] for card in range(52) if card not in HELD]
    for _ in range(turns):
        for place, sixth in enumerate(rest):
            six = start + sixth
            for seventh in rest[place + 1 :]:
                best = max(best, evaluator.of_sum(six + seventh))
    return best


def _ns(hands: int, work: Callable[[], object]) -> float:
    taken_s = []
    for _ in range(TURNS):
        started_s = time.process_time()
        work()
        taken_s.append(time.process_time() - started_s)
    return min(taken_s) / hands * 1e9
