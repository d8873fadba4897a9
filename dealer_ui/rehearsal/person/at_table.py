"""What bettors of a simulated night play at: the table itself, or the table behind their operator's wallet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from studio.money import Answer, Offer
from studio.tables.bets.readiness import Readiness
from studio.tables.books.book import Book
from studio.tables.event.table import Decision
from studio.tables.state.room import SeatRequest
from studio.tables.state.table import TableState


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
