"""The statistics of a display: shares of the last rounds that count, and the marks of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.views import tally
from studio.views.shape import ResultView, TableView

SHOWN: Final = 16
"""Rounds with a mark of their own."""


@dataclass(frozen=True, slots=True)
class Share:
    """How one Player box fared: whole percents that add up to 100, and of how many rounds."""

    box: str
    win: int
    tie: int
    lose: int
    rounds: int


def shares(results: Sequence[ResultView], boxes: Sequence[str]) -> tuple[Share, ...]:
    """
    >>> shares([ResultView("r", 1, 0, False, {"player1": {"result": "win"}})], ["player1"])
    (Share(box='player1', win=100, tie=0, lose=0, rounds=1),)
    """
    return tuple(found for box in boxes if (found := _share(results, box)).rounds)


def marks(results: Sequence[ResultView], boxes: Sequence[str]) -> tuple[tuple[ResultView, tuple[str, ...]], ...]:
    """The last rounds, newest first, each with what every box made of it."""
    newest = tuple(results)[-SHOWN:][::-1]
    return tuple((one, tuple(str((one.outcome.get(box) or {}).get("result", "")) for box in boxes)) for one in newest)


def player_boxes(view: TableView) -> tuple[str, ...]:
    """The boxes that win or lose, as finished rounds say: against the bank, or one against the other."""
    found = tuple(box.key for box in view.boxes if box.key not in ("banker", "dealer", "board", "burn"))
    told = {box for one in view.past.results for box in found if "result" in (one.outcome.get(box) or {})}
    return tuple(box for box in found if box in told or not told)


def _share(results: Sequence[ResultView], box: str) -> Share:
    counted = tally(results, box)
    rounds = sum(counted.values())
    win = round(100 * counted.get("win", 0) / rounds) if rounds else 0
    tie = round(100 * counted.get("tie", 0) / rounds) if rounds else 0
    return Share(box, win, tie, 100 - win - tie, rounds)
