"""How long each dealer deals: at which table, since when, and since when without a break."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Final

from studio.journal import Row
from studio.people.record import read_staff
from studio.people.rest import Spell
from studio.people.staff_event import AnyStaffEvent, BreakEnded
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.state.table import TableState

DUTY_KINDS: Final = frozenset({"TableOpened", "DealerChanged", "TableClosed", "DealerStoodDown", "BreakEnded"})
"""What in the journal says who deals where, and who has rested."""


class Duty:
    """Every dealer's spell, folded from the tables' events and the breaks on record. Any thread."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._spells: dict[str, Spell] = {}
        self._at: dict[str, str] = {}
        self._lock = threading.Lock()

    def restore(self, rows: Iterable[Row]) -> None:
        for row in rows:
            if row.kind == "BreakEnded":
                self.hear(read_staff(row.body))
                continue
            told = read_body(row.body)
            match told.event:
                case e.TableOpened(dealer=dealer) | e.DealerChanged(dealer=dealer):
                    self._seat(told.table, dealer, row.at_ms)
                case e.TableClosed() | e.DealerStoodDown():
                    self._seat(told.table, "", row.at_ms)

    def follow(self, state: TableState) -> None:
        """A table has moved: whoever deals there now."""
        self.sits(state.config.key, state.seat.dealer, state.seat.since_ms)

    def sits(self, table: str, dealer: str, since_ms: int) -> None:
        """Who deals at the table now, since when; nobody where `dealer` is empty."""
        if self._at.get(table, "") != dealer:
            self._seat(table, dealer, since_ms or self._now_ms())

    def hear(self, event: AnyStaffEvent) -> None:
        if isinstance(event, BreakEnded):
            with self._lock:
                self._spells[event.id] = self._spells.get(event.id, Spell()).rested(event.at_ms)

    def of(self, dealer: str) -> Spell:
        return self._spells.get(dealer, Spell())

    def _seat(self, table: str, dealer: str, at_ms: int) -> None:
        with self._lock:
            before = self._at.get(table, "")
            if before and self._spells[before].table == table:
                self._spells[before] = self._spells[before].ended(at_ms)
            self._at[table] = dealer
            if dealer:
                self._spells[dealer] = self._spells.get(dealer, Spell()).begun(table, at_ms)
