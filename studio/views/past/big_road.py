"""The big road: finished rounds as circles on six rows, and where each of them stands.

The roads that are read out of it hang the same way, with a mark of their own for each circle: see `views.roads`.

A circle stands below the one before it while the same hand wins. At the bottom, or above a circle that is there
already, the run turns right and stays in that row. When the other hand wins, the next run begins in the top row, in
the first column to the right of where the last run began that is free there. [KK-21]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

ROWS: Final = 6
DRAW: Final = "draw"


@dataclass(frozen=True, slots=True)
class Circle:
    """One won round. Columns and rows count from 0, at the top left; `draws` are the draws that followed it."""

    column: int
    row: int
    winner: str
    draws: int = 0


@dataclass(frozen=True, slots=True)
class BigRoad:
    """The circles, the oldest first. `draws_first` were drawn before anyone had won: they have no circle to lie on."""

    circles: tuple[Circle, ...] = ()
    draws_first: int = 0

    @property
    def columns(self) -> int:
        return max((circle.column + 1 for circle in self.circles), default=0)


def big_road(winners: Iterable[str], draw: str = DRAW) -> BigRoad:
    """The road of these rounds, the oldest first: `draw`, or the key of the hand that won. Leave void rounds out.

    >>> [(circle.column, circle.row, circle.draws) for circle in big_road(["king", "draw", "king", "shark"]).circles]
    [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    circles: list[Circle] = []
    draws_first = 0
    taken: set[tuple[int, int]] = set()
    began = -1
    for winner in winners:
        if winner == draw:
            if circles:
                circles[-1] = replace(circles[-1], draws=circles[-1].draws + 1)
            else:
                draws_first += 1
            continue
        if circles and circles[-1].winner == winner:
            column, row = _next_place(circles[-1], began, taken)
        else:
            began = column = _free_column(began + 1, taken)
            row = 0
        taken.add((column, row))
        circles.append(Circle(column, row, winner))
    return BigRoad(tuple(circles), draws_first)


def newest_of(road: BigRoad, columns: int) -> BigRoad:
    """The part of a road that fits, moved to begin at column 0; the newest circle is always in it."""
    if not road.circles:
        return road
    first = min(max(0, road.columns - columns), road.circles[-1].column)
    shown = (circle for circle in road.circles if first <= circle.column < first + columns)
    return BigRoad(tuple(replace(circle, column=circle.column - first) for circle in shown), road.draws_first)


def _next_place(last: Circle, began: int, taken: set[tuple[int, int]]) -> tuple[int, int]:
    """Below the last circle of a run; to its right once the run has turned, or where there is no place below."""
    below = last.column, last.row + 1
    if last.column == began and below[1] < ROWS and below not in taken:
        return below
    return last.column + 1, last.row


def _free_column(column: int, taken: set[tuple[int, int]]) -> int:
    """The first column from there on whose top row is free; a run may lie along the top row too."""
    while (column, 0) in taken:
        column += 1
    return column
