"""A bettor plays no more: what is done about his seats, whoever ended his play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from studio.money import Answer
from studio.tables.state.room import SeatRequest
from studio.views.own import OwnSeat


class Seating(Protocol):
    @property
    def tables(self) -> tuple[str, ...]: ...

    def own_seat(self, table: str, operator: str, bettor: str) -> OwnSeat | None: ...

    def take_seats(self, table: str, requests: Sequence[SeatRequest]) -> tuple[Answer, ...]: ...

    def now_ms(self) -> int: ...


def leave_seats(floor: Seating, operator: str, bettor: str) -> Iterator[str]:
    """His seats are left, by their tables; where he is in a hand he plays it to its end, and is dealt into no other."""
    for table in floor.tables:
        if (seat := floor.own_seat(table, operator, bettor)) is None:
            continue
        act = "away" if seat.dealt_in else "leave"
        floor.take_seats(table, (SeatRequest(act, operator, bettor, f"dismissed.{floor.now_ms()}"),))
        yield table
