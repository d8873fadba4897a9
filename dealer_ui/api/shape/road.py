"""The roads of a shoe, as an operator draws them: every mark with its place, and what would come next."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from studio.games import find_game
from studio.views.past.big_road import ROWS, BigRoad
from studio.views.past.roads import Roads, roads_of
from studio.views.shape import TableView

Place = Annotated[int, Field(examples=[0])]
"""A column or a row, counted from 0 at the top left."""
Winner = Annotated[str, Field(examples=["banker"])]


class BeadShown(TypedDict):
    """A round on the bead plate."""

    column: Place
    row: Place
    winner: Winner
    pairs: Annotated[list[str], Field(examples=[["player"]])]
    """The hands that began with a pair."""


class WonShown(BeadShown):
    """A won round on the big road."""

    ties: Annotated[int, Field(examples=[2])]
    """Those that followed it."""


class MarkShown(TypedDict):
    """A mark of a road that is read out of the big road."""

    column: Place
    row: Place
    colour: Annotated[str, Field(examples=["red"])]


class RoadsShown(TypedDict):
    """The roads of the shoe that is dealt from; ties that came before the first won round are in `ties_first`."""

    rows: Annotated[int, Field(examples=[6])]
    sides: Annotated[list[str], Field(examples=[["banker", "player"]])]
    """The one drawn in red first."""
    counts: Annotated[dict[str, int], Field(examples=[{"banker": 12, "player": 9, "tie": 2, "banker_pair": 1}])]
    """The pairs of each side too, as `banker_pair`, of a game whose hands may begin with one."""
    ties_first: Annotated[int, Field(examples=[0])]
    bead_plate: list[BeadShown]
    big_road: list[WonShown]
    big_eye_boy: list[MarkShown]
    small_road: list[MarkShown]
    cockroach_pig: list[MarkShown]
    ask: Annotated[dict[str, dict[str, str]], Field(examples=[{"banker": {"big_eye_boy": "red", "small_road": ""}}])]
    """What each of the three would show next if that side won; empty for nothing."""


def roads_told(view: TableView) -> RoadsShown | None:
    """All of them; None of a game that has none."""
    rules = find_game(view.game.key).roads
    if rules is None:
        return None
    roads = roads_of(rules.sides, view.past.marks, pairs=rules.pairs)
    return {
        "rows": ROWS,
        "sides": list(rules.sides),
        "counts": dict(roads.counts),
        "ties_first": roads.big.draws_first,
        "bead_plate": [
            {"column": one.column, "row": one.row, "winner": one.mark.winner, "pairs": list(one.mark.pairs)}
            for one in roads.beads
        ],
        "big_road": _big_road(roads),
        "big_eye_boy": _read_out(roads.read_out["big_eye_boy"]),
        "small_road": _read_out(roads.read_out["small_road"]),
        "cockroach_pig": _read_out(roads.read_out["cockroach_pig"]),
        "ask": {side: dict(next) for side, next in roads.ask.items()},
    }


def _big_road(roads: Roads) -> list[WonShown]:
    return [
        {"column": one.column, "row": one.row, "winner": one.winner, "pairs": list(mark.pairs), "ties": one.draws}
        for one, mark in zip(roads.big.circles, roads.won, strict=True)
    ]


def _read_out(road: BigRoad) -> list[MarkShown]:
    return [{"column": one.column, "row": one.row, "colour": one.winner} for one in road.circles]
