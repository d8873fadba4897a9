"""Checks what was stored: both chains, what binds them to each other, and what is derived.

Every row is read once; neither keys nor the right to write are needed, and a studio may be at work on the file. What
cannot be seen from inside is a tail cut off both chains at once: for that there are the checkpoints of a witness
(`studio.care.witness`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from studio.errors import InvariantError
from studio.journal.booking import read_origin
from studio.journal.damage import damage_sought, unreadable
from studio.journal.ending import misnoted
from studio.journal.engine import Database
from studio.journal.link import Head, journal_text, link, reserve_text, transfer_text
from studio.journal.place import UNREADABLE, Place, Snapshot, snapshot
from studio.journal.whose import whose
from studio.money import Offer, Transfer, grant_of

_JOURNAL: Final = "SELECT seq, hash, at, kind, body, ledger_seq FROM journal WHERE {} ORDER BY seq"
_LEDGER: Final = """
SELECT ledger.seq, ledger.hash, at, ledger.round, ledger.bet, kind, debit, credit, amount, ledger.currency, revision,
    held_for, brought_by,
    bet.seq, id, operator, client_id, bettor, "table", bet.round, bet.bet, stake, bet.currency,
    bet.free
FROM ledger LEFT JOIN bet ON bet.seq = ledger.seq WHERE {} ORDER BY ledger.seq
"""
_LONE_BET: Final = """
SELECT seq FROM bet WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.seq = bet.seq AND kind = 'reserve')
ORDER BY seq LIMIT 1
"""
_MEANWHILE: Final = 500
"""So many rows of the journal are read before whoever waits does something of his own."""


@dataclass(frozen=True, slots=True)
class WrongRow:
    """The first row that is not as it was written. `seq` is 0 for a table without numbers and for a damaged file."""

    table: str
    seq: int
    sentence: str


def check(place: Place, meanwhile: Callable[[], None] = lambda: None) -> WrongRow | None:
    """The first wrong row, or None when all is as it was written. `meanwhile` is called now and then between two rows.

    `BadInputError` for a file that is no studio's database at all.
    """
    with damage_sought(place) as damage:
        return check_rows(place, meanwhile) or damaged(damage())


def check_rows(place: Place, meanwhile: Callable[[], None] = lambda: None) -> WrongRow | None:
    """`check`, but for what the database itself finds damaged.

    What is wrong is told from a second reading, which forgives bytes that are no text: a row that holds such can be
    read, and does not say what it said.
    """
    found = _read_through(place, meanwhile, lenient=False)
    return found and (_read_through(place, meanwhile, lenient=True) or found)


def _read_through(place: Place, meanwhile: Callable[[], None], *, lenient: bool) -> WrongRow | None:
    try:
        with snapshot(place, lenient=lenient) as seen:
            _check_rows(seen, meanwhile)
    except _WrongRowError as error:
        return error.row
    except UNREADABLE as error:
        return damaged(unreadable(error))
    return None


def damaged(sentence: str | None) -> WrongRow | None:
    """What the database said of itself, as a finding."""
    return WrongRow("file", 0, sentence) if sentence else None


class _WrongRowError(Exception):
    def __init__(self, table: str, seq: int, sentence: str) -> None:
        super().__init__(sentence)
        self.row = WrongRow(table, seq, sentence)


class _Ledger:
    """Walks one book's ledger as far as its journal has got, and folds the balances on its way."""

    def __init__(self, seen: Snapshot, book: str, balances: defaultdict[tuple[str, str], int]) -> None:
        self._rows = _rows(seen.connection, "ledger", _LEDGER.format(book))
        self._gaps = seen.gaps
        self.head = read_origin(seen.connection, "ledger", book)
        self.balances = balances

    def advance(self) -> bool:
        """Check one more row; False at the end."""
        row = next(self._rows, None)
        if row is None:
            return False
        seq, hash, at_ms = row[:3]
        transfer = Transfer(*row[3:11])
        _need_next("ledger", self.head, seq, self._gaps)
        self.head = _linked("ledger", self.head, seq, hash, lambda: _ledger_text(seq, at_ms, transfer, row[13:]))
        if row[11:13] != whose(transfer.kind, transfer.debit, transfer.credit):
            raise _WrongRowError("ledger", seq, "It stands as another's than its accounts say.")
        self._fold(transfer.debit, -transfer.amount_minor, transfer.currency)
        self._fold(transfer.credit, transfer.amount_minor, transfer.currency)
        return True

    def _fold(self, account: str, change: int, currency: str) -> None:
        key = (account, currency)
        self.balances[key] += change
        if not self.balances[key] and account.startswith(("escrow:", "prize:")):
            del self.balances[key]  # a settled round: keep as little as there is open


def _check_rows(seen: Snapshot, meanwhile: Callable[[], None]) -> None:
    connection, balances = seen.connection, defaultdict[tuple[str, str], int](int)
    for book in seen.books:
        _check_book(seen, book, balances, meanwhile)
    [[lone]] = connection.execute(f"SELECT ({_LONE_BET})").fetchall()
    if lone is not None:
        raise _WrongRowError("bet", lone, "The bet has no reserve in the ledger.")
    _check_balances(connection, balances)
    if (wrong := misnoted(connection)) is not None:
        raise _WrongRowError(*wrong, "It does not say of an operator's rounds what the journal and the bets say.")


def _check_book(
    seen: Snapshot, book: str, balances: defaultdict[tuple[str, str], int], meanwhile: Callable[[], None]
) -> None:
    ledger = _Ledger(seen, book, balances)
    head = read_origin(seen.connection, "journal", book)
    for seq, hash, at_ms, kind, body, ledger_seq in _rows(seen.connection, "journal", _JOURNAL.format(book)):
        while ledger.head.seq != ledger_seq and ledger.advance():
            pass
        if ledger.head.seq != ledger_seq:
            raise _WrongRowError("journal", seq, f"It names row {ledger_seq} of the ledger, which is not there.")
        bound = ledger.head
        _need_next("journal", head, seq, seen.gaps)
        head = _linked("journal", head, seq, hash, lambda: journal_text(seq, at_ms, bound, kind, body))  # noqa: B023
        if seq % _MEANWHILE == 0:
            meanwhile()
    if ledger.advance():
        raise _WrongRowError("ledger", ledger.head.seq, "No row of the journal knows it; the journal was cut short.")


def _check_balances(connection: Database, folded: dict[tuple[str, str], int]) -> None:
    for account, currency, amount_minor in _rows(
        connection, "balance", "SELECT account, currency, amount FROM balance"
    ):
        due_minor = folded.pop((account, currency), None)
        if amount_minor != (due_minor or 0):
            sentence = f"{account} stands at {amount_minor} {currency}, but its transfers make {due_minor or 0}."
            raise _WrongRowError("balance", 0, sentence)
    for (account, currency), due_minor in folded.items():
        if due_minor:
            raise _WrongRowError("balance", 0, f"{account} is missing; its transfers make {due_minor} {currency}.")


def _need_next(table: str, head: Head, seq: int, gaps: bool) -> None:
    """`_WrongRowError` where a row is missing before this one; where numbers may be missing, any later one follows."""
    if seq != head.seq + 1 and not (gaps and seq > head.seq):
        raise _WrongRowError(table, head.seq + 1, "The row is missing.")


def _linked(table: str, head: Head, seq: int, hash: str, text: Callable[[], str]) -> Head:
    """The head after this row; `_WrongRowError` where its hash does not follow from its text."""
    try:
        expected = link(head.hash, text())
    except (InvariantError, UnicodeError):
        expected = ""
    if hash != expected:
        raise _WrongRowError(table, seq, "The row does not say what it said when it was written.")
    return Head(seq, hash)


def _ledger_text(seq: int, at_ms: int, transfer: Transfer, bet: tuple[Any, ...]) -> str:
    if transfer.kind != "reserve":
        return transfer_text(seq, at_ms, transfer)
    offer = Offer(*bet[1:])
    said = (offer.bet_id, offer.round, offer.stake_minor, offer.currency, offer.free)
    free = grant_of(f"{transfer.debit}")
    if said != (transfer.bet, transfer.round, transfer.amount_minor, transfer.currency, free):
        raise _WrongRowError("bet", seq, "The bet of this ledger row is missing, or is not the one it reserved for.")
    return reserve_text(seq, at_ms, transfer, offer)


def _rows(connection: Database, table: str, sql: str) -> Iterator[Any]:
    """The rows of a query; damage met while reading is laid at the door of the row after the last one read."""
    seq = 0
    try:
        for row in connection.execute(sql):
            seq = row[0]
            yield row
    except UNREADABLE as error:
        after = seq + 1 if isinstance(seq, int) else 0
        raise _WrongRowError(table, after, f"The row cannot be read: {error}.") from error
