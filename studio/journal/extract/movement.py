"""Finds what moved the money of an operator's bettors, in the order in which it moved.

The writer alone numbers the ledger, and readers see whole commits: whoever has read up to the head has missed nothing
before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.journal.reader import Reader
from studio.journal.whose import held_for, holder_of
from studio.money import is_of_free_bets, operator_account

_MOVED: Final = """
SELECT seq, at, kind, held_for, round, bet, amount, currency, debit, credit,
    CASE WHEN kind IN ('grant', 'ungrant') THEN bet WHEN kind IN ('deposit', 'withdraw') THEN ''
        ELSE coalesce((SELECT free FROM bet AS placed WHERE placed.id = ledger.bet), '') END
FROM ledger
"""
_AFTER: Final = "AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
_OF_OPERATOR: Final = f"{_MOVED} INDEXED BY ledger_brought_by WHERE brought_by = ? {_AFTER}"
_OF_BETTOR: Final = f"{_MOVED} INDEXED BY ledger_held_for WHERE held_for = ? {_AFTER}"
_ONE: Final = f"{_MOVED} WHERE seq = ? AND +brought_by = ?"
_BET: Final = "SELECT round, id FROM bet WHERE operator = ? AND client_id = ?"
_UNDER: Final = f"{_MOVED} WHERE round <> '' AND round = ? AND bet = ? AND +brought_by = ? ORDER BY seq"
_CARRIED: Final = (
    f"{_MOVED} WHERE kind = 'deposit' AND debit = ? AND bet = ?",
    f"{_MOVED} WHERE kind = 'withdraw' AND credit = ? AND bet = ?",
)
"""Each of these finds its rows in an index that refuses a second one: nothing is kept for it alone."""


@dataclass(frozen=True, slots=True)
class PurseMovement:
    """A row of the ledger as the account of a bettor has it: above zero it was filled.

    `kind` is that of the transfer. `bettor` is empty of what lies in suspense: an operator's wallet may have given it.
    `free`: the grant of free bets it belongs to; `promoted`: it moved the promotion's money, and none of the bettor's.
    """

    seq: int
    at_ms: int
    kind: str
    bettor: str
    round: str
    bet: str
    amount_minor: int
    currency: str
    free: str = ""
    promoted: bool = False


def movements_after(
    reader: Reader, operator: str, after: int, limit: int, bettor: str | None = None
) -> tuple[Sequence[PurseMovement], int]:
    """The next movements after that row, so many at most, of all his bettors or of one; and the row up to which these
    are all."""
    head = reader.ledger_head().seq
    sql, of = (_OF_OPERATOR, operator) if bettor is None else (_OF_BETTOR, held_for(operator, bettor))
    found = [_movement(row) for row in reader.read(sql, (of, after, head, limit))]
    return found, found[-1].seq if len(found) == limit else max(head, after)


def movement_at(reader: Reader, operator: str, seq: int) -> PurseMovement | None:
    """That row of the ledger; None where it moved nothing of this operator's bettors."""
    rows = reader.read(_ONE, (seq, operator))
    return _movement(rows[0]) if rows else None


def movements_of_client_id(reader: Reader, operator: str, client_id: str) -> Sequence[PurseMovement]:
    """What moved under this id of the operator's making: a deposit, a withdrawal, or all that came of a bet."""
    given = (operator_account(operator), f"{operator}/{client_id}")  # by this name the purse keeps what is his
    rows = [row for sql in _CARRIED for row in reader.read(sql, given)]
    for round, bet in reader.read(_BET, (operator, client_id)):
        rows += reader.read(_UNDER, (round, bet, operator))
    return [_movement(row) for row in sorted(rows)]


def movements_of_transaction(reader: Reader, operator: str, round: str, id: str) -> Sequence[PurseMovement]:
    """What moved under the id by which the operator's wallet knows it, with the round it was told beside it."""
    return [_movement(row) for row in reader.read(_UNDER, (round, id, operator))]


def _movement(row: tuple[int, int, str, str, str, str, int, str, str, str, str]) -> PurseMovement:
    seq, at_ms, kind, names, round, bet, moved_minor, currency, debit, credit, free = row
    holder, bettor = holder_of(kind, debit, credit), names.partition(":")[2]
    amount_minor = moved_minor if holder == credit else -moved_minor
    return PurseMovement(seq, at_ms, kind, bettor, round, bet, amount_minor, currency, free, is_of_free_bets(holder))
