"""What a player's page draws of his own: what he may decide now, and at a poker table his seat with his cards.

The cards of his seat are drawn into his own page alone, in the browser he plays in, and kept nowhere.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from dealer_ui.desk.free_bet import FreeBetStanding
from dealer_ui.desk.ticket import Ticket
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.views.own import OwnPlay, OwnSeat
from studio.views.shape import RoomView, TableView

NEVER_MS: Final = 2**62


@dataclass(frozen=True, slots=True)
class Sizing:
    """From and to what he may bet or raise, and some round figures between, by their names."""

    least_minor: int
    most_minor: int
    step_minor: int
    steps: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Playing:
    """Asked again at each drawing. `shows` his cards: not before his browser has come back as the one that plays."""

    floor: OperatorsFloor
    ticket: Ticket
    shows: bool = True

    def play(self) -> OwnPlay:
        return self.floor.own_play(self.ticket.table, self.ticket.operator, self.ticket.bettor)

    def seat(self) -> OwnSeat | None:
        found = self.floor.own_seat(self.ticket.table, self.ticket.operator, self.ticket.bettor)
        return found if found is None or self.shows else replace(found, cards=(), turn=None)

    def free_bets(self, view: TableView, currency: str) -> tuple[FreeBetStanding, ...]:
        """The free bets he may use at this table, in the currency he plays in here; those that end first come first."""
        desk, reader = self.floor.free_bets, self.floor.reader()
        good = [
            one
            for one in desk.of(reader, self.ticket.operator, self.ticket.bettor)
            if one.status == "open" and one.granted.is_for(view.table, view.game.key, currency)
        ]
        return tuple(sorted(good, key=lambda one: one.granted.expires_at_ms or NEVER_MS))

    def usable(self, grants: Collection[str]) -> bool:
        """Whether all of these free bets of his may still be bet."""
        return all(self.floor.free_bets.is_usable(self.ticket.operator, grant) for grant in grants)

    def mark(self, view: TableView) -> str:
        """Names the moment of his decision that is open now; empty where none is."""
        if view.room is None:
            return self.play().mark
        seat = self.seat()
        return mark_of(view, seat) if seat is not None else ""


def mark_of(view: TableView, seat: OwnSeat) -> str:
    """Names his turn, and stays as it is while his time bank runs; empty while it is not his turn."""
    turn, room = seat.turn, view.room
    if turn is None or room is None:
        return ""
    laid = sum(card.state != "empty" for box in view.boxes for card in box.places)
    return f"{view.round.id}.{room.street}.{laid}.{seat.in_minor}.{turn['owed']}.{turn['front']}"


def sizing_of(room: RoomView, seat: OwnSeat) -> Sizing | None:
    """None where nothing can be bet or raised now."""
    if seat.turn is None or not seat.turn["to"]:
        return None
    least, most = seat.turn["to"]
    called, step_minor = seat.turn["front"] + seat.turn["owed"], max(room.stakes.get("small_blind", 1), 1)
    pot_minor = room.in_play_minor + seat.turn["owed"]
    wanted = (("least", least), ("half", called + pot_minor // 2), ("pot", called + pot_minor), ("most", most))
    within = {name: min(max(to_minor, least), most) for name, to_minor in wanted}
    return Sizing(least, most, step_minor, tuple(within.items()))
