"""The desk of shifts: opened, closed with what is open, acknowledged, with the journal and the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

import structlog

from dealer_ui.desk.book import DeskLock, kept_anew
from studio.errors import StorageError, not_written
from studio.journal import Entry, Row, Unit
from studio.people import SHIFT_KINDS, Actor
from studio.people.record import read_shift, write_shift
from studio.people.shift import Shifts, acknowledge_shift, close_shift, evolve_shifts, open_shift
from studio.people.shift_event import AnyShiftEvent, OpenMatter, ShiftClosed

_LOG: Final = structlog.get_logger("dealer_ui.desk.shift")

E = TypeVar("E", bound=AnyShiftEvent)
ShiftHook = Callable[[ShiftClosed, int], None]
"""Told of a shift that was closed, and of its place in the journal."""


class ShiftDesk:
    """The shifts of the floor; each fact is in the journal before it counts.

    `on_shift_closed`: whoever acts at the end of a shift. They are told once it is kept, on the thread of the closer;
    one that fails is written in the log and stops neither the others nor the shift.
    """

    def __init__(self, commit: Callable[[Unit], int], now_ms: Callable[[], int]) -> None:
        self.shifts = Shifts()
        self.on_shift_closed: list[ShiftHook] = []
        self.others: Callable[[], Iterable[Row]] = tuple
        self._commit = commit
        self._now_ms = now_ms
        self._lock = DeskLock()

    def restore(self, rows: Iterable[Row]) -> None:
        """Fold what the journal holds of shifts."""
        for row in rows:
            if row.kind in SHIFT_KINDS:
                self.shifts = evolve_shifts(self.shifts, read_shift(row.body), row.seq)

    def catch_up(self) -> None:
        """Take what other processes have kept of shifts; whoever acts at the end of one acts here too."""
        closed: list[tuple[ShiftClosed, int]] = []
        with self._lock:
            for row in self.others():
                event = read_shift(row.body)
                self.shifts = evolve_shifts(self.shifts, event, row.seq)
                closed += [(event, row.seq)] if isinstance(event, ShiftClosed) else []
        for one in closed:
            self._tell(*one)

    def open(self, by: Actor) -> None:
        self._kept(lambda: open_shift(self.shifts, by, self._now_ms()))

    def close(self, by: Actor, words: str, matters: Sequence[OpenMatter], shift: str = "") -> ShiftClosed:
        """`shift`: the one that was shown."""
        closed, seq = self._kept(
            lambda: close_shift(self.shifts, by, self._now_ms(), words=words, matters=tuple(matters), shift=shift)
        )
        self._tell(closed, seq)
        return closed

    def acknowledge(self, by: Actor, others_on_floor: int, shift: str = "") -> None:
        """`shift`: that of the note that was shown."""
        self._kept(
            lambda: acknowledge_shift(self.shifts, by, self._now_ms(), others_on_floor=others_on_floor, shift=shift)
        )

    def _kept(self, decide: Callable[[], E]) -> tuple[E, int]:
        """What is decided over the shifts as they are now, with its place in the journal."""

        def keep() -> tuple[E, int]:
            with self._lock:
                event = decide()
                return event, self._record(event)

        return kept_anew(self.catch_up, keep)

    def _tell(self, closed: ShiftClosed, seq: int) -> None:
        for hook in self.on_shift_closed:
            try:
                hook(closed, seq)
            except Exception as error:
                _LOG.error("something at the end of the shift failed", shift=closed.shift, exc_info=error)

    def _record(self, event: AnyShiftEvent) -> int:
        entry = Entry(type(event).__name__, event.at_ms, write_shift(event))
        try:
            seq = self._commit(Unit(entries=(entry,)))
        except (StorageError, TimeoutError) as error:
            raise not_written(error) from error
        self.shifts = evolve_shifts(self.shifts, event, seq)
        return seq
