"""The fields of a game that nobody drew: a zone for each box its bets lie on, and one for those that lie on none."""

from __future__ import annotations

import re
from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone
from studio.games.rulebook import Game

_OF_A_BOX: Final = re.compile(r"([0-9]+):|([a-z]+[0-9]*)_")


def general(game: Game) -> Layout:
    """
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
