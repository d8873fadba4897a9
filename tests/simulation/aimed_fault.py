"""Mistakes that are planted in the process that is to die: whoever aims at their places must find them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from studio.journal.booking import read_heads
from studio.journal.keys.keyring import FileKeyring
from studio.journal.link import Heads
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


FAULTS: Final[dict[str, Callable[[], None]]] = {
    "": none,
    "keys after the commit": keys_after_the_commit,
    "told before the commit": told_before_the_commit,
}
