"""The only place for the public display: `/display/<table>`. No sign-in, no controls, nothing that is not due."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint
from werkzeug.wrappers import Response

from dealer_ui.console import Console
from dealer_ui.display.arc import FAMILY, arc_of
from dealer_ui.display.kkclash import COLUMNS, clash_of
from dealer_ui.display.limit import limit_rows
from dealer_ui.display.pay_table import pay_table
from dealer_ui.display.room import room_show
from dealer_ui.display.statistic import marks, player_boxes, shares
from dealer_ui.house import window_s_of
from dealer_ui.screen import Asked, Screen
from studio.games.blackjack_hand import BOX_KEYS


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    view = asked.house.view(asked.table)
    past = arc_of(view)
    boxes = () if past else player_boxes(view)
    headline = headline_of(view.status, view.held, view.round_stage, view.phase)
    lines = pay_table(view.game, view.rules, asked.house.rtp(asked.table), view.limits)
    return view.seq, {
        "view": view,
        "headline": headline,
        "window_s": window_s_of(asked.house, asked.table),
        "boxes": boxes,
        "marks": marks(view.results, boxes),
        "shares": shares(view.results, boxes),
        "pay_table": lines,
        "limits": limit_rows(view, lines),
        "clash": clash_of(view, lines, result=headline in RESULT),
        "road_columns": COLUMNS,
        "past": past,
        "past_boxes": BOX_KEYS,
        "family": FAMILY,
        "room": room_show(view, headline),
    }


def headline_of(status: str, held: bool, stage: str, phase: str) -> str:
    """What the public is told in one line, as a key of the catalogue."""
    if status != "open":
        return f"public.{status}"
    if stage in ("voiding", "voided"):
        return "public.void"
    if held:
        return "public.held"
    return f"public.{phase}"


RESULT: Final = frozenset({"public.result", "public.settled"})
"""Headlines in whose place a winner stands, of a game that has one."""

SCREEN: Final = Screen("display", (), draw)


def routes(console: Console) -> Blueprint:
    found = Blueprint("display", __name__)

    @found.get("/display/<table>")
    def page(table: str) -> Response:
        return console.show(SCREEN, table)

    return found
