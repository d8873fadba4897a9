"""Who won most in a round: what each bettor got back of it beyond what he staked, as the ledger has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.journal.reader import GIVEN_BACK, Reader

_TAKEN: Final = ("reserve", *(kind for kind, sign in GIVEN_BACK.items() if sign < 0))
_GIVEN: Final = tuple(kind for kind, sign in GIVEN_BACK.items() if sign > 0)
_MARKS: Final = ", ".join("?" * len(_TAKEN)), ", ".join("?" * len(_GIVEN))
# What was taken from each bettor and given to him, in one walk through the round; then the first few of every currency.
_MOST: Final = f"""
WITH moved AS (
    SELECT debit AS account, currency, -amount AS amount FROM ledger
    WHERE round = ? AND round <> '' AND kind IN ({_MARKS[0]})
    UNION ALL
    SELECT credit, currency, amount FROM ledger WHERE round = ? AND round <> '' AND kind IN ({_MARKS[1]})
), gained AS (
    SELECT account, currency, sum(amount) AS won FROM moved WHERE account LIKE 'bettor:%'
    GROUP BY account, currency HAVING sum(amount) > 0
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY currency ORDER BY won DESC, account) AS place FROM gained
)
SELECT account, currency, won FROM placed WHERE place <= ? ORDER BY currency, place
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Winner:
    """A bettor of the round and his gain over all his bets, in his own currency."""

    operator: str
    bettor: str
    currency: str
    won_minor: int


def most_won(reader: Reader, round: str, count: int) -> Sequence[Winner]:
    """The `count` biggest winners of the round in every currency, the biggest of each first; who won nothing is none.

    It reads the whole round: ask for it once it is settled, and keep the answer.
    """
    rows = reader.read(_MOST, (round, *_TAKEN, round, *_GIVEN, count))
    return [_winner(*row) for row in rows]


def _winner(account: str, currency: str, won_minor: int) -> Winner:
    _, operator, bettor = account.split(":", 2)
    return Winner(operator, bettor, currency, won_minor)
