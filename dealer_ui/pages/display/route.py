"""The public display: `/display/<table>`. No sign-in, no controls, nothing that is not due."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint
from werkzeug.wrappers import Response

from dealer_ui.desk.winners import winner_lines
from dealer_ui.floor.house import window_s_of
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.public.arc import FAMILY, arc_of
from dealer_ui.public.first_five import first_fives
from dealer_ui.public.headline import RESULT, headline_of
from dealer_ui.public.kkclash import COLUMNS, clash_of
from dealer_ui.public.limit import limit_rows
from dealer_ui.public.outcome_table import outcome_table
from dealer_ui.public.pay_table import pay_rows, pay_table
from dealer_ui.public.room import room_show
from dealer_ui.public.statistic import marks, player_boxes, shares
from studio.games.blackjack_hand import BOX_KEYS


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    view = asked.house.view(asked.table)
    past = arc_of(view)
    boxes = () if past else player_boxes(view)
    headline = headline_of(view)
    lines = pay_table(view.game, view.rules, asked.house.rtp(asked.table), view.limits)
    return view.seq, {
        "view": view,
        "headline": headline,
        "window_s": window_s_of(asked.house, asked.table),
        "boxes": boxes,
        "marks": marks(view.results, boxes),
        "shares": shares(view.results, boxes),
        "pay_rows": pay_rows(lines),
        "outcomes": outcome_table(view.game, view.rules),
        "limits": limit_rows(view, lines),
        "clash": clash_of(view, lines, result=headline in RESULT),
        "road_columns": COLUMNS,
        "past": past,
        "past_boxes": BOX_KEYS,
        "family": FAMILY,
        "room": room_show(view, headline),
        "first_fives": first_fives(view),
        "winners": winner_lines(asked.house.winners.of(view)),
    }


SCREEN: Final = Screen("display", (), draw, shared=True)


def routes(console: Console) -> Blueprint:
    found = Blueprint("display", __name__)

    @found.get("/display/<table>")
    def page(table: str) -> Response:
        return console.show(SCREEN, table)

    return found
