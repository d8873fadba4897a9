"""The roads of a shoe as screens draw them: as much of each as there is room for, and what each side is drawn in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from studio.games import find_game
from studio.views.past.big_road import BigRoad, newest_of
from studio.views.past.roads import Bead, Roads, roads_of
from studio.views.shape import RoadMark, TableView

BEADS: Final = 12
"""So many columns of the bead plate are shown."""

COLUMNS: Final = 24
"""So many columns of each other road."""

_COLOURS: Final = ("red", "blue")


@dataclass(frozen=True, slots=True)
class RoadShow:
    """Every road begins at its own first column. `sides`: the two boxes, and `colours` what they are drawn in.

    `big` holds the circles of the big road, each with the round it stands for; `ties_first` came before any of them.
    `read_out` and `ask` are those of `Roads`, `counts` too.
    """

    sides: tuple[str, str]
    colours: Mapping[str, str]
    beads: tuple[Bead, ...]
    big: tuple[tuple[int, int, int, RoadMark], ...]
    ties_first: int
    read_out: Mapping[str, BigRoad]
    ask: Mapping[str, Mapping[str, str]]
    counts: Mapping[str, int]
    columns: int = COLUMNS
    bead_columns: int = BEADS


def roads_shown(view: TableView) -> RoadShow | None:
    """The roads of this shoe's rounds as they are shown; None for a game without roads."""
    rules = find_game(view.game.key).roads
    if rules is None:
        return None
    roads = roads_of(rules.sides, view.past.marks, pairs=rules.pairs)
    return RoadShow(
        sides=rules.sides,
        colours=dict(zip(rules.sides, _COLOURS, strict=True)),
        beads=_newest_beads(roads.beads),
        big=_big(roads),
        ties_first=roads.big.draws_first,
        read_out={name: newest_of(road, COLUMNS) for name, road in roads.read_out.items()},
        ask=roads.ask,
        counts=roads.counts,
    )


def _newest_beads(beads: tuple[Bead, ...]) -> tuple[Bead, ...]:
    first = max(0, beads[-1].column - BEADS + 1) if beads else 0
    return tuple(replace(bead, column=bead.column - first) for bead in beads if bead.column >= first)


def _big(roads: Roads) -> tuple[tuple[int, int, int, RoadMark], ...]:
    """Column, row, ties that followed and the round, for each circle that fits."""
    shown = newest_of(roads.big, COLUMNS).circles
    rounds = {(circle.column, circle.row): mark for circle, mark in zip(roads.big.circles, roads.won, strict=True)}
    moved = roads.big.circles[-1].column - shown[-1].column if shown else 0
    return tuple((one.column, one.row, one.draws, rounds[one.column + moved, one.row]) for one in shown)
