"""The writer's transaction in PostgreSQL: one host's book, numbers for its rows, and a truthful answer of each commit.

Where the line breaks after COMMIT was sent, nobody here knows whether it was done. The commit carries an id; the engine
comes back over a new line, waits until the old transaction is over (its book is locked by it), and looks for the id.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

from studio.errors import BadInputError, RecordAwayError, StorageError
from studio.journal.follow import Follows
from studio.journal.lease import Lease
from studio.journal.link import Head, Heads
from studio.journal.postgres.connection import (
    PostgresDatabase,
    PostgresError,
    RawConnection,
    connect,
    told,
    without_password,
)
from studio.journal.postgres.schema import BLOCK, DESKS, NUMBERS, migrate

VERSION_MIN: Final = 13_00_00
OFF_S_MAX: Final = 5.0
"""So far a host's clock may be from the database's."""
ASK_S: Final = 3_600.0
"""So long a commit that was not answered is asked for, and the host's tables are held; then the host has to be started
anew."""
AGAIN_S: Final = 5.0
"""So long a group that was not kept is tried again; then those who wait are told."""
_PAUSE_S: Final = 0.25
_ROOM: Final = BLOCK // 4

_TIMES_MAX: Final = 5
_TAKES_MAX: Final = 20
_UNKNOWN: Final = (
    "Whether the last commit was kept is not known, and the database does not come back: when it is there again, start"
    " the studio anew."
)
_AWAY: Final = (
    "The database cannot be reached and nothing of this commit was kept: play goes on once it is there again."
)
_TAKEN_OVER: Final = "Another process has taken over the book of host {}: nothing more is written here, stop this one."

_BEGIN: Final = "SELECT * FROM begin_group($1, $2, $3)"
_DONE: Final = """
WITH kept AS (
    INSERT INTO group_commit (id, book, journal_seq, ledger_seq) VALUES ($1, $2, $3, $5)
)
UPDATE book SET block = $8, journal_seq = $3, journal_hash = $4, ledger_seq = $5, ledger_hash = $6, at = $7
WHERE book = $2
"""
_MINE: Final = "UPDATE book SET epoch = epoch WHERE book = $1 RETURNING epoch"
"""It waits for whatever transaction still holds the book."""
_HELD: Final = 'SELECT "table", epoch FROM lease WHERE "table" = ANY($1) AND host = $2 ORDER BY "table" FOR SHARE'
_ALONE: Final = "SELECT pg_advisory_xact_lock($1::integer, hashtext($2))"
_NEWER: Final = "SELECT 1 FROM journal WHERE kind = ANY($1) AND seq > $2 LIMIT 1"
_KNOWN: Final = "SELECT 1 FROM group_commit WHERE id = $1"


@dataclass(frozen=True, slots=True)
class HeldBook:
    """The book this process writes, and the count of those who have held it: who holds an older one writes no more."""

    book: int
    epoch: int


class PostgresEngine:
    """See `studio.journal.engine.Engine`. `new_id` names commits; `wait` pauses, and says whether to stop waiting;
    `now_s` is this machine's clock.
    """

    def __init__(
        self, address: str, host: str, new_id: Callable[[], str], wait: Callable[[float], bool],
        now_s: Callable[[], float],
    ) -> None:  # fmt: skip
        self._address = address
        self._where = without_password(address)
        self._host = host
        self._new_id = new_id
        self._wait = wait
        self._broken = ""
        raw = connect(address, reads_only=False)
        try:
            require_fit(raw, self._where)
            require_one_time(raw, self._where, now_s)
            migrate(raw, self._where)
            with told():
                self._held, self._block = _take(raw, host, self._where, wait)
            self._floor = 0
        except BaseException:
            raw.close()
            raise
        self._database = PostgresDatabase(raw)

    @property
    def connection(self) -> PostgresDatabase:
        return self._database

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        return (StorageError,)

    @property
    def held(self) -> HeldBook:
        return self._held

    @property
    def alone(self) -> bool:
        return False

    def begin(self) -> Heads:
        if self._broken:
            raise StorageError(self._broken)
        with self._database.at_once():
            self._database.execute("BEGIN")
            begun = self._database.execute(_BEGIN, (self._held.book, self._block, _ROOM))
        row = begun.fetchone()
        drawn, journal_seq, journal_hash, ledger_seq, ledger_hash, at_ms, epoch = row
        if epoch != self._held.epoch:
            self._broken = _TAKEN_OVER.format(self._host)
            raise StorageError(self._broken)
        self._use(drawn)
        return self._within(Heads(Head(journal_seq, journal_hash), Head(ledger_seq, ledger_hash), at_ms))

    def lost(self, leases: Collection[Lease]) -> frozenset[Lease]:
        """Locked against whoever would take them over, in one order."""
        asked = sorted({lease.table for lease in leases})
        held = set(self._database.execute(_HELD, (asked, self._host)).fetchall())
        return frozenset(lease for lease in leases if (lease.table, lease.epoch) not in held)

    def moved(self, follows: Collection[Follows]) -> frozenset[Follows]:
        """Locked against whoever would add to them, in one order; what is asked then sees what the last one added."""
        for book in sorted({one.book for one in follows}):
            self._database.execute(_ALONE, (DESKS, book))
        return frozenset(one for one in follows if self._has_newer(one))

    def _has_newer(self, one: Follows) -> bool:
        return self._database.execute(_NEWER, (sorted(one.kinds), one.after)).fetchone() is not None

    def at_once(self) -> AbstractContextManager[object]:
        return self._database.at_once()

    def more_numbers(self, heads: Heads) -> Heads:
        self._use(self._database.execute("SELECT nextval('block')").fetchone()[0])
        return self._within(heads)

    def commit(self, heads: Heads) -> None:
        """When it returns, it is kept; a `PostgresError` that may be tried again says that it is not."""
        id = self._new_id()
        done = (id, self._held.book, *heads.journal, *heads.ledger, heads.at_ms, self._block)
        try:
            with self._database.at_once():
                self._database.execute(_DONE, done)
                self._database.execute("COMMIT")
        except PostgresError as error:
            if not error.lost or not self._was_kept(id):
                raise

    def roll_back(self) -> None:
        with contextlib.suppress(PostgresError):
            self._database.execute("ROLLBACK")

    def may_try_again(self, error: Exception, times: int) -> bool:
        if self._broken or not isinstance(error, PostgresError) or not error.again or times > _TIMES_MAX:
            return False
        return not self._database.raw.closed or self._come_back(AGAIN_S)

    def is_our_fault(self, error: Exception) -> bool:
        return isinstance(error, PostgresError) and error.ours

    def storage_error(self, error: Exception) -> StorageError:
        wrapped: StorageError
        if not isinstance(error, PostgresError):
            wrapped = StorageError(str(error))
        elif error.no_space:
            sentence = "The database's disk is full and nothing of this commit was kept: make room, then go on."
            wrapped = StorageError(sentence)
        elif error.lost:
            wrapped = RecordAwayError(_AWAY)
        else:
            wrapped = StorageError(f"Nothing of this commit was kept. {error}")
        wrapped.__cause__ = error
        return wrapped

    def close(self) -> None:
        self._database.close()

    def _use(self, drawn: int) -> None:
        """Give the numbers of this block. They go on from the last where nobody has drawn since."""
        if drawn not in (self._block, self._block + 1):
            self._floor = max(drawn * BLOCK - 1, 0)
        self._block = drawn

    def _within(self, heads: Heads) -> Heads:
        return heads._replace(floor=self._floor, ceiling=(self._block + 1) * BLOCK - 1)

    def _was_kept(self, id: str) -> bool:
        """Whether the commit of that id was done, though its answer was lost; asked until it is known."""
        for _ in range(_TIMES_MAX):  # the line may break again while it is asked for
            if not self._come_back(ASK_S):
                break
            with contextlib.suppress(PostgresError):
                return self._database.execute(_KNOWN, (id,)).fetchone() is not None
        self._broken = _UNKNOWN
        raise StorageError(self._broken)

    def _come_back(self, patience_s: float) -> bool:
        """A new line to the same book, once the transaction of the old one is over; whether there is one in time."""
        self._database.close()
        waited_s = 0.0
        while True:
            try:
                raw = connect(self._address, reads_only=False)
            except BadInputError:
                raw = None
            if raw is not None:
                try:
                    with told():
                        if self._taken_up_again(raw):
                            return True
                except PostgresError:
                    raw.close()
            if self._broken or waited_s >= patience_s or self._wait(_PAUSE_S):
                return False
            waited_s += _PAUSE_S

    def _taken_up_again(self, raw: RawConnection) -> bool:
        if _locked(raw, self._held.book):
            raw.execute("SELECT set_config('studio.book', $1, false)", (str(self._held.book),))
            row = raw.execute(_MINE, (self._held.book,)).fetchone()
            if row is not None and row[0] == self._held.epoch:
                self._database.raw = raw
                return True
            self._broken = _TAKEN_OVER.format(self._host)
        raw.close()
        return False


def require_fit(raw: RawConnection, where: str) -> None:
    """`BadInputError` for a server that keeps less than it says, or is too old."""
    if raw.info.server_version < VERSION_MIN:
        raise BadInputError("PostgreSQL 13 or newer is needed: bring the server up to date.", where=where)
    for setting in ("synchronous_commit", "fsync", "full_page_writes"):
        row = raw.execute("SELECT current_setting($1)", (setting,)).fetchone()
        if row is not None and row[0] == "off":
            sentence = f"Its {setting} is off, so it would lose what it has answered: set it on, then start again."
            raise BadInputError(sentence, where=where)
    row = raw.execute("SELECT current_setting('server_encoding')").fetchone()
    if row is not None and row[0] != "UTF8":
        raise BadInputError(f"Its letters are {row[0]}: create a database with ENCODING 'UTF8'.", where=where)


def require_one_time(raw: RawConnection, where: str, now_s: Callable[[], float]) -> None:
    """`BadInputError` for a machine whose clock is not the database's: rounds of two hosts would stand in a wrong order
    of time.
    """
    if abs(off_s := clock_off_s(raw, now_s)) > OFF_S_MAX:
        sentence = (
            f"This machine's clock is {abs(off_s):.0f} s {'ahead of' if off_s > 0 else 'behind'} the database's: have"
            " a time service set both, then start again."
        )
        raise BadInputError(sentence, where=where)


def clock_off_s(raw: RawConnection, now_s: Callable[[], float]) -> float:
    """How far this machine's clock is ahead of the database's."""
    before_s = now_s()
    row = raw.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
    assert row is not None
    return (before_s + now_s()) / 2 - float(row[0])


def _take(raw: RawConnection, host: str, where: str, wait: Callable[[float], bool]) -> tuple[HeldBook, int]:
    """Hold the host's book alone, from now on until the line ends; gives the block of its numbers, too."""
    with raw.transaction():
        raw.execute("LOCK TABLE book IN SHARE ROW EXCLUSIVE MODE")
        raw.execute(
            "INSERT INTO book (book, host) SELECT coalesce(max(book), 0) + 1, $1 FROM book"
            " ON CONFLICT (host) DO NOTHING", (host,)
        )  # fmt: skip
    row = raw.execute("SELECT book FROM book WHERE host = $1", (host,)).fetchone()
    assert row is not None
    book = int(row[0])
    for _ in range(_TAKES_MAX):
        if _locked(raw, book):
            break
        wait(_PAUSE_S)
    else:
        raise BadInputError(
            f"Another studio writes there as host {host}: stop that one, or give this one another name.", where=where
        )
    raw.execute("SELECT set_config('studio.book', $1, false)", (str(book),))
    row = raw.execute("UPDATE book SET epoch = epoch + 1 WHERE book = $1 RETURNING epoch, block", (book,)).fetchone()
    assert row is not None
    return HeldBook(book, int(row[0])), int(row[1])


def _locked(raw: RawConnection, book: int) -> bool:
    row = raw.execute("SELECT pg_try_advisory_lock($1::integer, $2::integer)", (NUMBERS, book)).fetchone()
    return row is not None and bool(row[0])
