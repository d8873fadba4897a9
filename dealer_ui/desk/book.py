"""The book of a desk: its rows of the journal, and how it hears of rows that other processes of the studio have added.

A studio of one process adds every row itself. In a studio of several, whoever adds to a book says which row of it he
has read last, and adds nothing where that is no longer the last one. Over one record any table host adds to it; over
files one host keeps the books.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final, Protocol, TypeVar

from dealer_ui.process.late import LateError as LateError
from dealer_ui.process.late import last_seq_of as last_seq_of
from studio.errors import RefusedError, StorageError, not_written
from studio.journal import Follows, Reader, Receipt, Row, Unit
from studio.journal import MovedError as MovedError

T = TypeVar("T")
_TRIES: Final = 4
_PAUSE_S: Final = 0.05
"""What another process has just added is read a moment later."""

Commit = Callable[[Unit], int]
TURN_S: Final = 3.0
"""Who waits longer for another's act to be recorded is refused, with nothing done."""


class DeskLock:
    """One act at a desk after another, each decided over all before it and recorded before the next. Whoever would wait
    long, for the record takes nothing at that moment, is refused instead of queueing.
    """

    def __init__(self, wait_s: float = TURN_S) -> None:
        self._lock = threading.RLock()
        self._wait_s = wait_s

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=self._wait_s):
            raise not_written(StorageError("Another act waits for the record."))

    def __exit__(self, *given: object) -> None:
        self._lock.release()


class DeskBook(Protocol):
    """`begin` gives every row there is; `commit` makes a unit durable behind the row that was read last, or raises
    `MovedError`; `others` gives what others have added since, once each.
    """

    def begin(self) -> Iterable[Row]: ...

    def commit(self, unit: Unit) -> int: ...

    def others(self) -> Iterable[Row]: ...


class LateWriting:
    """Makes units durable, and remembers one that was not answered in time: nothing goes after it before its end is
    known. What was kept late is read before: `MovedError` until it was taken note of.
    """

    def __init__(self, commit: Commit) -> None:
        self._commit = commit
        self._writing: Future[Receipt] | None = None

    def commit(self, unit: Unit) -> int:
        if self._writing is not None and not self._writing.done():
            raise StorageError("The record has not answered to what was asked of it before.")
        if self.kept() is not None:
            raise MovedError
        self._writing = None
        try:
            return self._commit(unit)
        except LateError as late:
            self._writing = late.writing
            raise

    def kept(self) -> Receipt | None:
        """Where that unit stands in the record by now; None where there is none, or nothing of it."""
        writing = self._writing
        if writing is None or not writing.done() or writing.cancelled() or writing.exception() is not None:
            return None
        return writing.result()

    def forget(self) -> None:
        self._writing = None


class OwnBook:
    """Of a studio that is one process: nobody else adds anything."""

    def __init__(self, kinds: Collection[str], commit: Commit, reader: Callable[[], Reader]) -> None:
        self._kinds = frozenset(kinds)
        self._reader = reader
        self._late = LateWriting(commit)

    def begin(self) -> Iterable[Row]:
        return self._reader().events(kinds=self._kinds)

    def commit(self, unit: Unit) -> int:
        return self._late.commit(unit)

    def others(self) -> Iterable[Row]:
        """What was kept after its desk had been told that nobody knows."""
        kept = self._late.kept()
        if kept is None:
            return ()
        rows = tuple(self._reader().events(after_seq=kept.first_seq - 1, kinds=self._kinds))
        self._late.forget()
        return rows


class KeptBook:
    """A book on the host that keeps it. Rows come from this host's desk, by `commit`, and over the wire, by `add`."""

    def __init__(self, kinds: Collection[str], commit: Commit, reader: Callable[[], Reader]) -> None:
        self._kinds = frozenset(kinds)
        self._late = LateWriting(commit)
        self._reader = reader
        self._gate = threading.Lock()
        self._newest = 0
        self._read = 0

    def begin(self) -> Iterator[Row]:
        for row in self._reader().events(kinds=self._kinds):
            self._newest = self._read = row.seq
            yield row

    def commit(self, unit: Unit) -> int:
        with self._gate:
            self._look_at_late()
            if self._newest != self._read:
                raise MovedError
            self._newest = self._read = seq = self._late.commit(unit)
            return seq

    def add(self, unit: Unit, after: int) -> int:
        """What another process adds, who has read up to the row `after`."""
        if any(entry.kind not in self._kinds for entry in unit.entries) or not unit.entries:
            raise RefusedError("not_of_the_book", "Nothing was kept: a row of another book was sent to this one.")
        with self._gate:
            self._look_at_late()
            if after != self._newest:
                raise MovedError
            self._newest = seq = self._late.commit(unit)
            return seq

    def _look_at_late(self) -> None:
        if (kept := self._late.kept()) is not None:
            self._newest = max(self._newest, kept.last_seq)
            self._late.forget()

    def others(self) -> Iterable[Row]:
        self._look_at_late()
        if self._read == self._newest:
            return ()
        rows = tuple(self._reader().events(after_seq=self._read, kinds=self._kinds))
        if rows:
            self._read = rows[-1].seq
        return rows


class FarBook:
    """A book that another host keeps: read from the record, added to by `send`, which is told the row read last."""

    def __init__(self, kinds: Collection[str], send: Callable[[Unit, int], int], reader: Callable[[], Reader]) -> None:
        self._kinds = frozenset(kinds)
        self._send = send
        self._reader = reader
        self._read = 0
        self._looked = -1

    def begin(self) -> Iterator[Row]:
        for row in self._reader().events(kinds=self._kinds):
            self._read = row.seq
            yield row

    def commit(self, unit: Unit) -> int:
        """Rows alone: money is moved by the host that keeps the accounts."""
        if unit.transfers or unit.with_balances is not None or unit.ceiling is not None:
            sentence = "Money is moved by the host that keeps the studio's desk; this one cannot. Ask there."
            raise RefusedError("not_here", sentence)
        with self._looking_on():
            self._read = seq = self._send(unit, self._read)
        return seq

    @contextmanager
    def _looking_on(self) -> Iterator[None]:
        """Where another was quicker his row is looked for, though a transaction under way holds the head back."""
        try:
            yield
        except MovedError:
            self._looked = -1
            raise

    def others(self) -> Iterable[Row]:
        reader = self._reader()
        if (head := reader.head().seq) == self._looked:
            return ()
        rows = tuple(reader.events(after_seq=self._read, kinds=self._kinds))
        self._looked = head
        if rows:
            self._read = rows[-1].seq
        return rows


class SharedBook(FarBook):
    """A book in the database that all hosts share, as a host that writes there has it. Whether a row is the last one is
    asked inside the transaction.
    """

    def __init__(self, name: str, kinds: Collection[str], commit: Commit, reader: Callable[[], Reader]) -> None:
        super().__init__(kinds, self.add, reader)
        self._name = name
        self._commit = commit

    def commit(self, unit: Unit) -> int:
        """Money too: every host that writes there keeps the accounts."""
        with self._looking_on():
            self._read = seq = self.add(unit, self._read)
        return seq

    def add(self, unit: Unit, after: int) -> int:
        """What this host's desk adds, or another process that cannot write there, who has read up to `after`."""
        if any(entry.kind not in self._kinds for entry in unit.entries) or not unit.entries:
            raise RefusedError("not_of_the_book", "Nothing was kept: a row of another book was sent to this one.")
        return self._commit(replace(unit, follows=Follows(self._name, self._kinds, after)))


def seen(catch_up: Callable[[], None]) -> None:
    """Take what was just done elsewhere. It is done, so nobody is refused over it: a busy desk takes it later."""
    with suppress(RefusedError, StorageError):
        catch_up()


def kept_anew(catch_up: Callable[[], None], act: Callable[[], T]) -> T:
    """Do it over the newest rows; where somebody else was quicker, decide it again over his."""
    for _ in range(_TRIES):
        try:
            catch_up()
        except StorageError as error:
            raise not_written(error) from error
        try:
            return act()
        except MovedError:
            threading.Event().wait(_PAUSE_S)
    raise MovedError
