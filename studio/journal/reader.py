"""Reads the journal, the ledger, the bets and the balances back.

A reader belongs to one thread. Events come in pages, so that a slow listener holds no snapshot and never keeps the
writer's log from being tidied.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from studio.errors import InvariantError
from studio.journal.booking import LEDGER_BOUND
from studio.journal.engine import Cursor, Database
from studio.journal.link import GENESIS, Head
from studio.journal.place import Place, connect_to_read
from studio.journal.purse import SUM_OF_PURSES, prefix_of_purses
from studio.journal.whose import held_for
from studio.money import Offer, Transfer, grant_of, operator_account

_PAGE: Final = 500
BET_COLUMNS: Final = 'id, operator, client_id, bettor, "table", round, bet, stake, currency, free'
BETS_OF: Final = """
(SELECT seq AS moved FROM ledger INDEXED BY ledger_held_for WHERE held_for = ?) AS his
CROSS JOIN bet ON bet.seq = moved AND bettor = ?
"""
"""The bets of one bettor, among all that ever moved his money: asked for in the order of `moved`, they cost what is
read of them. What his chips of a poker table stake is held for him too, and is a bet of theirs: it is passed over.
"""
_TRANSFER: Final = "round, bet, kind, debit, credit, amount, currency, revision"
HEAD_OF: Final = {
    chain: f"SELECT seq, hash FROM {chain} ORDER BY seq DESC LIMIT 1"  # noqa: S608
    for chain in ("journal", "ledger")
}
_OF_ROUND: Final = "round = ? AND round <> ''"


class Row(msgspec.Struct, frozen=True):
    """One journalled event; `body` is its canonical JSON, byte for byte as it was written."""

    seq: int
    at_ms: int
    kind: str
    body: bytes


class Posting(msgspec.Struct, frozen=True):
    """One transfer with its place and time in the ledger. `offer`: the bet it reserved for, where that was read too."""

    seq: int
    at_ms: int
    transfer: Transfer
    offer: Offer | None = None


@dataclass(frozen=True, slots=True)
class BetStatus:
    """Where a bet stands. `status` is `pending`, `posted` or `voided`; `returned_minor` is what its bettor has got back
    so far. `free_again`: the stake was a free bet, and has come back whole to the grant it is of.
    """

    bet: Offer
    status: str
    returned_minor: int
    free_again: bool = False


class Reader:
    """Reads over one connection; `gate` is held for each page where the connection is shared."""

    def __init__(self, connection: Database, gate: AbstractContextManager[object], *, owns_connection: bool) -> None:
        self._connection = connection
        self._gate = gate
        self._owns_connection = owns_connection
        self._closed = False

    @classmethod
    def open(cls, place: Place) -> Reader:
        """Open a record to read it, also while a studio writes; `BadInputError` when this version cannot read it."""
        return cls(connect_to_read(place), contextlib.nullcontext(), owns_connection=True)

    def close(self) -> None:
        if self._owns_connection:
            self._closed = True
            self._connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def events(
        self,
        after_seq: int = 0,
        table: str | None = None,
        round: str | None = None,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        *,
        rare: bool = False,
    ) -> Iterator[Row]:
        """Events after `after_seq`, in order; those of a table, a round or some kinds only, where named.

        `rare`: of these kinds there are few at all tables together, so they are found by their kind, not by the table.
        """
        where, given = _selection(table, round, kinds, rare=rare)
        sql = f"SELECT seq, at, kind, CAST(body AS BLOB) FROM journal WHERE {where} AND seq > ? ORDER BY seq LIMIT ?"  # noqa: S608
        left = limit
        while left is None or left > 0:
            size = _PAGE if left is None else min(left, _PAGE)
            page = self.read(sql, (*given, after_seq, size))
            yield from (Row(*row) for row in page)
            if len(page) < size:
                return
            after_seq = page[-1][0]
            left = None if left is None else left - size

    def transfers(self, round: str) -> Iterator[Transfer]:
        """The round's transfers, in order."""
        return (posting.transfer for posting in self.postings(round))

    def postings(self, round: str) -> Iterator[Posting]:
        """The round's transfers with their place and time, in order."""
        sql = f"SELECT seq, at, {_TRANSFER} FROM ledger WHERE {_OF_ROUND} ORDER BY seq"  # noqa: S608
        return (Posting(row[0], row[1], Transfer(*row[2:])) for row in self.stream(sql, (round,)))

    def bets(self, round: str) -> Iterator[Offer]:
        """The round's accepted bets, in the order they were accepted."""
        sql = f"SELECT {BET_COLUMNS} FROM bet WHERE round = ? ORDER BY seq"  # noqa: S608
        return (Offer(*row) for row in self.stream(sql, (round,)))

    def pending(self, round: str) -> Iterator[Offer]:
        """The round's bets never posted and never voided yet: where a settlement that was cut off goes on."""
        sql = f"""
            SELECT {BET_COLUMNS} FROM bet WHERE round = ? AND NOT EXISTS (
                SELECT 1 FROM ledger WHERE ledger.round = bet.round AND ledger.bet = bet.id
                AND ledger.round <> '' AND kind IN ('post', 'void')
            ) ORDER BY seq
        """  # noqa: S608
        return (Offer(*row) for row in self.stream(sql, (round,)))

    def bet_status(self, operator: str, client_id: str) -> BetStatus | None:
        """Where the operator's bet of this client id stands; None when he has placed none."""
        sql = f"SELECT {BET_COLUMNS} FROM bet WHERE operator = ? AND client_id = ?"  # noqa: S608
        row = self._one(sql, (operator, client_id))
        return self.status(Offer(*row)) if row else None

    def bets_of(self, operator: str, bettor: str, limit: int) -> list[BetStatus]:
        """A bettor's latest bets, newest first."""
        sql = f"SELECT {BET_COLUMNS} FROM {BETS_OF} ORDER BY moved DESC LIMIT ?"  # noqa: S608
        return [self.status(Offer(*row)) for row in self.read(sql, (held_for(operator, bettor), bettor, limit))]

    def balance(self, account: str, currency: str = "") -> int:
        """What the account holds in minor units, of that currency where it may hold several; 0 when never used."""
        rows = self.read("SELECT amount FROM balance WHERE account = ? AND ? IN ('', currency)", (account, currency))
        if len(rows) > 1:
            raise InvariantError(f"{account} holds several currencies: name the one that is asked for.")
        return int(rows[0][0]) if rows else 0

    def knows_operator(self, operator: str) -> bool:
        """Whether any money of this operator's bettors ever moved, or any bet of theirs was accepted."""
        held = self._one("SELECT 1 FROM balance WHERE account = ? LIMIT 1", (operator_account(operator),))
        return held is not None or self._one("SELECT 1 FROM bet WHERE operator = ? LIMIT 1", (operator,)) is not None

    def purses_of(self, operator: str) -> dict[str, int]:
        """What all bettors of an operator hold together, by currency; counted purse by purse."""
        return dict(self.read(SUM_OF_PURSES, prefix_of_purses(operator)))

    def currency(self, account: str) -> str | None:
        """The currency a bettor's account is kept in; None when it was never used."""
        row = self._one("SELECT currency FROM balance WHERE account = ?", (account,))
        return str(row[0]) if row else None

    def newest_ms(self) -> int:
        """The time of the newest journal row; 0 in an empty journal."""
        row = self._one("SELECT at FROM journal ORDER BY seq DESC LIMIT 1", ())
        return int(row[0]) if row else 0

    def head(self) -> Head:
        """The last row of the journal; its `seq` is also how many rows there are."""
        return self._last("journal")

    def ledger_head(self) -> Head:
        return self._last("ledger")

    def status(self, bet: Offer, upto: int = 2**62) -> BetStatus:
        """Where an accepted bet stands by its transfers in the ledger, or stood as of ledger row `upto`."""
        sql = f"""
            SELECT kind, amount, {NOT_FREE}, debit, credit FROM ledger
            WHERE {_OF_ROUND} AND bet = ? AND seq <= ? ORDER BY seq
        """  # noqa: S608
        status, returned_minor, granted_minor = "pending", 0, 0
        for kind, amount_minor, counts, debit, credit in self.read(sql, (bet.round, bet.bet_id, upto)):
            status = _STATUS_AFTER.get(kind, status)
            returned_minor += GIVEN_BACK.get(kind, 0) * amount_minor * counts
            granted_minor += amount_minor * (bool(grant_of(credit)) - bool(grant_of(debit)))
        return BetStatus(bet, status, returned_minor, bool(bet.free) and granted_minor == 0)

    def _last(self, chain: str) -> Head:
        row = self._one(HEAD_OF[chain], ())
        return Head(*row) if row else origin(self, chain)

    def _one(self, sql: str, given: tuple[Any, ...]) -> tuple[Any, ...] | None:
        rows = self.read(sql, given)
        return rows[0] if rows else None

    def read(self, sql: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """All rows of one query of this room's."""
        with self._gate:
            return self._connection.execute(sql, given).fetchall()

    def stream(self, sql: str, given: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        """Rows of one query over one snapshot: a single round's, or a report's sums; few are held at a time."""
        with self._gate:
            cursor = self._connection.execute(sql, given)
        try:
            while page := self._next(cursor):
                yield from page
        finally:
            if not self._closed:  # else it ended with its connection: whoever read did not read to the end
                cursor.close()

    def _next(self, cursor: Cursor) -> list[tuple[Any, ...]]:
        with self._gate:
            return cursor.fetchmany(_PAGE)


def last_row(reader: Reader, upto: int) -> tuple[int, int]:
    """The last row of the journal with that number or a lower one, and its time; zeros where there is none.

    Where several hosts write there are numbers that nobody has taken.
    """
    rows = reader.read(_LAST_ROW, (upto,))
    return (int(rows[0][0]), int(rows[0][1])) if rows else (0, 0)


def ledger_upto(reader: Reader, seq: int) -> int:
    """The last row of the ledger that was there when that row of the journal was committed, by whichever host."""
    rows = reader.read(LEDGER_UPTO, (seq,))
    return int(rows[0][0] or 0) if rows else 0


def held_at(reader: Reader, account: str, currency: str, seq: int) -> int:
    """What the account held of this currency when that row of the journal was committed, in minor units.

    It is counted back from today: every transfer since then is looked through.
    """
    upto = ledger_upto(reader, seq)
    rows = reader.read(_HELD_AT, (account, currency, account, account, account, currency, upto))
    return int(rows[0][0])


def origin(reader: Reader, chain: str) -> Head:
    """The row the chain (`journal`, `ledger`) goes on from: of an archive, or none at all."""
    rows = reader.read("SELECT seq, hash FROM origin WHERE chain = ?", (chain,))
    return Head(*rows[0]) if rows else GENESIS


_STATUS_AFTER: Final = {"post": "posted", "void": "voided", "reverse_post": "pending"}
NOT_FREE: Final = "(CASE WHEN substr(ledger.credit, 1, 10) = 'promotion:' THEN 0 ELSE 1 END)"
"""1 for a transfer that brings its bettor something; 0 where a free stake goes back to the promotion it came from."""
GIVEN_BACK: Final = {
    "return": 1, "void": 1, "reverse_return": -1, "share": 1, "reverse_share": -1, "compensate": 1,
}  # fmt: skip
_HELD_AT: Final = """
SELECT coalesce((SELECT amount FROM balance WHERE account = ? AND currency = ?), 0)
     - coalesce((SELECT sum(CASE credit WHEN ? THEN amount ELSE -amount END) FROM ledger
                 WHERE (debit = ? OR credit = ?) AND currency = ?
                 AND seq > ?), 0)
"""
_LAST_ROW: Final = "SELECT seq, at FROM journal WHERE seq <= ? ORDER BY seq DESC LIMIT 1"
LEDGER_UPTO: Final = "SELECT max(ledger_seq) FROM journal WHERE seq = ?"


def _selection(
    table: str | None, round: str | None, kinds: Collection[str] | None, *, rare: bool
) -> tuple[str, tuple[str, ...]]:
    """The condition that picks events, and its values; the writer's own rows only when asked for by kind."""
    terms, given = [], []
    for column, value in (('+"table"' if rare else '"table"', table), ("round", round)):
        if value is not None:
            terms.append(f"{column} = ?")
            given.append(value)
    if kinds is None:
        terms.append("kind <> ?")
        given.append(LEDGER_BOUND)
    else:
        terms.append(f"kind IN ({', '.join('?' * len(kinds))})" if kinds else "1 = 0")
        given.extend(kinds)
    return " AND ".join(terms), tuple(given)
