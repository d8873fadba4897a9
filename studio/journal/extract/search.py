"""Searches the record: who, what, when, which table, round, card, row, sum, or words.

Bodies hold sealed cards as ciphertext only, so no search can find a card that was not revealed. A search looks back
over so many rows and no more, and says where it stopped: somebody who wants to know goes on from there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studio.journal.booking import LEDGER_BOUND
from studio.journal.reader import Posting, Reader, Row
from studio.money import Transfer

STRETCH: Final = 20_000
LOOK_MAX: Final = 400_000
"""So many rows are looked through for one page where no index leads to them."""
CLOCKS_MS: Final = 600_000
"""Rows stand in the order of their commits; the times of two threads differ by far less."""

_ENDS: Final = "SELECT coalesce((SELECT min(seq) FROM {0}), 1), coalesce((SELECT max(seq) FROM {0}), 0)"
"""Asked apart, for SQLite looks through all rows for both at once."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked; everything named must hold. `who`, `rounds`: any of these. `to_ms` is the last moment."""

    who: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    table: str = ""
    rounds: tuple[str, ...] = ()
    card: str = ""
    words: str = ""
    row: str = ""
    amount_minor: int | None = None
    from_ms: int | None = None
    to_ms: int | None = None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Rows, newest first. `before`: where the next page begins, None at the end; it got back to `looked_to_ms`."""

    rows: Sequence[Row]
    before: int | None
    looked_to_ms: int


@dataclass(frozen=True, slots=True)
class MoneyPage:
    postings: Sequence[Posting]
    before: int | None
    looked_to_ms: int


def search(reader: Reader, query: Query, before: int | None = None, limit: int = 100) -> FoundPage:
    """The newest rows that fit, of those before row `before`."""
    where, given = _condition(query)
    sql = (
        f"SELECT seq, at, kind, CAST(body AS BLOB) FROM journal WHERE {where} AND seq BETWEEN ? AND ? ORDER BY seq DESC"  # noqa: S608
    )
    found: list[Row] = []
    first, last = _bounds(reader, "journal", query, before)
    low = last + 1
    for low, high in _stretches(first, last, narrow=bool(query.rounds)):
        for row in reader.read(sql, (*given, low, high)):
            if _fits(query, row[3]):
                found.append(Row(*row))
                if len(found) == limit:
                    return FoundPage(found, row[0], row[1])
    return FoundPage(found, low if low > first else None, _at(reader, "journal", low))


def search_money(reader: Reader, query: Query, before: int | None = None, limit: int = 100) -> MoneyPage:
    """The newest transfers that fit: of a round, a sum, an account's name, a kind."""
    terms: list[str] = ["1 = 1"]
    given: list[Any] = []
    if query.rounds:
        terms.append(_any_of("round", query.rounds))
        given.extend(query.rounds)
    if query.amount_minor is not None:
        terms.append("amount = ?")
        given.append(query.amount_minor)
    if query.kinds:
        terms.append(_any_of("kind", query.kinds))
        given.extend(query.kinds)
    if query.who:
        terms.append("(" + " OR ".join("instr(debit || '/' || credit || '/' || bet, ?) > 0" for _ in query.who) + ")")
        given.extend(query.who)
    sql = f"""
        SELECT seq, at, round, bet, kind, debit, credit, amount, currency, revision FROM ledger
        WHERE {" AND ".join(terms)} AND seq BETWEEN ? AND ? ORDER BY seq DESC
    """  # noqa: S608
    found: list[Posting] = []
    first, last = _bounds(reader, "ledger", query, before)
    low = last + 1
    for low, high in _stretches(first, last, narrow=bool(query.rounds)):
        for row in reader.read(sql, (*given, low, high)):
            if (query.from_ms or 0) <= row[1] <= (query.to_ms or row[1]):
                found.append(Posting(row[0], row[1], Transfer(*row[2:])))
                if len(found) == limit:
                    return MoneyPage(found, row[0], row[1])
    return MoneyPage(found, low if low > first else None, _at(reader, "ledger", low))


def _condition(query: Query) -> tuple[str, list[Any]]:
    """What SQLite can tell by itself; the rest is looked at row by row."""
    terms: list[str] = ["kind <> ?"]
    given: list[Any] = [LEDGER_BOUND]
    if query.table:
        terms.append('"table" = ?')
        given.append(query.table)
    if query.rounds:
        terms.append(_any_of("round", query.rounds))
        given.extend(query.rounds)
    if query.kinds:
        terms.append(_any_of("kind", query.kinds))
        given.extend(query.kinds)
    for value in (query.card, query.row):
        if value:
            terms.append("instr(body, ?) > 0")
            given.append(json.dumps(value, ensure_ascii=False))
    if query.amount_minor is not None:
        terms.append("instr(body, ?) > 0")
        given.append(f":{query.amount_minor}")
    if query.who:
        terms.append("(" + " OR ".join("instr(body, ?) > 0" for _ in query.who) + ")")
        given.extend(json.dumps(one, ensure_ascii=False) for one in query.who)
    if query.words:
        terms.append("instr(lower(body), lower(?)) > 0")
        given.append(json.dumps(query.words, ensure_ascii=False)[1:-1])
    for sign, at_ms in ((">=", query.from_ms), ("<=", query.to_ms)):
        if at_ms is not None:
            terms.append(f"at {sign} ?")
            given.append(at_ms)
    return " AND ".join(terms), given


def _any_of(column: str, values: Sequence[str]) -> str:
    return f"{column} IN ({', '.join('?' * len(values))})"


def _bounds(reader: Reader, chain: str, query: Query, before: int | None) -> tuple[int, int]:
    """The rows worth a look: times narrow them down, with room for clocks that differ."""
    ((first, last),) = reader.read(_ENDS.format(chain), ())
    if before is not None:
        last = min(last, before - 1)
    if query.to_ms is not None:
        last = _place(reader, chain, first, last, query.to_ms + CLOCKS_MS)
    if query.from_ms is not None:
        first = max(first, _place(reader, chain, first, last, query.from_ms - CLOCKS_MS))
    return first, last


def _place(reader: Reader, chain: str, low: int, high: int, at_ms: int) -> int:
    """The last row that is not newer than that."""
    low -= 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _at(reader, chain, middle) <= at_ms else (low, middle - 1)
    return low


def _at(reader: Reader, chain: str, seq: int) -> int:
    """Of the last row with that number or a lower one: where several hosts write there are numbers nobody has taken."""
    rows = reader.read(f"SELECT at FROM {chain} WHERE seq <= ? ORDER BY seq DESC LIMIT 1", (seq,))  # noqa: S608
    return int(rows[0][0]) if rows else 0


def _stretches(first: int, last: int, *, narrow: bool) -> Iterator[tuple[int, int]]:
    """Newest first; all at once where an index leads to few rows anyway."""
    if narrow:
        yield first, last
        return
    for high in range(last, max(first, last - LOOK_MAX + 1) - 1, -STRETCH):
        yield max(first, high - STRETCH + 1), high


def _fits(query: Query, body: bytes) -> bool:
    """Whether it is a value that holds it and not a name, or the middle of something else."""
    if not (query.who or query.card or query.row or query.words or query.amount_minor is not None):
        return True
    said = list(_values(json.loads(body), ""))
    texts = [value for _, value in said if isinstance(value, str)]
    return (
        (not query.who or any(value in query.who for value in texts))
        and (not query.card or query.card in texts)
        and (not query.row or ("row", query.row) in said or ("void_row", query.row) in said)
        and (not query.words or any(_says(value, query.words) for value in texts))
        and (query.amount_minor is None or _holds_amount(said, query.amount_minor))
    )


def _says(value: str, words: str) -> bool:
    """Whether the words stand in the value; ids and digests are meant whole or not at all."""
    return words == value if _HEX.fullmatch(value) else words.lower() in value.lower()


def _holds_amount(said: Sequence[tuple[str, Any]], amount_minor: int) -> bool:
    return any(value == amount_minor and name.endswith("_minor") for name, value in said if isinstance(value, int))


_HEX: Final = re.compile(r"[0-9a-f]{12,}")
_SILENT: Final = frozenset({"type", "kind", "sealed", "nonce", "ciphertext", "key", "keys", "pin_hash", "signature"})
"""Names whose values are ours, or nobody's."""


def _values(plain: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Every value in the JSON of a row, each with its field's name; sealed cards, keys and the studio's own bookkeeping
    fields are left out.
    """
    match plain:
        case dict():
            for key, value in plain.items():
                if key not in _SILENT and not (key == "card" and isinstance(value, list)):
                    yield from _values(value, key)
        case list():
            for value in plain:
                yield from _values(value, name)
        case _:
            yield name, plain
