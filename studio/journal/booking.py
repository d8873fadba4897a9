"""Writes the rows of a unit in their order: bets, transfers, balances, and last the journal.

Everything happens inside the writer's transaction and the unit's savepoint; an exception means that nothing of the
unit is kept.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from studio.errors import InvariantError, RefusedError
from studio.journal.keyring import check_id
from studio.journal.link import GENESIS, Head, journal_text, link, reserve_text, transfer_text
from studio.journal.offers import Answered, answer_offers
from studio.journal.purse import Purse
from studio.journal.purses import Purses
from studio.journal.unit import Entry, Receipt, Unit
from studio.money import (
    KINDS,
    Offer,
    Transfer,
    bettor_account,
    escrow_account,
    is_of_one_currency,
    operator_account,
    suspense_account,
    taking,
)

LEDGER_BOUND: Final = "LedgerBound"
"""The journal row that storage itself writes for a unit that moved money and told no event; readers skip it."""

# OR FAIL: the savepoint undoes a failed unit, so no statement needs a journal of its own beside a trigger.
_INSERT_LEDGER: Final = "INSERT OR FAIL INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_BET: Final = "INSERT OR FAIL INTO bet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_JOURNAL: Final = "INSERT OR FAIL INTO journal (seq, at, kind, body, ledger_seq, hash) VALUES (?, ?, ?, ?, ?, ?)"
_TWIN: Final = {
    "deposit": "SELECT debit, credit, amount, currency FROM ledger WHERE kind = 'deposit' AND debit = ? AND bet = ?",
    "withdraw": "SELECT debit, credit, amount, currency FROM ledger WHERE kind = 'withdraw' AND credit = ? AND bet = ?",
    "buy_in": "SELECT debit, credit, amount, currency FROM ledger WHERE kind = 'buy_in' AND round = ? AND bet = ?",
}


class Heads(NamedTuple):
    """Where both chains end, and the time of the last journal row."""

    journal: Head
    ledger: Head
    at_ms: int


def read_origin(connection: sqlite3.Connection, chain: str) -> Head:
    """The row a chain goes on from: of an archive, or none at all."""
    row = connection.execute("SELECT seq, hash FROM origin WHERE chain = ?", (chain,)).fetchone()
    return Head(*row) if row else GENESIS


def read_heads(connection: sqlite3.Connection) -> Heads:
    journal = connection.execute("SELECT seq, hash, at FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    ledger = connection.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
    return Heads(
        Head(*journal[:2]) if journal else read_origin(connection, "journal"),
        Head(*ledger) if ledger else read_origin(connection, "ledger"),
        journal[2] if journal else 0,
    )


def book(connection: sqlite3.Connection, unit: Unit, heads: Heads, purses: Purses) -> tuple[Receipt, Heads]:
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
    journal = _append_journal(connection, entries, heads.journal, ledger)
    purses.moved(purse.changes)
    receipt = Receipt(heads.journal.seq + 1, journal.seq, answered.answers)
    return receipt, Heads(journal, ledger, at_ms)


def _book_money(
    connection: sqlite3.Connection, purse: Purse, answered: Answered, transfers: Sequence[Transfer], heads: Heads
) -> Head:
    transfers = (*(_suspended(offer) for offer in answered.stranded), *transfers)
    if not answered.accepted and not transfers:
        return heads.ledger
    for transfer in transfers[len(answered.stranded) :]:
        purse.move(transfer.debit, transfer.credit, transfer.amount_minor, transfer.currency)
    _require_cover(purse, transfers)
    taken = [taking(offer) for offer in answered.accepted if offer.taken]
    ledger = _append_transfers(connection, taken, heads.ledger, heads.at_ms)
    ledger = _append_reserves(connection, answered.accepted, ledger, heads.at_ms)
    ledger = _append_transfers(connection, transfers, ledger, heads.at_ms)
    purse.write()
    return ledger


def _refuse_again(connection: sqlite3.Connection, purse: Purse, transfers: Sequence[Transfer]) -> None:
    for transfer in transfers:
        if transfer.kind in _TWIN:
            _refuse_twin(connection, transfer)
            _refuse_other_currency(purse, transfer)


def _refuse_twin(connection: sqlite3.Connection, transfer: Transfer) -> None:
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


def _append_reserves(connection: sqlite3.Connection, accepted: Sequence[Offer], head: Head, at_ms: int) -> Head:
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


def _append_transfers(connection: sqlite3.Connection, transfers: Sequence[Transfer], head: Head, at_ms: int) -> Head:
    rows = []
    seq, hash = head
    for row in transfers:
        if row.kind == "reserve" or row.kind not in KINDS:
            raise InvariantError(f"A unit cannot carry a transfer of kind {row.kind}; an offer makes its reserve.")
        seq += 1
        hash = link(hash, transfer_text(seq, at_ms, row))
        rows.append(_ledger_row(seq, at_ms, row, hash))
    if rows:
        connection.executemany(_INSERT_LEDGER, rows)
    return Head(seq, hash)


def _append_journal(connection: sqlite3.Connection, entries: Sequence[Entry], head: Head, ledger: Head) -> Head:
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
    account, escrow = bettor_account(offer.operator, offer.bettor), escrow_account(offer.round)
    return Transfer(offer.round, offer.bet_id, "reserve", account, escrow, offer.stake_minor, offer.currency)


def _suspended(offer: Offer) -> Transfer:
    """It has given the stake of a bet that does not stand."""
    account = suspense_account(offer.operator)
    return Transfer(
        offer.round, offer.taken, "suspend", operator_account(offer.operator), account, offer.stake_minor,
        offer.currency,
    )  # fmt: skip


def _ledger_row(seq: int, at_ms: int, row: Transfer, hash: str) -> tuple[int | str, ...]:
    return (
        seq, at_ms, row.round, row.bet, row.kind, row.debit, row.credit, row.amount_minor, row.currency, row.revision,
        hash,
    )  # fmt: skip


def _bet_row(seq: int, offer: Offer) -> tuple[int | str, ...]:
    return (
        seq, offer.bet_id, offer.operator, offer.client_id, offer.bettor, offer.table, offer.round, offer.bet,
        offer.stake_minor, offer.currency,
    )  # fmt: skip
