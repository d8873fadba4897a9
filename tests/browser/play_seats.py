"""A seat of the poker room as a bettor's page shows it: free seats, his turn, between two hands, a street to be set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import fake_open_face as open_face
import fake_poker as poker
from play_house import PlayHouse

from studio.views.own import OwnSeat
from studio.views.shape import PlayerView, TableView

GAMES: Final = ("nlh", "plo", "ofc")
TURN: Final[Mapping[str, Any]] = {
    "options": ["fold", "call", "raise"], "default": "fold", "owed": 300, "front": 200, "to": [800, 9_700],
    "closes_at_ms": 1, "bank": True,
}  # fmt: skip
SEAT: Final = OwnSeat("seat6", "r", 9_500, 500, True, False, False, False, False, 30_000, ("As", "Td"), dict(TURN))
HAND: Final = ("As", "Td", "4c", "5h", "9s", "2d", "3c", "8h", "Jd", "Qs", "Kc", "7c", "6h", "2s", "3d", "9c", "Ad")
WINDOW_MS: Final = 90_000


def seat_scenes(game: str) -> Mapping[str, tuple[TableView, OwnSeat | None]]:
    """What the table shows, and his seat, where he has one."""
    states = poker.STATES
    if game == "ofc":
        return _boards()
    if game == "plo":
        return {"turn": (states["omaha"], replace(SEAT, cards=HAND[:4]))}
    shows = {**TURN, "options": ["muck", "show"], "to": None, "owed": 0}
    between = replace(SEAT, turn=None, cards=(), dealt_in=False, stack_minor=5_000, waits=True)
    return {
        "free": (_with_free_seats(states["raised"]), None),
        "nobody sits": (_with_free_seats(states["before"], range(1, 10)), None), "turn": (states["raised"], SEAT),
        "between": (states["before"], between), "muck or show": (states["muck or show"], replace(SEAT, turn=shows)),
        "settled": (states["settled"], replace(SEAT, turn=None)),
    }  # fmt: skip


def _boards() -> Mapping[str, tuple[TableView, OwnSeat | None]]:
    states, seat = open_face.STATES, replace(SEAT, seat="seat1", cards=HAND[:5], turn=None)
    return {
        "free": (states["before"], None),
        "first street": (states["first turn"], replace(seat, turn=_street(5, 0, 3, 5, 5))),
        "third street": (states["third street"], replace(seat, cards=HAND[:3], turn=_street(3, 1, 2, 3, 0))),
        "fantasy": (states["fantasy"], replace(seat, cards=HAND, turn=_street(17, 4, 3, 5, 5))),
        "settled": (states["settled"], seat),
    }


def _street(cards: int, give_up: int, *room: int) -> dict[str, Any]:
    rows = dict(zip(("top", "middle", "bottom"), room, strict=True))
    return {**TURN, "options": ["place"], "to": None, "owed": 0, "cards": cards, "give_up": give_up, "room": rows}


def _with_free_seats(view: TableView, free: Sequence[int] = (1, 4)) -> TableView:
    assert view.room is not None
    seats = tuple(PlayerView(f"seat{n}") if n in free else one for n, one in enumerate(view.room.seats, 1))
    return replace(view, room=replace(view.room, seats=seats))


def seat_him(house: PlayHouse, view: TableView, seat: OwnSeat | None) -> None:
    """The table of the house is now so, and this seat is his."""
    house.floor.seat = seat
    closes = house.floor.now + WINDOW_MS if view.bets.closes_at_ms else None
    shown = {name: getattr(view, name) for name in view.__slots__ if name not in ("seq", "table")}
    house.floor.show(**{**shown, "bets": replace(view.bets, closes_at_ms=closes)})
