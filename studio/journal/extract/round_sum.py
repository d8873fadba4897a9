"""What the bets of a round staked and gave back, summed by bet and currency, as the ledger has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.journal.reader import GIVEN_BACK, NOT_FREE, Reader

_STAKED: Final = """
SELECT bet, currency, count(*), sum(stake), sum(CASE WHEN free <> '' THEN stake ELSE 0 END) FROM bet WHERE round = ?
GROUP BY bet, currency ORDER BY bet, currency
"""
_MOVED: Final = f"""
SELECT bet.bet, bet.currency, ledger.kind, sum(ledger.amount * {NOT_FREE}) FROM ledger JOIN bet ON bet.id = ledger.bet
WHERE ledger.round = ? AND ledger.round <> '' GROUP BY bet.bet, bet.currency, ledger.kind
"""  # noqa: S608


_STAKED_BY_BETTOR: Final = """
SELECT bet, currency, operator, bettor, count(*), sum(stake), sum(CASE WHEN free <> '' THEN stake ELSE 0 END) FROM bet
WHERE round = ? GROUP BY bet, currency, operator, bettor
ORDER BY bet, currency, sum(stake) DESC, operator, bettor LIMIT ?
"""
_MOVED_BY_BETTOR: Final = f"""
SELECT bet.bet, bet.currency, bet.operator, bet.bettor, ledger.kind, sum(ledger.amount * {NOT_FREE})
FROM ledger JOIN bet ON bet.id = ledger.bet
WHERE ledger.round = ? AND ledger.round <> '' GROUP BY bet.bet, bet.currency, bet.operator, bet.bettor, ledger.kind
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class BetSum:
    """The bets on one key in one currency: how many, what was staked, and what has been returned."""

    bet: str
    currency: str
    count: int
    stake_minor: int
    returned_minor: int
    free_minor: int = 0
    """What of the stakes was free bets: of these the win alone comes back to the bettor."""


def sum_bets(reader: Reader, round: str) -> Sequence[BetSum]:
    """The bets of the round, in the order of their keys."""
    back: dict[tuple[str, str], int] = {}
    for bet, currency, kind, amount_minor in reader.stream(_MOVED, (round,)):
        back[bet, currency] = back.get((bet, currency), 0) + GIVEN_BACK.get(kind, 0) * amount_minor
    return [
        BetSum(bet, currency, count, stake_minor, back.get((bet, currency), 0), free_minor)
        for bet, currency, count, stake_minor, free_minor in reader.read(_STAKED, (round,))
    ]


@dataclass(frozen=True, slots=True)
class BettorSum:
    """One bettor's bets on one key in one currency: how many, what he staked, and what he has been given back."""

    bet: str
    currency: str
    operator: str
    bettor: str
    count: int
    stake_minor: int
    returned_minor: int
    free_minor: int = 0
    """What of the stakes was free bets: of these the win alone comes back to the bettor."""


def sum_bettors(reader: Reader, round: str, most: int) -> Sequence[BettorSum]:
    """Who bet what in the round, in the order of the bets' keys, the largest stake first; so many lines at most."""
    back: dict[tuple[str, ...], int] = {}
    for *whose, kind, amount_minor in reader.stream(_MOVED_BY_BETTOR, (round,)):
        key = tuple(map(str, whose))
        back[key] = back.get(key, 0) + GIVEN_BACK.get(kind, 0) * amount_minor
    rows = reader.read(_STAKED_BY_BETTOR, (round, most))
    return [
        BettorSum(
            bet,
            currency,
            operator,
            bettor,
            count,
            stake_minor,
            back.get((bet, currency, operator, bettor), 0),
            free_minor,
        )
        for bet, currency, operator, bettor, count, stake_minor, free_minor in rows
    ]
