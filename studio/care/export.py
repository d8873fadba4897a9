"""Writes a span of journal and ledger for somebody who has neither our program nor our database.

JSON lines: where the chains stood before, every row with its hash, where they stand after, signed. Bodies are as they
were journalled: sealed cards stay ciphertext, keys of revealed cards stand in the reveals. Only the hashes of PINs are
left out, unless they are asked for: such a row keeps its hash. The form is told in docs/checking.md.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from studio.care.backup import own
from studio.care.signing import Signer
from studio.errors import BadInputError, StorageError
from studio.journal import Head
from studio.journal.booking import read_origin
from studio.journal.engine import Database
from studio.journal.place import Place, Snapshot, snapshot
from studio.people.record import CREDENTIAL_KINDS, without_credentials

FORMAT: Final = "studio-export"
VERSION: Final = 1
WITHHOLDS: Final = 2
"""The version of an export in which rows stand without what they said of PINs."""

_ROW: Final = re.compile(r"[0-9]{1,18}")
_JOURNAL: Final = """
SELECT seq, at, ledger_seq, kind, body, hash FROM journal WHERE seq BETWEEN ? AND ? AND {book} ORDER BY seq
"""
_LEDGER: Final = """
SELECT ledger.seq, at, ledger.round, ledger.bet, kind, debit, credit, amount, ledger.currency, revision, hash,
    operator, client_id, bettor, "table", bet.bet
FROM ledger LEFT JOIN bet ON bet.seq = ledger.seq WHERE ledger.seq BETWEEN ? AND ? AND {book} ORDER BY ledger.seq
"""


EVERY: Final = "1 = 1"
"""The condition of a record that is one book."""
_HOSTS: Final = "SELECT host, book FROM book ORDER BY host"
_NAME: Final = """
SELECT json_extract(body, '$.care.studio') FROM journal WHERE kind = 'CheckpointSigned' ORDER BY seq DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Span:
    """Rows of the journal, first and last; the ledger's rows are those bound by them. `book`: the condition that picks
    the rows of one book, and `host` whose it is, where the record has several.
    """

    first: int
    last: int
    book: str = EVERY
    host: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """What an export holds. `after`: the last rows, which the next export must begin from."""

    span: Span
    rows: int
    sha256: str
    journal_after: Head
    ledger_after: Head


def signed_text(version: int, sha256: str) -> str:
    """What is signed at the end of an export: the digest of every byte before its last line."""
    return f"{FORMAT} {version}\n{sha256}"


def write_export(  # noqa: PLR0913 - what the command is asked, and the key
    db: Place, begin: str, end: str, out: Path, signer: Signer, *, with_credentials: bool = False, host: str = ""
) -> Written:
    """Write the rows from `begin` to `end` (numbers, days or times in UTC; empty is all) into `out`, new and whole.

    Of a record that hosts share, one host's book: that of `host`. `with_credentials`: the hashes of PINs go with them,
    for whoever must have every byte.
    `BadInputError` when there is nothing to export or `out` exists; `StorageError` when the disk does not take it.
    """
    if out.exists():
        raise BadInputError("It is there already: name a new file.", where=str(out))
    part = out.with_name(f"{out.name}.part")
    with snapshot(db) as seen:
        span = find_span(seen.connection, begin, end, *_book(seen, host))
        withheld: frozenset[str] = frozenset() if with_credentials else CREDENTIAL_KINDS
        try:
            part.unlink(missing_ok=True)
            own(part)
            with part.open("wb") as file:
                written = _write(file, seen.connection, span, signer, withheld)
                file.flush()
                os.fsync(file.fileno())
            part.rename(out)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise StorageError(f"{out} cannot be written ({error.strerror}); nothing of it was kept.") from error
    return written


def _book(seen: Snapshot, host: str) -> tuple[str, str]:
    """The condition that picks a host's book, and the host; every row where the record is one book for good."""
    if not seen.gaps:
        if host:
            raise BadInputError("This record is one book: leave out --host.")
        return EVERY, ""
    books = {str(name): f"book = {int(book)}" for name, book in seen.connection.execute(_HOSTS).fetchall()}
    if not host and len(books) == 1:
        [host] = books
    if host not in books:
        sentence = (
            f"The record holds the books of {', '.join(books)}: name one by --host, each is an export of its own."
        )
        raise BadInputError(sentence)
    return books[host], host


def find_span(connection: Database, begin: str, end: str, book: str = EVERY, host: str = "") -> Span:
    """The rows asked for, by number or by time; a day's end is its last moment."""
    bounds = f"SELECT min(seq), max(seq) FROM journal WHERE {book}"  # noqa: S608 - a condition of our own
    [first, last] = connection.execute(bounds).fetchone()
    if first is None:
        raise BadInputError("The journal is empty: there is nothing to export.")
    if begin:
        row = _row(begin)
        first = max(first, row) if row is not None else _after(connection, moment_ms(begin), book)
    if end:
        row = _row(end)
        last = min(last, row) if row is not None else _before(connection, moment_ms(end, end_of_day=True), book)
    if first is None or last is None or first > last:
        raise BadInputError("The journal has no row in that span: name another.")
    if host:  # numbers may be missing between its rows
        within = f"SELECT min(seq), max(seq) FROM journal WHERE seq BETWEEN ? AND ? AND {book}"  # noqa: S608
        [first, last] = connection.execute(within, (first, last)).fetchone()
    if first is None:
        raise BadInputError("The journal has no row in that span: name another.")
    return Span(first, last, book, host)


def _row(given: str) -> int | None:
    """The number of a row; None for what is a day or a time."""
    return int(given) if _ROW.fullmatch(given) else None


def moment_ms(given: str, *, end_of_day: bool = False) -> int:
    """Milliseconds of a day or a time in UTC, as in `2026-01-31` or `2026-01-31T08:00`."""
    try:
        at = datetime.fromisoformat(given)
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
        at_ms = int(at.timestamp() * 1000)
    except (ValueError, OverflowError):
        raise BadInputError(f"'{given}' is no row, day or time: write 1200, 2026-01-31 or 2026-01-31T08:00.") from None
    whole_day = 86_400_000 - 1 if end_of_day and len(given) == len("2026-01-31") else 0
    return at_ms + whole_day


def _after(connection: Database, at_ms: int, book: str) -> Any:
    return connection.execute(f"SELECT min(seq) FROM journal WHERE at >= ? AND {book}", (at_ms,)).fetchone()[0]  # noqa: S608


def _before(connection: Database, at_ms: int, book: str) -> Any:
    return connection.execute(f"SELECT max(seq) FROM journal WHERE at <= ? AND {book}", (at_ms,)).fetchone()[0]  # noqa: S608


def _write(file: Any, connection: Database, span: Span, signer: Signer, withheld: frozenset[str]) -> Written:
    digest, rows = hashlib.sha256(), 0
    version = WITHHOLDS if _holds(connection, span, withheld) else VERSION
    [studio] = connection.execute(_NAME).fetchone() or [""]

    def put(plain: dict[str, Any]) -> None:
        line = (json.dumps(plain, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
        digest.update(line)
        file.write(line)

    journal = _head_before(connection, "journal", span.first, span.book)
    ledger = _ledger_before(connection, journal.seq, span.book)
    book = {"book": span.host} if span.host else {}
    put(
        {**book, "format": FORMAT, "version": version, "studio": studio, "first": span.first, "last": span.last,
         "journal_before": journal, "ledger_before": ledger}
    )  # fmt: skip
    for plain in _rows(connection, span, ledger.seq, withheld):
        put(plain)
        rows += 1
        if "ledger" in plain:
            ledger = Head(plain["ledger"][0], plain["hash"])
        else:
            journal = Head((plain.get("journal") or plain["withheld"])[0], plain["hash"])
    sha256 = digest.hexdigest()
    put(
        {"rows": rows, "journal_after": journal, "ledger_after": ledger, "sha256": sha256,
         "public_key": signer.public_key, "signature": signer.sign(signed_text(version, sha256))}
    )  # fmt: skip
    return Written(span, rows, sha256, journal, ledger)


def _holds(connection: Database, span: Span, kinds: frozenset[str]) -> bool:
    """Whether a row of these kinds is in the span."""
    names = tuple(sorted(kinds))
    kind = f"kind IN ({', '.join('?' * len(names))})"
    query = f"SELECT 1 FROM journal WHERE seq BETWEEN ? AND ? AND {kind} AND {span.book}"  # noqa: S608
    return connection.execute(query, (span.first, span.last, *names)).fetchone() is not None


def _rows(connection: Database, span: Span, ledger_got: int, withheld: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Each row of the journal, after the rows of the ledger it binds."""
    journal, ledger = _JOURNAL.format(book=span.book), _LEDGER.format(book=span.book)
    for seq, at_ms, ledger_seq, kind, body, hash in connection.execute(journal, (span.first, span.last)):
        if ledger_seq > ledger_got:
            for row in connection.execute(ledger, (ledger_got + 1, ledger_seq)):
                yield _ledger_line(row)
            ledger_got = ledger_seq
        if kind in withheld:
            yield {"withheld": [seq, at_ms, ledger_seq, kind, without_credentials(body)], "hash": hash}
        else:
            yield {"journal": [seq, at_ms, ledger_seq, kind, body], "hash": hash}


def _ledger_line(row: tuple[Any, ...]) -> dict[str, Any]:
    plain: dict[str, Any] = {"ledger": row[:10]}
    if row[4] == "reserve":
        plain["reserve"] = row[11:16]
    return {**plain, "hash": row[10]}


def _head_before(connection: Database, chain: str, seq: int, book: str) -> Head:
    query = f"SELECT seq, hash FROM {chain} WHERE seq < ? AND {book} ORDER BY seq DESC LIMIT 1"  # noqa: S608
    row = connection.execute(query, (seq,)).fetchone()
    return Head(*row) if row else read_origin(connection, chain, book)


def _ledger_before(connection: Database, journal_seq: int, book: str) -> Head:
    row = connection.execute("SELECT ledger_seq FROM journal WHERE seq = ?", (journal_seq,)).fetchone()
    return _head_before(connection, "ledger", row[0] + 1, book) if row else read_origin(connection, "ledger", book)
