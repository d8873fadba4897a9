"""The five roads of a shoe, of any game that two sides play out: bead plate, big road, and the three read out of it.

The bead plate has every round in its order, six to a column. The big road has every round that was won: see
`views.big_road`. Big eye boy, small road and cockroach pig say how regular the big road is: each circle of it is held
against the column one, two or three to the left of its own, and is red where the two columns go alike, blue where not.
Columns are counted there as if runs never turned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from studio.views.past.big_road import ROWS, BigRoad, big_road
from studio.views.shape import RoadMark

READ_OUT: Final[Mapping[str, int]] = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
"""The roads that are read out of the big road: each by how far to the left it looks."""

ALIKE: Final = "red"
OTHERWISE: Final = "blue"
TIE: Final = "tie"


@dataclass(frozen=True, slots=True)
class Bead:
    """One round on the bead plate, ties too: columns and rows count from 0, at the top left."""

    column: int
    row: int
    mark: RoadMark


@dataclass(frozen=True, slots=True)
class Roads:
    """The roads of one shoe. `won` are the rounds of the big road's circles, in their order; `read_out` the three
    others by name, their circles won by `red` or `blue`.

    `ask` says, for a win of each side, what each of those three would show next; empty where it would show nothing.
    `counts`: how often each side won, how often they tied, and the pairs of each side, as `banker_pair`, where
    a hand has pairs.
    """

    beads: tuple[Bead, ...]
    big: BigRoad
    won: tuple[RoadMark, ...]
    read_out: Mapping[str, BigRoad]
    ask: Mapping[str, Mapping[str, str]]
    counts: Mapping[str, int]


@lru_cache(maxsize=64)
def roads_of(sides: tuple[str, str], marks: tuple[RoadMark, ...], *, pairs: bool = True) -> Roads:
    """The roads of these rounds, the oldest first; void rounds are left out by whoever asks.

    >>> dealt = tuple(RoadMark(winner) for winner in ("banker", "player", "tie", "banker", "banker", "player"))
    >>> roads = roads_of(("banker", "player"), dealt)
    >>> [circle.winner for circle in roads.read_out["big_eye_boy"].circles], roads.ask["player"]["big_eye_boy"]
    (['red', 'blue', 'blue'], 'red')
    """
    won = tuple(mark for mark in marks if mark.winner in sides)
    winners = [mark.winner for mark in won]
    runs = [len(tuple(run)) for _, run in groupby(winners)]
    return Roads(
        beads=tuple(Bead(*divmod(at, ROWS), mark) for at, mark in enumerate(marks)),
        big=big_road((mark.winner if mark.winner in sides else TIE for mark in marks), TIE),
        won=won,
        read_out={name: big_road(_read_out(runs, left)) for name, left in READ_OUT.items()},
        ask={side: _ask(runs, repeats=winners[-1:] == [side]) for side in sides},
        counts=_counts(sides, marks) | (_pairs(sides, marks) if pairs else {}),
    )


def _read_out(runs: Sequence[int], left: int) -> list[str]:
    """The marks of a road that looks `left` columns back: one for each circle of the big road, from the first it can
    mark.
    """
    shown: list[str] = []
    for column, length in enumerate(runs):
        shown += [_shown(runs, column, row, left) for row in range(length)]
    return [mark for mark in shown if mark]


def _shown(runs: Sequence[int], column: int, row: int, left: int) -> str:
    """What is shown for the circle in that column and row; empty where nothing is there to hold it against.

    The first circle of a column says whether the two columns before it, one and `left` more to the left, are of one
    length. Another says whether the column `left` to its own has a circle beside it, or ended well above.
    """
    if row == 0:
        return "" if column <= left else ALIKE if runs[column - 1] == runs[column - 1 - left] else OTHERWISE
    return "" if column < left else OTHERWISE if runs[column - left] == row else ALIKE


def _ask(runs: Sequence[int], *, repeats: bool) -> Mapping[str, str]:
    """What comes next in each road read out, if the run goes on or another begins."""
    if repeats:
        return {name: _shown(runs, len(runs) - 1, runs[-1], left) for name, left in READ_OUT.items()}
    return {name: _shown(runs, len(runs), 0, left) for name, left in READ_OUT.items()}


def _counts(sides: tuple[str, str], marks: Sequence[RoadMark]) -> dict[str, int]:
    winners = Counter(mark.winner if mark.winner in sides else TIE for mark in marks)
    return {who: winners[who] for who in (*sides, TIE)}


def _pairs(sides: tuple[str, str], marks: Sequence[RoadMark]) -> dict[str, int]:
    pairs = Counter(pair for mark in marks for pair in mark.pairs)
    return {f"{side}_pair": pairs[side] for side in sides}
