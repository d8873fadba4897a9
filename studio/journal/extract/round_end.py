"""Finds the rounds of an operator's bettors in the order in which they came to an end, and his bets in them as it was
then.

The writer alone numbers the journal, and readers see whole commits: whoever has read up to the head has missed
nothing before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.journal.reader import BET_COLUMNS, GIVEN_BACK, NOT_FREE, BetStatus, Reader
from studio.money import Offer

_ENDS: Final = 'SELECT e.seq, at, ledger_seq, e."table", e.round, generation FROM round_end AS e'
_ROW: Final = "JOIN journal ON journal.seq = e.seq WHERE operator = ?"
_AFTER: Final = f"{_ENDS} {_ROW} AND e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?"
_NEXT_AT: Final = f'{_ENDS} INDEXED BY round_end_table {_ROW} AND e."table" = ? AND e.seq > ? ORDER BY e.seq LIMIT 1'
_OF_ROUND: Final = f"{_ENDS} {_ROW} AND e.round = ? AND ? IN (-1, generation) ORDER BY generation DESC LIMIT 1"
_BETS: Final = f"""
SELECT seq, {BET_COLUMNS} FROM bet WHERE round = ? AND +operator = ? AND seq > ? ORDER BY seq LIMIT ?
"""  # noqa: S608
_STAKED: Final = """
SELECT currency, count(*), sum(stake), sum(CASE WHEN free <> '' THEN stake ELSE 0 END) FROM bet
WHERE round = ? AND +operator = ? GROUP BY currency ORDER BY currency
"""
# The cross join keeps SQLite from going through everybody's transfers of the round.
_MOVED: Final = f"""
SELECT bet.currency, ledger.kind, sum(ledger.amount * {NOT_FREE})
FROM bet CROSS JOIN ledger ON ledger.round = bet.round AND ledger.bet = bet.id AND ledger.round <> ''
WHERE bet.round = ? AND +bet.operator = ? AND ledger.seq <= ? GROUP BY bet.currency, ledger.kind
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """A round came to an end with row `seq` of the journal, and `ledger_seq` is the last row of its money.

    `generation`: how often it had come to one before; each correction is another.
    """

    seq: int
    at_ms: int
    ledger_seq: int
    table: str
    round: str
    generation: int


@dataclass(frozen=True, slots=True)
class RoundStaked:
    """All of an operator's bets in a round in one currency. `free_minor`: what of the stakes was free bets, of which
    `returned_minor` has the win alone."""

    currency: str
    bets: int
    stake_minor: int
    returned_minor: int
    free_minor: int = 0


def ends_after(reader: Reader, operator: str, after: int, limit: int) -> tuple[Sequence[RoundEnd], int]:
    """The next rounds that came to an end after that row, so many at most; and the row up to which these are all."""
    head = reader.head().seq
    found = [RoundEnd(*row) for row in reader.read(_AFTER, (operator, after, head, limit))]
    return found, found[-1].seq if len(found) == limit else max(head, after)


def next_end(reader: Reader, operator: str, table: str, after: int) -> RoundEnd | None:
    """The first round at this table that came to an end after that row."""
    rows = reader.read(_NEXT_AT, (operator, table, after))
    return RoundEnd(*rows[0]) if rows else None


def end_of(reader: Reader, operator: str, round: str, generation: int | None = None) -> RoundEnd | None:
    """The newest end of that round, or the one of that generation; None where the operator has no bettor in it."""
    rows = reader.read(_OF_ROUND, (operator, round, -1 if generation is None else generation))
    return RoundEnd(*rows[0]) if rows else None


def bets_at(
    reader: Reader, operator: str, end: RoundEnd, limit: int, after: int = 0
) -> tuple[Sequence[BetStatus], int | None]:
    """The operator's bets in the round as they stood at its end, in the order placed; and the place after which the
    next page begins, if there is one."""
    rows = reader.read(_BETS, (end.round, operator, after, limit + 1))
    page = [reader.status(Offer(*row[1:]), end.ledger_seq) for row in rows[:limit]]
    return page, rows[limit - 1][0] if len(rows) > limit else None


def staked_at(reader: Reader, operator: str, end: RoundEnd) -> Sequence[RoundStaked]:
    """The sums of the operator's bets in the round as they stood at its end, by currency."""
    back: dict[str, int] = {}
    for currency, kind, amount_minor in reader.read(_MOVED, (end.round, operator, end.ledger_seq)):
        back[currency] = back.get(currency, 0) + GIVEN_BACK.get(kind, 0) * amount_minor
    rows = reader.read(_STAKED, (end.round, operator))
    return [RoundStaked(currency, bets, stake, back.get(currency, 0), free) for currency, bets, stake, free in rows]
