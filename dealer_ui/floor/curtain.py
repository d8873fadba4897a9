"""What must not be seen of each table's felt, and since when.

A picture is older than the record: between the moment at which it was taken and the one at which somebody looks at it a
card may be mucked, a round or the table closed. What was hidden at any time between the two stays hidden in it, whoever
has looked at it meanwhile, and however many pictures came after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter, is_
from typing import Final

import structlog

from studio.tables.state.round import Round
from studio.tables.state.table import TableState
from studio.views.felt import every_zone, hidden_zones

_LOG = structlog.get_logger("dealer_ui.floor.curtain")

TAKEN_MS: Final = 500
"""A camera and its network take up to so long; how long a picture lay unread is its source's to tell, and counts as
before it came.
"""
KEPT_MOST: Final = 64
_OF_BETS: Final = frozenset({"moves", "round", "stakes", "paid", "pot"})
"""What a batch of bets changes, and what is no matter of the felt."""
_OF_TABLE: Final = attrgetter(*(one for one in TableState.__struct_fields__ if one not in _OF_BETS))
_OF_ROUND: Final = attrgetter(*(one for one in Round.__struct_fields__ if one not in _OF_BETS))


@dataclass(frozen=True, slots=True)
class _Drawn:
    since_ms: int
    hidden: frozenset[str]


class Curtains:
    """Each table's thread draws its own, any thread may ask; what a table has is replaced as a whole."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._drawn: dict[str, tuple[_Drawn, ...]] = {}
        self._by: dict[str, tuple[object, ...]] = {}
        self._game: dict[str, str] = {}
        self._told: set[str] = set()

    def draw(self, state: TableState, *, unstored: bool = False) -> None:
        """The table stands so from now on. Never raises: of a felt that cannot be told everything is hidden, nor can it
        while the disk takes nothing and cards are laid that are not on record (`unstored`).
        """
        table, parts = state.config.key, (*_OF_TABLE(state), unstored)
        if state.round is not None:  # bets are left out: they come by the thousand
            parts += _OF_ROUND(state.round)
        before = self._by.get(table, ())
        if len(before) == len(parts) and all(map(is_, before, parts)):
            return
        drawn, hidden = self._drawn.get(table, ()), every_zone(state) if unstored else self._hidden(state)
        if self._game.setdefault(table, state.game.key) != state.game.key:  # what was hidden lay in other places
            self._game[table] = state.game.key
            drawn = (_Drawn(0, every_zone(state)),)
        if not drawn or drawn[-1].hidden != hidden:
            self._drawn[table] = _kept((*drawn, _Drawn(self._now_ms(), hidden)))
        self._by[table] = parts

    def _hidden(self, state: TableState) -> frozenset[str]:
        table = state.config.key
        try:
            return hidden_zones(state)
        except Exception as error:
            if table not in self._told:
                self._told.add(table)
                _LOG.error("what must not be seen of a felt cannot be told: all is hidden", table=table, exc_info=error)
            return every_zone(state)

    def since(self, table: str, came_ms: int) -> frozenset[str]:
        """The zones that were hidden at any time since a picture was taken that came then."""
        drawn, taken_ms = self._drawn[table], came_ms - TAKEN_MS
        over = (one.hidden for one, next in pairwise(drawn) if next.since_ms > taken_ms)
        return drawn[-1].hidden.union(*over)


def _kept(drawn: tuple[_Drawn, ...]) -> tuple[_Drawn, ...]:
    """No more than can be looked through at each picture: in what is older than that, everything that was hidden is."""
    if len(drawn) <= KEPT_MOST:
        return drawn
    first, second, *rest = drawn
    return (_Drawn(first.since_ms, first.hidden | second.hidden), *rest)
