"""Carries a studio's record from its file into PostgreSQL, row by row, as one book.

Rows keep their numbers and their hashes, so whoever has an export, a checkpoint or a witness' file holds it against
the new database as against the old one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from studio.errors import BadInputError
from studio.journal.booking import read_heads
from studio.journal.chain import check
from studio.journal.link import Heads
from studio.journal.postgres.connection import RawConnection, connect, told, without_password
from studio.journal.postgres.engine import require_fit
from studio.journal.postgres.schema import BLOCK, migrate
from studio.journal.sqlite.file import alone, require_database, snapshot

_PAGE: Final = 2_000
_TABLES: Final = {
    "journal": "seq, at, kind, body, ledger_seq, hash",
    "ledger": "seq, at, round, bet, kind, debit, credit, amount, currency, revision, hash, held_for, brought_by",
    "bet": 'seq, id, operator, client_id, bettor, "table", round, bet, stake, currency, free',
    "origin": "chain, seq, hash",
    "round_party": "round, operator",
    "round_end": 'operator, seq, "table", round, generation',
}
_BALANCES: Final = "SELECT account, currency, amount, may_owe FROM balance ORDER BY account, currency"
_SUMS: Final = """
SELECT currency, sum(CASE WHEN amount > 0 THEN amount ELSE 0 END), count(*) FROM balance GROUP BY currency ORDER BY 1
"""


@dataclass(frozen=True, slots=True)
class Carried:
    """What was carried over, and where both chains end, there as here."""

    events: int
    entries: int
    accounts: int
    heads: Heads


def carry_over(db: Path, address: str, host: str, moved: Callable[[str, int], None]) -> Carried:
    """Carry the record of a stopped studio into an empty database, verify it there, and keep it only then.

    `BadInputError` when a studio runs on the file, the file is not sound, or somebody has written to the database.
    `moved` is told each table and how many of its rows are there.
    """
    require_database(db)
    with alone(db):
        wrong = check(db)
        if wrong is not None:
            raise BadInputError(f"The record is not sound, so it is not carried over: {wrong.sentence}", where=str(db))
        with closing(connect(address, reads_only=False)) as raw, told():
            where = without_password(address)
            require_fit(raw, where)
            migrate(raw, where)
            return _carried(db, address, raw, host, moved)


def _carried(db: Path, address: str, raw: RawConnection, host: str, moved: Callable[[str, int], None]) -> Carried:
    where = without_password(address)
    with snapshot(db) as source, raw.transaction():
        raw.execute("LOCK TABLE book IN SHARE ROW EXCLUSIVE MODE")
        if raw.execute("SELECT 1 FROM book LIMIT 1").fetchone() is not None:
            raise BadInputError("A studio has written there already: name an empty database.", where=where)
        heads = read_heads(source)
        block = max(heads.journal.seq, heads.ledger.seq) // BLOCK
        raw.execute("SELECT setval('block', $1)", (block,))
        raw.execute("SELECT set_config('studio.book', '1', true)")
        raw.execute(
            "INSERT INTO book (book, host, block, journal_seq, journal_hash, ledger_seq, ledger_hash, at)"
            " VALUES (1, $1, $2, $3, $4, $5, $6, $7)",
            (host, block, *heads.journal, *heads.ledger, heads.at_ms),
        )
        raw.execute(
            "INSERT INTO group_commit (id, book, journal_seq, ledger_seq) VALUES ('carried over', 1, $1, $2)",
            (heads.journal.seq, heads.ledger.seq),
        )
        for table in _TABLES:
            _copy(source, raw, table, moved)
        accounts = source.execute(_BALANCES).fetchall()
        raw.cursor().executemany(
            "INSERT INTO part (account, currency, amount, may_owe, book) VALUES ($1, $2, $3, $4, home($1))", accounts
        )
        here, there = source.execute(_SUMS).fetchall(), raw.execute(_SUMS.encode()).fetchall()
        if here != there:
            raise BadInputError(f"The sums do not agree: {here} here, {there} there; nothing was kept.", where=where)
        events, entries = (
            source.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - names of our own
            for table in ("journal", "ledger")
        )
    wrong = check(address)
    if wrong is not None:
        raise BadInputError(
            f"It does not verify there: {wrong.sentence} Empty the database, then try again.", where=where
        )
    return Carried(events, entries, len(accounts), heads)


def _copy(source: Any, raw: RawConnection, table: str, moved: Callable[[str, int], None]) -> None:
    columns, rows = _TABLES[table], 0
    cursor = source.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2")  # noqa: S608 - names of our own
    with raw.cursor().copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
        while page := cursor.fetchmany(_PAGE):
            for row in page:
                copy.write_row(row)
            rows += len(page)
            moved(table, rows)
