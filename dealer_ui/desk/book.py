"""The book of a desk: its rows of the journal, and how it hears of rows that other processes of the studio have added.

A studio of one process adds every row itself. In a studio of several, one table host keeps the books; whoever adds to
one says which row of it he has read last, and adds nothing where that is no longer the last one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, Protocol, TypeVar

from studio.errors import RefusedError
from studio.journal import Reader, Row, Unit

T = TypeVar("T")
_TRIES: Final = 4

Commit = Callable[[Unit], int]


class MovedError(RefusedError):
    """Somebody else has added to this book since it was read; nothing was added."""

    def __init__(self) -> None:
        sentence = "Somebody else has just done something here and nothing of this was done: look, then do it again."
        super().__init__("desk_moved", sentence)


class DeskBook(Protocol):
    """`begin` gives every row there is; `commit` makes a unit durable behind the row that was read last, or raises
    `MovedError`; `others` gives what others have added since, once each.
    """

    def begin(self) -> Iterable[Row]: ...

    def commit(self, unit: Unit) -> int: ...

    def others(self) -> Iterable[Row]: ...


class OwnBook:
    """Of a studio that is one process: nobody else adds anything."""

    def __init__(self, kinds: Collection[str], commit: Commit, reader: Callable[[], Reader]) -> None:
        self._kinds = frozenset(kinds)
        self._reader = reader
        self.commit = commit

    def begin(self) -> Iterable[Row]:
        return self._reader().events(kinds=self._kinds)

    def others(self) -> Iterable[Row]:
        return ()


class KeptBook:
    """A book on the host that keeps it. Rows come from this host's desk, by `commit`, and over the wire, by `add`."""

    def __init__(self, kinds: Collection[str], commit: Commit, reader: Callable[[], Reader]) -> None:
        self._kinds = frozenset(kinds)
        self._commit = commit
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
            if self._newest != self._read:
                raise MovedError
            self._newest = self._read = seq = self._commit(unit)
            return seq

    def add(self, unit: Unit, after: int) -> int:
        """What another process adds, who has read up to the row `after`."""
        if any(entry.kind not in self._kinds for entry in unit.entries) or not unit.entries:
            raise RefusedError("not_of_the_book", "Nothing was kept: a row of another book was sent to this one.")
        with self._gate:
            if after != self._newest:
                raise MovedError
            self._newest = seq = self._commit(unit)
            return seq

    def others(self) -> Iterable[Row]:
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
        self._read = seq = self._send(unit, self._read)
        return seq

    def others(self) -> Iterable[Row]:
        reader = self._reader()
        if (head := reader.head().seq) == self._looked:
            return ()
        rows = tuple(reader.events(after_seq=self._read, kinds=self._kinds))
        self._looked = head
        if rows:
            self._read = rows[-1].seq
        return rows


def kept_anew(catch_up: Callable[[], None], act: Callable[[], T]) -> T:
    """Do it over the newest rows; where somebody else was quicker, decide it again over his."""
    for _ in range(_TRIES):
        catch_up()
        try:
            return act()
        except MovedError:
            continue
    raise MovedError
