"""Reads out of the ledger what operators' wallets are owed by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from studio.journal.reader import Reader
from studio.money import Transfer
from studio.wallets.due import ROOM, Taken
from studio.wallets.id import Facts, transaction_id
from studio.wallets.record import WalletClosed, read_wallet

ATTEMPTS_MAX: Final = 20
"""So often at most a wallet is asked for one bet of a round; who is refused so often bets under another id."""

_AFTER: Final = """
SELECT round, bet, kind, debit, credit, amount, currency, revision FROM ledger
WHERE seq > ?1 AND seq <= ?2 AND ((debit >= ?3 AND debit < ?4) OR (credit >= ?3 AND credit < ?4)) ORDER BY seq
"""
_HEAD: Final = "SELECT coalesce(max(seq), 0) FROM ledger"
_TABLE: Final = 'SELECT "table" FROM bet WHERE id = ?'
_TAKEN: Final = "SELECT amount FROM ledger WHERE round = ? AND bet = ? AND kind = 'wallet_debit' AND round <> ''"
_CHIPS: Final = """
SELECT bet, amount FROM ledger WHERE round = ? AND round <> '' AND kind = 'wallet_debit' AND credit = ?
ORDER BY seq DESC LIMIT 1
"""


def moved_after(reader: Reader, operator: str, seq: int) -> tuple[list[Transfer], int]:
    """What moved in the purses of an operator's bettors after that row, and the row up to which this is all.

    Units are committed whole, so the last row is the end of one.
    """
    upto = int(reader.read(_HEAD, ())[0][0])
    if upto <= seq:
        return [], seq
    rows = reader.read(_AFTER, (seq, upto, f"bettor:{operator}:", f"bettor:{operator};"))
    return [Transfer(*row) for row in rows], upto


def people_closed(reader: Reader) -> Iterator[WalletClosed]:
    """What people have closed of all that wallets were owed, in order."""
    for row in reader.events(kinds=("WalletClosed",)):
        event = read_wallet(row.body)
        assert isinstance(event, WalletClosed)
        yield event


@dataclass(frozen=True, slots=True)
class LedgerStakes:
    """See `studio.wallets.due.Stakes`."""

    reader: Reader

    def table_of(self, bet: str) -> str:
        rows = self.reader.read(_TABLE, (bet,))
        return str(rows[0][0]) if rows else ""

    def taken(self, facts: Facts, account: str) -> Taken | None:
        if facts.round.startswith(ROOM):
            rows = self.reader.read(_CHIPS, (facts.round, account))
            return Taken(*rows[0]) if rows else None
        for attempt in range(ATTEMPTS_MAX):
            id = transaction_id(msgspec.structs.replace(facts, kind="debit", generation=attempt))
            if rows := self.reader.read(_TAKEN, (facts.round, id)):
                return Taken(id, int(rows[0][0]))
        return None
