"""What simulated people need of the studio: a table as they see and command it, and what its bettors play at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from studio.errors import RefusedError
from studio.money import Answer, Offer
from studio.tables.bets.readiness import Readiness
from studio.tables.books.book import Book
from studio.tables.declaration import Command
from studio.tables.event.table import Decision
from studio.tables.state.room import SeatRequest
from studio.tables.state.table import TableState
from studio.views import TableView


class AtTable(Protocol):
    """`studio.tables.run.runtime.TableRuntime` is one. Each request is answered item by item, in the order sent;
    `RefusedError` where nothing of it can be done now, `StorageError` where it could not be kept."""

    @property
    def state(self) -> TableState: ...

    @property
    def book(self) -> Book: ...

    def place_bets(self, offers: Sequence[Offer], at_ms: int) -> tuple[Answer, ...]: ...

    def take_decisions(self, choices: Sequence[Decision], at_ms: int) -> tuple[Answer, ...]: ...

    def take_seats(self, requests: Sequence[SeatRequest], at_ms: int) -> tuple[Answer, ...]: ...

    def say_ready(self, operator: str, bettor: str, at_ms: int) -> Readiness: ...


class PersonDesk(Protocol):
    """One table, as a person at it sees and commands it."""

    def view(self) -> TableView: ...

    def command(self, command: Command) -> None:
        """Carry it out; `RefusedError` says why not."""
        ...


def obeyed(desk: PersonDesk, command: Command) -> bool:
    """Give a command; whether it was carried out."""
    try:
        desk.command(command)
    except RefusedError:
        return False
    return True
