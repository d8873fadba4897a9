"""Reads out of the ledger what operators' wallets are owed by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from studio.errors import StorageError
from studio.journal.purse import at_a_time, marks
from studio.journal.reader import Reader
from studio.money import Offer, Transfer, bettor_account
from studio.wallets.book import WalletBook
from studio.wallets.due import ROOM, Taken, dues
from studio.wallets.id import Facts, transaction_id
from studio.wallets.record import (
    OF_TABLES,
    WALLET_KINDS,
    AnyWalletEvent,
    Movement,
    WalletAsked,
    WalletClosed,
    WalletKept,
    read_wallet,
    whose_wallet,
)

ATTEMPTS_MAX: Final = 20
"""So often at most a wallet is asked for one bet of a round; who is refused so often bets under another id."""

_AFTER: Final = """
SELECT round, bet, kind, debit, credit, amount, currency, revision FROM ledger
WHERE seq > ?1 AND seq <= ?2 AND (
    (debit >= ?3 AND debit < ?4) OR (credit >= ?3 AND credit < ?4)
    OR (debit >= ?5 AND debit < ?6) OR (credit >= ?5 AND credit < ?6)
) ORDER BY seq
"""
HEAD: Final = "SELECT coalesce(max(seq), 0) FROM ledger"
_TABLE: Final = 'SELECT "table" FROM bet WHERE id = ?'
_PLACED: Final = "SELECT id FROM bet WHERE operator = ? AND client_id IN ({ids})"
_BOUGHT: Final = (
    "SELECT credit, amount, currency FROM ledger WHERE round = ? AND round <> '' AND bet = ? AND kind = 'buy_in'"
)
_BEGUN: Final = "SELECT coalesce(max(seq), 0) FROM origin WHERE chain = 'ledger'"
_MAY_BE_TAKEN: Final = """
SELECT bet FROM ledger WHERE round = ? AND round <> '' AND kind IN ('wallet_debit', 'suspend') AND bet IN ({ids})
"""
_FREE: Final = "SELECT free FROM bet WHERE id = ?"
_TAKEN: Final = "SELECT amount FROM ledger WHERE round = ? AND bet = ? AND kind = 'wallet_debit' AND round <> ''"
_CHIPS: Final = """
SELECT bet, amount FROM ledger WHERE round = ? AND round <> '' AND kind = 'wallet_debit' AND credit = ?
ORDER BY seq DESC LIMIT 1
"""


_LAST: Final = """
SELECT coalesce(max(CASE kind WHEN 'WalletKept' THEN seq END), 0),
    coalesce(max(CASE kind WHEN 'WalletEnded' THEN seq END), 0)
FROM journal WHERE kind IN ('WalletKept', 'WalletEnded') AND json_extract(body, '$.wallet.operator') = ?
"""
LOOK_S: Final = 0.02
LOOKS: Final = 250
"""Five seconds: whoever waits here renews no hold meanwhile, and must not lose those he has (`LEASE_S`). A transaction
of a host that stands still in the middle of one is open for longer, up to ten; it is waited for again.
"""
_NEWEST: Final = "SELECT coalesce(max(seq), 0) FROM journal"
_KNOWN: Final = """
SELECT DISTINCT json_extract(body, '$.wallet.operator') FROM journal WHERE kind = 'WalletKept' ORDER BY 1
"""
_BETS_OUT: Final = """
SELECT count(*) FROM bet JOIN balance ON account = 'escrow:' || round AND amount <> 0 WHERE operator = ?
"""
_CHIPS_OUT: Final = """
SELECT count(*) FROM balance WHERE account >= ? AND account < ? AND instr(account, '/') > 0 AND amount <> 0
"""


def moved_after(reader: Reader, operator: str, seq: int) -> tuple[list[Transfer], int]:
    """What moved in the purses of an operator's bettors after that row, and the row up to which this is all.

    Units are committed whole, so the last row is the end of one.
    """
    upto = int(reader.read(HEAD, ())[0][0])
    if upto <= seq:
        return [], seq
    accounts = (f"bettor:{operator}:", f"bettor:{operator};", f"promotion:{operator}:", f"promotion:{operator};")
    rows = reader.read(_AFTER, (seq, upto, *accounts))
    return [Transfer(*row) for row in rows], upto


def last_sum(reader: Reader, operator: str) -> int:
    """The row of the journal where all that was open with this wallet was summed up last; 0 where it has none."""
    [[kept, ended]] = reader.read(_LAST, (operator,))
    return int(kept) if kept > ended else 0


def wallets_known(reader: Reader) -> list[str]:
    """The operators whose bettors' money is in wallets of their own, as far as the journal knows."""
    return [operator for (operator,) in reader.read(_KNOWN, ()) if last_sum(reader, operator)]


def settled(reader: Reader, wait: Callable[[float], object]) -> int:
    """A row up to which nothing more appears, once all that can be seen now is below it; waits for what other hosts
    have under way. `StorageError` where that takes too long.
    """
    last = int(reader.read(_NEWEST, ())[0][0])
    for _ in range(LOOKS):
        if (upto := reader.head().seq) >= last:
            return upto
        wait(LOOK_S)
    raise StorageError("Rows of other hosts are under way for too long; this is tried again.")


def open_events(reader: Reader, operator: str, upto: int = 2**62, last: int | None = None) -> Iterator[AnyWalletEvent]:
    """How a wallet stands: the last sum of what is open, where there is one, and what came since, up to that row.

    `last`: the row of that sum, where it was looked up already: another host may sum up at this very moment.
    """
    last = through = last_sum(reader, operator) if last is None else last
    if last:
        [row] = reader.events(after_seq=last - 1, kinds=("WalletKept",), limit=1)
        kept = read_wallet(row.body)
        assert isinstance(kept, WalletKept)
        yield kept
        through = kept.through or last
    for row in reader.events(after_seq=through, kinds=WALLET_KINDS):
        if row.seq > upto:
            return
        if (row.kind in OF_TABLES or row.seq > last) and whose_wallet(row.body) == operator:
            yield read_wallet(row.body)


def wallet_book(reader: Reader, operator: str, upto: int = 2**62) -> WalletBook:
    """What stands open with a wallet, as of that row or the last."""
    book = WalletBook(operator)
    for event in open_events(reader, operator, upto):
        book.take(event)
    return book


def attempts(reader: Reader, operator: str, round: str, since: int) -> Mapping[str, int]:
    """How often this operator was asked for the stake of each bet of this round, as far as rows after `since` tell."""
    found: dict[str, int] = {}
    for row in reader.events(after_seq=since, kinds=("WalletAsked",)):
        if whose_wallet(row.body) != operator:
            continue
        event = read_wallet(row.body)
        assert isinstance(event, WalletAsked)
        for stake in event.stakes:
            if stake.facts.round == round:
                found[stake.facts.bet] = max(found.get(stake.facts.bet, 0), stake.facts.attempt + 1)
    return found


def placed(reader: Reader, operator: str, client_ids: Sequence[str]) -> frozenset[str]:
    """The bets that stand, or stood, under these ids of an operator's, in whatever round and at whatever table."""
    return frozenset(
        id
        for asked in at_a_time(client_ids)
        for (id,) in reader.read(_PLACED.format(ids=marks(asked)), (operator, *asked))
    )


def attempts_open(reader: Reader, operator: str, round: str) -> Mapping[str, int]:
    """The same of chips, which are of no round: by what stands open since it was summed up last, and by what of that is
    to be undone, also where the ledger of it lies in an archive."""
    found: dict[str, int] = {}
    for event in open_events(reader, operator):
        asked: list[Movement] = []
        match event:
            case WalletKept():
                asked += [*event.asked, *(one.movement for one in event.owed if one.movement.facts.kind == "cancel")]
            case WalletAsked():
                asked += event.stakes
        for facts in (one.facts for one in asked if one.facts.round == round):
            found[facts.bet] = max(found.get(facts.bet, 0), facts.attempt + 1)
    return found


def bought(reader: Reader, offer: Offer) -> bool | None:
    """Whether these very chips were bought under this id before; None where nothing was."""
    rows = reader.read(_BOUGHT, (offer.round, offer.bet_id))
    chips = bettor_account(offer.operator, f"{offer.bettor}/{offer.table}"), offer.stake_minor, offer.currency
    return rows[0] == chips if rows else None


def chips_asked(reader: Reader, facts: Facts) -> int:
    """How often these chips were asked for, by what the ledger has of each time they were given or may have been."""
    ids = {transaction_id(msgspec.structs.replace(facts, attempt=attempt)): attempt for attempt in range(ATTEMPTS_MAX)}
    rows = reader.read(_MAY_BE_TAKEN.format(ids=marks(tuple(ids))), (facts.round, *ids))
    return max((ids[id] + 1 for (id,) in rows), default=0)


def of_year(reader: Reader, facts: Facts) -> Facts:
    """The facts of chips that are asked for now. Their id names no chips of a year that is closed: what was bought then
    nobody here knows any more, and the wallet that gave for it would say that it has given.
    """
    return msgspec.structs.replace(facts, generation=int(reader.read(_BEGUN, ())[0][0]))


def unfollowed(reader: Reader, book: WalletBook) -> list[Movement]:
    """What the ledger makes owed and the book does not have yet."""
    transfers, _ = moved_after(reader, book.operator, book.upto)
    return dues(book.operator, transfers, LedgerStakes(reader)) if transfers else []


def in_play(reader: Reader, operator: str) -> int:
    """How many stakes and stacks of chips lie at tables, from which something may yet come back."""
    [[bets]] = reader.read(_BETS_OUT, (operator,))
    [[chips]] = reader.read(_CHIPS_OUT, (f"bettor:{operator}:", f"bettor:{operator};"))
    return int(bets) + int(chips)


def people_closed(reader: Reader, operator: str) -> Iterator[WalletClosed]:
    """What people have closed of all that this operator's wallet was owed, in order."""
    for row in reader.events(kinds=("WalletClosed",)):
        if whose_wallet(row.body) != operator:
            continue
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

    def free_of(self, bet: str) -> str:
        rows = self.reader.read(_FREE, (bet,))
        return str(rows[0][0]) if rows else ""

    def taken(self, facts: Facts, account: str) -> Taken | None:
        if facts.round.startswith(ROOM):
            rows = self.reader.read(_CHIPS, (facts.round, account))
            return Taken(*rows[0]) if rows else None
        for attempt in range(ATTEMPTS_MAX):
            id = transaction_id(msgspec.structs.replace(facts, kind="debit", generation=0, attempt=attempt))
            if rows := self.reader.read(_TAKEN, (facts.round, id)):
                return Taken(id, int(rows[0][0]), attempt)
        return None
