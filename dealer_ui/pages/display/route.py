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
from dealer_ui.public.outcome_table import outcome_table
from dealer_ui.public.pay_table import limit_rows, one_limit, pay_rows, pay_table
from dealer_ui.public.road import roads_shown
from dealer_ui.public.room import room_show
from dealer_ui.public.statistic import marks, player_boxes, shares
from studio.games import find_game
from studio.games.blackjack_hand import BOX_KEYS


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    view = asked.house.view(asked.table)
    past = arc_of(view)
    boxes = () if past else player_boxes(view)
    headline = headline_of(view)
    lines = pay_table(view.game.key, view.game.rules, asked.house.rtp(asked.table), view.game.limits)
    return view.seq, {
        "view": view,
        "headline": headline,
        "window_s": window_s_of(asked.house, asked.table),
        "boxes": boxes,
        "marks": marks(view.past.results, boxes),
        "shares": shares(view.past.results, boxes),
        "pay_rows": pay_rows(lines),
        "one_limit": one_limit(lines),
        "ties": find_game(view.game.key).deal.ties,
        "outcomes": outcome_table(view.game.key, view.game.rules),
        "limits": limit_rows(view, lines),
        "clash": clash_of(view, lines, result=headline in RESULT),
        "road_columns": COLUMNS,
        "roads": roads_shown(view),
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
