"""Writes the rows of a unit in their order: bets, transfers, balances, and last the journal.

Everything happens inside the writer's transaction; after an exception the writer keeps nothing of the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import astuple

from studio.errors import InvariantError, RefusedError
from studio.journal.ending import note_rounds
from studio.journal.engine import Database
from studio.journal.keys.keyring import check_id
from studio.journal.link import GENESIS, Head, Heads, journal_text, link, reserve_text, transfer_text
from studio.journal.offers import Answered, answer_offers, stranded_account
from studio.journal.purse import Purse, Purses
from studio.journal.unit import Entry, Receipt, Unit
from studio.journal.whose import whose
from studio.money import (
    KINDS,
    Offer,
    Transfer,
    escrow_account,
    is_of_one_currency,
    operator_account,
    taking,
)

LEDGER_BOUND: Final = "LedgerBound"
"""The journal row that storage itself writes for a unit that moved money and told no event; readers skip it."""

# OR FAIL: the writer undoes a failed unit, so no statement needs a journal of its own beside a trigger.
_INSERT_LEDGER: Final = "INSERT OR FAIL INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_BET: Final = "INSERT OR FAIL INTO bet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_JOURNAL: Final = "INSERT OR FAIL INTO journal (seq, at, kind, body, ledger_seq, hash) VALUES (?, ?, ?, ?, ?, ?)"
_BET_FIELDS: Final = Offer.__struct_fields__.index("free") + 1
"""So many fields of an offer are the columns of its bet, in their order."""
_CARRIED: Final = frozenset(KINDS) - {"reserve"}
_TWIN: Final = {
    "deposit": "SELECT debit, credit, amount, currency FROM ledger WHERE kind = 'deposit' AND debit = ? AND bet = ?",
    "withdraw": "SELECT debit, credit, amount, currency FROM ledger WHERE kind = 'withdraw' AND credit = ? AND bet = ?",
    "buy_in": "SELECT debit, credit, amount, currency FROM ledger WHERE kind = 'buy_in' AND round = ? AND bet = ?",
}


def read_origin(connection: Database, chain: str, book: str = "1 = 1") -> Head:
    """The row a chain goes on from: of an archive, or none at all. `book`: the condition that picks it, where there
    are several."""
    row = connection.execute(f"SELECT seq, hash FROM origin WHERE chain = ? AND {book}", (chain,)).fetchone()  # noqa: S608
    return Head(*row) if row else GENESIS


def read_heads(connection: Database) -> Heads:
    journal = connection.execute("SELECT seq, hash, at FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    ledger = connection.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
    return Heads(
        Head(*journal[:2]) if journal else read_origin(connection, "journal"),
        Head(*ledger) if ledger else read_origin(connection, "ledger"),
        journal[2] if journal else 0,
    )


def book(connection: Database, unit: Unit, heads: Heads, purses: Purses) -> tuple[Receipt, Heads]:
    """Write the unit; gives its receipt and the heads after it. `purses` are those of the writer."""
    for id, _ in unit.keys:
        check_id(id)
    purse = Purse(connection, unit.may_owe)
    answered = answer_offers(connection, purse, unit.offers)
    accepted = answered.accepted
    entries = list(unit.entries)
    if (accepted or answered.stranded) and unit.entries_for_bets is not None:
        entries.extend(unit.entries_for_bets(accepted))
    transfers = unit.transfers
    if unit.with_balances is not None:
        told, moved = unit.with_balances(purse.amount_minor)
        entries.extend(told)
        transfers = (*transfers, *moved)
    at_ms = entries[-1].at_ms if entries else max(unit.at_ms, heads.at_ms)
    _refuse_again(connection, purse, transfers)
    if unit.ceiling is not None:
        unit.ceiling.need(purses.of(connection, unit.ceiling.operator))
    ledger = _book_money(connection, purse, answered, transfers, heads._replace(at_ms=at_ms))
    if ledger != heads.ledger and not entries:
        entries.append(Entry(LEDGER_BOUND, at_ms, b"{}"))
    first = heads.next(heads.journal, len(entries))
    journal = heads.journal
    if entries:
        journal = _append_journal(connection, entries, journal._replace(seq=first - 1), ledger)
    note_rounds(connection, accepted, entries, first)
    purses.moved(purse.changes)
    receipt = Receipt(first, journal.seq, answered.answers)
    return receipt, heads._replace(journal=journal, ledger=ledger, at_ms=at_ms)


def _book_money(
    connection: Database, purse: Purse, answered: Answered, transfers: Sequence[Transfer], heads: Heads
) -> Head:
    transfers = (*(_suspended(offer) for offer in answered.stranded), *transfers)
    if not answered.accepted and not transfers:
        return heads.ledger
    for transfer in transfers[len(answered.stranded) :]:
        purse.move(transfer.debit, transfer.credit, transfer.amount_minor, transfer.currency)
    _require_cover(purse, transfers)
    taken = [taking(offer) for offer in answered.accepted if offer.taken]
    first = heads.next(heads.ledger, len(taken) + len(answered.accepted) + len(transfers))
    ledger = _append_transfers(connection, taken, heads.ledger._replace(seq=first - 1), heads.at_ms)
    ledger = _append_reserves(connection, answered.accepted, ledger, heads.at_ms)
    ledger = _append_transfers(connection, transfers, ledger, heads.at_ms)
    purse.write()
    return ledger


def _refuse_again(connection: Database, purse: Purse, transfers: Sequence[Transfer]) -> None:
    for transfer in transfers:
        if transfer.kind in _TWIN:
            _refuse_twin(connection, transfer)
            _refuse_other_currency(purse, transfer)


def _refuse_twin(connection: Database, transfer: Transfer) -> None:
    """A deposit, a withdrawal or a buy-in asked for twice moves money once."""
    of = {"deposit": transfer.debit, "withdraw": transfer.credit, "buy_in": transfer.round}[transfer.kind]
    row = connection.execute(_TWIN[transfer.kind], (of, transfer.bet)).fetchone()
    if row == (transfer.debit, transfer.credit, transfer.amount_minor, transfer.currency):
        raise RefusedError("duplicate", f"The {transfer.kind} {transfer.bet} was made before; nothing was moved again.")
    if row:
        raise RefusedError("client_id_reused", f"The id {transfer.bet} already names another {transfer.kind}.")


def _refuse_other_currency(purse: Purse, transfer: Transfer) -> None:
    for account in filter(is_of_one_currency, (transfer.debit, transfer.credit)):
        held = purse.held(account)
        if held and held.currency != transfer.currency:
            raise RefusedError("currency_mismatch", _other_currency(transfer, held.currency))


def _other_currency(transfer: Transfer, kept_in: str) -> str:
    if transfer.kind == "buy_in":
        return (
            f"Chips are bought here in {transfer.currency}, and this bettor's money is {kept_in}: choose a table in it."
        )
    return f"A {transfer.kind} here can only be made in {kept_in}."


def _require_cover(purse: Purse, transfers: Sequence[Transfer]) -> None:
    account = purse.uncovered()
    if account is None:
        return
    if any(transfer.kind == "withdraw" and transfer.debit == account for transfer in transfers):
        raise RefusedError("insufficient_balance", "The balance does not cover this withdrawal; ask for less.")
    if any(transfer.kind == "buy_in" and transfer.debit == account for transfer in transfers):
        raise RefusedError("insufficient_balance", "The balance does not cover these chips; buy fewer.")
    raise InvariantError(f"{account} would fall below zero; nothing of the unit was kept.")


def _append_reserves(connection: Database, accepted: Sequence[Offer], head: Head, at_ms: int) -> Head:
    ledger, bets = [], []
    seq, hash = head
    for offer in accepted:
        seq += 1
        row = _reserve(offer)
        hash = link(hash, reserve_text(seq, at_ms, row, offer))
        ledger.append(_ledger_row(seq, at_ms, row, hash))
        bets.append(_bet_row(seq, offer))
    if ledger:
        connection.executemany(_INSERT_LEDGER, ledger)
        connection.executemany(_INSERT_BET, bets)
    return Head(seq, hash)


def _append_transfers(connection: Database, transfers: Sequence[Transfer], head: Head, at_ms: int) -> Head:
    rows = []
    seq, hash = head
    for row in transfers:
        if row.kind not in _CARRIED:
            raise InvariantError(f"A unit cannot carry a transfer of kind {row.kind}; an offer makes its reserve.")
        seq += 1
        hash = link(hash, transfer_text(seq, at_ms, row))
        rows.append(_ledger_row(seq, at_ms, row, hash))
    if rows:
        connection.executemany(_INSERT_LEDGER, rows)
    return Head(seq, hash)


def _append_journal(connection: Database, entries: Sequence[Entry], head: Head, ledger: Head) -> Head:
    seq, hash = head
    rows = []
    for entry in entries:
        seq += 1
        body = entry.body.decode()
        hash = link(hash, journal_text(seq, entry.at_ms, ledger, entry.kind, body))
        rows.append((seq, entry.at_ms, entry.kind, body, ledger.seq, hash))
    if rows:
        connection.executemany(_INSERT_JOURNAL, rows)
    return Head(seq, hash)


def _reserve(offer: Offer) -> Transfer:
    escrow = escrow_account(offer.round)
    return Transfer(offer.round, offer.bet_id, "reserve", offer.source, escrow, offer.stake_minor, offer.currency)


def _suspended(offer: Offer) -> Transfer:
    """The transfer that suspends a stake which the operator's wallet has given for a bet that does not stand."""
    account = stranded_account(offer)
    return Transfer(
        offer.round, offer.taken, "suspend", operator_account(offer.operator), account, offer.stake_minor,
        offer.currency,
    )  # fmt: skip


def _ledger_row(seq: int, at_ms: int, row: Transfer, hash: str) -> tuple[int | str | None, ...]:
    return seq, at_ms, *astuple(row), hash, *whose(row.kind, row.debit, row.credit)


def _bet_row(seq: int, offer: Offer) -> tuple[int | str, ...]:
    return seq, *astuple(offer)[:_BET_FIELDS]
