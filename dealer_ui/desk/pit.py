"""The desk of the pit: what it does for the whole floor, with the journal and the clock.

Any thread may look or act. Whatever is done is in the journal before it counts; an act sent twice under one id is one.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from typing import Final, get_args

import msgspec

from dealer_ui.desk.book import DeskLock, kept_anew
from studio.errors import BadInputError, StorageError, not_written
from studio.journal import Balances, Entry, More, Row, Unit
from studio.people import Actor
from studio.pit import AnyPitEvent, PitBook, evolve_pit
from studio.pit import pit_event as e

PIT_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyPitEvent))
"""The journal's kinds that concern the pit."""

REMEMBERED_ACTS: Final = 2_000

Moved = Callable[[int, Collection[str]], None]
"""Told the place in the journal, and the tables whose screens change."""


class PitDesk:
    """The pit's book, and how it is written. `seq` is the newest place in the journal the pit knows of."""

    def __init__(
        self, commit: Callable[[Unit], int], now_ms: Callable[[], int], moved: Moved = lambda seq, tables: None
    ) -> None:
        self.book = PitBook()
        self.seq = 0
        self.now_ms = now_ms
        self.lock = DeskLock()
        self._commit = commit
        self._moved = moved
        self._done: OrderedDict[str, int] = OrderedDict()
        self.others: Callable[[], Iterable[Row]] = tuple

    def restore(self, rows: Iterable[Row]) -> None:
        """Fold what the journal holds of the pit."""
        for row in rows:
            self._take(row)

    def catch_up(self) -> None:
        """Take what other processes have kept of the pit, and have the screens it concerns drawn again."""
        with self.lock:
            tables: set[str] = set()
            for row in tuple(self.others()):
                before = self.book
                event = self._take(row)
                tables |= {*self._tables_of(event, before), *self._tables_of(event, self.book)}
                self._moved(self.seq, tables)

    def _take(self, row: Row) -> AnyPitEvent:
        try:
            event, act = e.read_row(row.body), e.act_of(row.body)
        except msgspec.MsgspecError as error:
            raise BadInputError(f"Row {row.seq} of the journal cannot be read: {error}.") from error
        self.book = evolve_pit(self.book, event)
        self.seq = row.seq
        self._remember(act, row.seq)
        return event

    def once(self, actor: Actor, id: str, act: Callable[[], tuple[AnyPitEvent, ...]]) -> int:
        """Do it, once an id; gives its place in the journal.

        It is known by its row: also where another process recorded it, or it was recorded later than anybody waited.
        """
        key = hashlib.sha256(f"{actor.id}/{id}".encode()).hexdigest()[:32] if id else ""
        with self.lock:
            if key in self._done:
                return self._done[key]
            seq = kept_anew(self.catch_up, lambda: self._done.get(key) or self.record(act(), act=key))
            self._remember(key, seq)
            return seq

    def _remember(self, key: str, seq: int) -> None:
        if key:
            self._done[key] = seq
            if len(self._done) > REMEMBERED_ACTS:
                self._done.popitem(last=False)

    def anew(self, act: Callable[[], int]) -> int:
        """Do it over the book as it is now, and once more where another process was quicker."""
        with self.lock:
            return kept_anew(self.catch_up, act)

    def record(
        self, events: tuple[AnyPitEvent, ...], with_balances: Callable[[Balances], More] | None = None, *, act: str = ""
    ) -> int:
        """Keep the events and believe them; gives their place. The lock is held by whoever decided on them.

        `with_balances`: the money that moves in the same commit, as `Unit` has it. `act` is kept beside the last.
        """
        if not events:
            return self.seq
        tables = {table for event in events for table in self._tables_of(event, self.book)}
        book = self.book
        for event in events:
            book = evolve_pit(book, event)
        acts = (*("" for _ in events[1:]), act)
        entries = tuple(
            Entry(type(one).__name__, one.at_ms, e.write_row(one, of)) for one, of in zip(events, acts, strict=True)
        )
        try:
            seq = self._commit(Unit(entries=entries, with_balances=with_balances))
        except (StorageError, TimeoutError) as error:
            raise not_written(error) from error
        self.book, self.seq = book, max(self.seq, seq)
        self._moved(self.seq, tables)
        return seq

    def _tables_of(self, event: AnyPitEvent, book: PitBook) -> tuple[str, ...]:
        """The tables whose screens change with it, where that book knows what it is about."""
        match event:
            case e.MessageShown(table=table) | e.TableSent(table=table) | e.TableKept(table=table):
                return (table,)
            case e.AlarmRaised(tables=tables) | e.AlarmGrew(tables=tables):
                return tables
            case e.HostDrained(tables=tables) | e.HostReturned(tables=tables):
                return tables
            case e.AlarmAcknowledged(id=id) | e.AlarmEscalated(id=id) | e.AlarmEnded(id=id) if id in book.alarms:
                return tuple(book.alarms[id].tables)
            case e.MessageEnded(id=id) if id in book.messages:
                return (book.messages[id].table,)
        return ()
