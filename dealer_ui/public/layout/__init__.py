"""How the fields of each game are drawn for whoever bets: a file a game, and what is done where nobody drew them."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Final, cast

from dealer_ui.public.layout.shape import Field as Field
from dealer_ui.public.layout.shape import Layout as Layout
from dealer_ui.public.layout.shape import Zone as Zone
from studio.rulebook.game import Game

_OF_A_BOX: Final = re.compile(r"([0-9]+):|([a-z]+[0-9]*)_")


def layout_of(game: Game) -> Layout:
    """The fields drawn in the file of the game's name, or fields from its bets where nobody drew them."""
    return _drawn(game.key) or general(game)


@cache
def _drawn(key: str) -> Layout | None:
    name = f"{__name__}.{key}"
    return cast(Layout, import_module(name).LAYOUT) if find_spec(name) else None


def general(game: Game) -> Layout:
    """The fields of a game nobody drew: a zone for each box its bets lie on, and one for those that lie on none.

    >>> from studio.games import find_game
    >>> [zone.title for zone in general(find_game("three_knights")).zones]
    ['box.player1', 'box.player2', 'box.player3', 'box.banker']
    """
    by_box: dict[str, list[Field]] = {}
    for bet in game.betting.bets:
        by_box.setdefault(_box(game, bet), []).append(Field(bet))
    zones = tuple(
        Zone(tuple(fields), columns=2 if len(fields) > 1 else 1, title=f"box.{box}" if box else "")
        for box, fields in by_box.items()
    )
    return Layout(game.key, zones, across=min(len(zones), 3), narrow=1)


def _box(game: Game, bet: str) -> str:
    """The box a bet lies on; empty where it lies on none."""
    found = _OF_A_BOX.match(bet)
    box = (found[1] or found[2]) if found else ""
    return box if box in game.felt.boxes else ""
