"""How the fields of each game are drawn for whoever bets: a file a game, and what is done where nobody drew them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from dealer_ui.public.layout.general import general
from dealer_ui.public.layout.shape import Field as Field
from dealer_ui.public.layout.shape import Layout as Layout
from dealer_ui.public.layout.shape import Zone as Zone
from studio.games.rulebook import Game


def layout_of(game: Game) -> Layout:
    """The fields drawn in the file of the game's name, or fields from its bets where nobody drew them."""
    return _drawn(game.key) or general(game)


@cache
def _drawn(key: str) -> Layout | None:
    name = f"{__name__}.{key}"
    return cast(Layout, import_module(name).LAYOUT) if find_spec(name) else None
