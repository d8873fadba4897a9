"""Mistakes that are planted in the process that is to die, or in the one that takes its table over: whoever aims at
their places must find them.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from sqlite_utils import Database

from dealer_ui.teller.caller import Caller
from dealer_ui.teller.stake_desk import StakeDesk
from studio.care import archive
from studio.journal import LeaseLostError
from studio.journal.booking import read_heads
from studio.journal.keys.keyring import FileKeyring
from studio.journal.link import Heads
from studio.journal.postgres import leases
from studio.journal.postgres.engine import PostgresEngine
from studio.journal.sqlite.engine import SqliteEngine
from studio.journal.writer import Writer

COMMITS: Final = 20


def none() -> None:
    pass


def keys_after_the_commit() -> None:
    """As if the writer kept the keys of cards once their rows had been committed."""
    append, written = FileKeyring.append, Writer._written
    held: list[tuple[FileKeyring, Any]] = []

    def later(self: FileKeyring, keys: Any) -> None:
        held.append((self, keys))

    def then(self: Writer, *given: Any) -> Any:
        outcomes = written(self, *given)
        while held:
            append(*held.pop())
        return outcomes

    FileKeyring.append = later  # type: ignore[method-assign]
    Writer._written = then  # type: ignore[method-assign]


def told_before_the_commit() -> None:
    """As if bets were acknowledged while their transaction was still open: after some commits none is made any more."""
    begin, commit = SqliteEngine.begin, SqliteEngine.commit
    made = 0

    def once(self: SqliteEngine) -> Heads:
        return read_heads(self.connection) if self.connection.in_transaction else begin(self)

    def never(self: SqliteEngine, heads: Heads) -> None:
        nonlocal made
        made += 1
        if made < COMMITS:
            commit(self, heads)

    SqliteEngine.begin = once  # type: ignore[method-assign]
    SqliteEngine.commit = never  # type: ignore[method-assign]


def asked_before_it_is_written() -> None:
    """As if a wallet were asked for a stake before the record has it."""
    ask, ask_all = StakeDesk.ask, Caller.ask_all
    held: list[tuple[Any, ...]] = []

    def later(self: StakeDesk, *given: Any) -> None:
        held.append((self, *given))

    def then(self: Caller[Any], *given: Any) -> Any:
        said = ask_all(self, *given)
        while held:
            ask(*held.pop())
        return said

    StakeDesk.ask = later  # type: ignore[method-assign]
    Caller.ask_all = then  # type: ignore[assignment, method-assign]


def a_server_that_is_not_waited_for() -> None:
    """As if a server's commit counted as kept though the server gave it up."""
    commit, made = PostgresEngine.commit, 0

    def given_up(self: PostgresEngine, heads: Heads) -> None:
        nonlocal made
        made += 1
        if made < COMMITS:
            commit(self, heads)
        else:
            self.roll_back()

    PostgresEngine.commit = given_up  # type: ignore[method-assign]


def a_purse_is_carried_elsewhere() -> None:
    """As if a year's end gave what bettors have to another account: the sum is right, and no bettor has anything."""
    elsewhere = "CASE WHEN account LIKE 'bettor:%' THEN 'house:elsewhere' ELSE account END AS account"
    archive._BALANCES = f"SELECT {elsewhere}, currency, amount FROM ({archive._BALANCES})"  # type: ignore[misc]


def a_year_forgets_a_row() -> None:
    """As if a year's end kept a copy that lacks the newest row: nothing of it is wrong but that it is missing."""
    copy = archive.copy_database

    def short(db: Path, target: Path) -> None:
        copy(db, target)
        with closing(sqlite3.connect(target)) as made, made:
            made.execute("DROP TRIGGER journal_refuses_delete")
            made.execute("DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)")

    archive.copy_database = short


def a_migration_forgets_a_purse() -> None:
    """As if a step of a migration left the bettors' balances behind."""
    execute = Database.execute

    def short(self: Database, sql: str, *given: Any) -> Any:
        if sql == "DROP TABLE balance_before":
            execute(self, "DELETE FROM balance WHERE account LIKE 'bettor:%'")
        return execute(self, sql, *given)

    Database.execute = short  # type: ignore[method-assign]


FAULTS: Final[dict[str, Callable[[], None]]] = {
    "": none,
    "keys after the commit": keys_after_the_commit,
    "told before the commit": told_before_the_commit,
    "a wallet is asked before it is written": asked_before_it_is_written,
    "a server is not waited for": a_server_that_is_not_waited_for,
    "a purse is carried elsewhere": a_purse_is_carried_elsewhere,
    "a year forgets a row": a_year_forgets_a_row,
    "a migration forgets a purse": a_migration_forgets_a_purse,
}


def an_epoch_comes_again(planted: pytest.MonkeyPatch) -> None:
    """As if whoever takes a table had the very hold of whoever was killed."""
    planted.setattr(leases, "_TAKE", leases._TAKE.replace("held.epoch + 1", "held.epoch"))


def an_older_hold_writes(planted: pytest.MonkeyPatch) -> None:
    """As if a commit did not ask whether its hold is the newest."""
    planted.setattr(PostgresEngine, "lost", lambda self, leases: frozenset())


def a_lost_hold_is_not_told(planted: pytest.MonkeyPatch) -> None:
    """As if a commit under an older hold were dropped and called kept."""
    commit = Writer.commit

    def silent(self: Writer, unit: Any) -> Any:
        with contextlib.suppress(LeaseLostError):
            return commit(self, unit)

    planted.setattr(Writer, "commit", silent)


TAKING_FAULTS: Final[dict[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "an epoch comes again": an_epoch_comes_again,
    "an older hold writes": an_older_hold_writes,
    "a lost hold is not told": a_lost_hold_is_not_told,
}
