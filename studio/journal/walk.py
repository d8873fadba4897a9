"""Reads journal and ledger side by side: each event with the money that was committed with it.

A journal row names the ledger's last row at its commit, so the rows of the ledger since the row before it are the
money of its unit; where a unit told several events, they stand with the first.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from studio.journal.booking import read_origin
from studio.journal.reader import Posting, connect_read_only
from studio.journal.schema import require_current
from studio.money import Transfer

_JOURNAL: Final = "SELECT seq, at, kind, body, ledger_seq FROM journal ORDER BY seq"
_LEDGER: Final = "SELECT seq, at, round, bet, kind, debit, credit, amount, currency, revision FROM ledger ORDER BY seq"
_ROUNDS: Final = "SELECT count(*) FROM journal WHERE kind = 'RoundStarted'"


@dataclass(frozen=True, slots=True)
class Step:
    """One journal row and the transfers committed with its unit."""

    seq: int
    at_ms: int
    kind: str
    body: bytes
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is stored: rounds begun, rows of the journal, rows of the ledger."""

    rounds: int
    events: int
    entries: int


def walk(path: str | Path) -> Iterator[Step]:
    """Every step of one snapshot, in order; a studio may be at work on the file."""
    with contextlib.closing(connect_read_only(path)) as connection:
        require_current(connection, str(path))
        connection.execute("BEGIN")
        yield from steps(connection)


def corrected_rounds(path: str | Path) -> frozenset[str]:
    """The rounds that somebody wanted corrected after their settlement, whether it was agreed to or not."""
    return _rounds_of(path, "CorrectionAsked")


def rounds_unsealed(path: str | Path) -> frozenset[str]:
    """The rounds of which somebody wanted a sealed card opened, whether it was agreed to or not."""
    return _rounds_of(path, "UnsealingAsked")


def _rounds_of(path: str | Path, kind: str) -> frozenset[str]:
    with contextlib.closing(connect_read_only(path)) as connection:
        rows = connection.execute("SELECT DISTINCT round FROM journal WHERE kind = ?", (kind,)).fetchall()
    return frozenset(row[0] for row in rows)


def steps(connection: sqlite3.Connection) -> Iterator[Step]:
    """Every step this connection sees; nobody writes over it meanwhile."""
    ledger = connection.execute(_LEDGER)
    got = read_origin(connection, "ledger").seq
    for seq, at_ms, kind, body, ledger_seq in connection.execute(_JOURNAL):
        postings = tuple(_posting(row) for row in ledger.fetchmany(ledger_seq - got)) if ledger_seq > got else ()
        got = ledger_seq
        yield Step(seq, at_ms, kind, body.encode(), postings)


def measure(path: str | Path) -> Extent:
    """How much there is to walk; a count the damaged file cannot give is 0."""
    with contextlib.closing(connect_read_only(path)) as connection:
        require_current(connection, str(path))
        return Extent(
            _count(connection, _ROUNDS),
            _count(connection, "SELECT max(seq) FROM journal"),
            _count(connection, "SELECT max(seq) FROM ledger"),
        )


def _posting(row: tuple[Any, ...]) -> Posting:
    return Posting(row[0], row[1], Transfer(*row[2:]))


def _count(connection: sqlite3.Connection, sql: str) -> int:
    try:
        [found] = connection.execute(sql).fetchone()
    except sqlite3.DatabaseError:
        return 0
    return found if isinstance(found, int) else 0
