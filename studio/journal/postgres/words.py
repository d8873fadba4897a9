"""Says SQLite's statements in PostgreSQL's words: the only place that knows where the two differ.

What PostgreSQL lacks as a function (`instr`, `json_extract`, `json_each`) is among the tables (`schema`). What is left
are words of grammar, and a few statements that mean something else where several hosts write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count
from typing import Final

from studio.journal import purse, reader
from studio.journal.extract import wallet_rows

_TOKENS: Final = re.compile(
    r"""
    (?P<text>'(?:[^']|'')*')
    | \?(?P<number>\d*)
    | (?P<or>\bOR\s+FAIL\b\s*)
    | (?P<hint>\s+INDEXED\s+BY\s+\w+)
    | CAST\((?P<bytes>[\w.]+)\s+AS\s+BLOB\)
    | (?P<cross>\bCROSS\s+JOIN\b(?=\s+\w+\s+ON\b))
    | (?P<plus>(?<=[\s(])\+(?=["a-z]))
    """,
    re.VERBOSE,
)
"""A hint to SQLite's planner (an index by name, a join that stays as it is written, a plus that hides a column from an
index) means nothing to PostgreSQL's."""

STABLE: Final = "(SELECT max({}) FROM group_commit WHERE xid < pg_snapshot_xmin(pg_current_snapshot()))"
"""No row up to it can appear any more: whoever has read so far has missed nothing before it."""
_HEAD: Final = "SELECT seq, hash FROM {0} WHERE seq <= {1} ORDER BY seq DESC LIMIT 1"

_OTHERWISE: Final[Mapping[str, str]] = {
    reader.HEAD_OF["journal"]: _HEAD.format("journal", STABLE.format("journal_seq")),
    reader.HEAD_OF["ledger"]: _HEAD.format("ledger", STABLE.format("ledger_seq")),
    reader.LEDGER_UPTO: """
        SELECT max(last.ledger_seq) FROM book CROSS JOIN LATERAL (
            SELECT ledger_seq FROM journal WHERE journal.book = book.book AND seq <= $1 ORDER BY seq DESC LIMIT 1
        ) AS last
    """,
    wallet_rows.HEAD: f"SELECT coalesce({STABLE.format('ledger_seq')}, 0)",
    purse.HELD: "SELECT amount FROM part WHERE account = $1 AND currency = $2 AND book = 0 FOR UPDATE",
    purse.HELD_BELOW: "SELECT sum(amount) FROM part WHERE account = $1 AND currency = $2 HAVING count(*) > 0",
    purse.HERE: "SELECT 1 FROM part WHERE account = $1 AND currency = $2 AND book = home($1)",
    purse.ADD: """
        UPDATE part SET amount = amount + $1, may_owe = CASE WHEN may_owe = 1 AND amount + $1 < 0 THEN 1 ELSE 0 END
        WHERE account = $2 AND currency = $3 AND book = home($2)
    """,
    purse.CLOSE: "DELETE FROM part WHERE account = $1 AND currency = $2 AND amount = 0 AND book = home($1)",
    purse.LET_OWE: "UPDATE part SET may_owe = 1 WHERE account = $1 AND currency = $2 AND book = home($1)",
    purse.OPEN: "INSERT INTO part (account, currency, amount, may_owe, book) VALUES ($1, $2, $3, $4, home($1))"
    " ON CONFLICT (account, currency, book) DO UPDATE SET amount = part.amount + excluded.amount",
}
"""An account that nothing is refused by is kept in a part for each host, so that no two wait for each other there; all
others are locked by whoever reads them to move them."""


_KEPT: Final = "SELECT account, currency, amount FROM part WHERE book = 0 AND account IN"
"""Whoever moves several locks them in one order, so that no two hosts wait for each other."""


@cache
def said(sql: str) -> str:
    """
    >>> said("SELECT CAST(body AS BLOB) FROM journal INDEXED BY x WHERE kind = 'a?' AND +round = ? AND seq > ?")
    "SELECT convert_to(body, 'UTF8') FROM journal WHERE kind = 'a?' AND round = $1 AND seq > $2"
    """
    otherwise = _OTHERWISE.get(sql)
    if otherwise is not None:
        return otherwise
    if sql.startswith(purse.KEPT):
        sql = f"{_KEPT}{sql.removeprefix(purse.KEPT)} ORDER BY account, currency FOR UPDATE"
    numbers = count(1)
    return _TOKENS.sub(lambda found: _said(found, numbers), sql)


def _said(found: re.Match[str], numbers: Iterator[int]) -> str:
    match found.lastgroup:
        case "text":
            return found[0]
        case "number":
            return f"${found['number'] or next(numbers)}"
        case "bytes":
            return f"convert_to({found['bytes']}, 'UTF8')"
        case "cross":
            return "JOIN"
        case _:
            return ""
