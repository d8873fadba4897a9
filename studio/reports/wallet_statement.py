"""An operator's day where he keeps his bettors' money himself: every movement in his wallet, by the id both sides know.

A line is what one id moved, seen from the bettor: a `debit` takes a stake, a `credit` brings what it returned, a
`cancel` undoes a debit, a `recovery` is what a correction took back. A stake of which no clear answer came is `unsure`
until its cancel is told: the wallet may have taken it, and given it back, or knows of neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from studio.journal import Reader
from studio.money import operator_account
from studio.reports.period import Period
from studio.reports.statement import UNSURE, Line, lines

_KINDS: Final = {
    "wallet_debit": "debit", "suspend": "debit", "wallet_credit": "credit", "wallet_compensate": "credit",
    "wallet_cancel": "cancel", "clear": "cancel", "wallet_recover": "recovery",
}  # fmt: skip
_STATES: Final = {"suspend": UNSURE, "clear": UNSURE}
_MOVED: Final = """
SELECT kind, bet, debit, credit, round, amount, currency, at FROM ledger
WHERE seq > ? AND seq <= ? AND kind IN (
    'wallet_debit', 'suspend', 'wallet_credit', 'wallet_compensate', 'wallet_cancel', 'clear', 'wallet_recover'
) AND (debit = ? OR credit = ?) ORDER BY seq
"""


def statement_lines(reader: Reader, period: Period, operator: str) -> Iterator[Line]:
    """By the ids of his bettors' bets; where he keeps their money himself, by those of the movements in his wallet."""
    told = wallet_lines if has_wallet(reader, period, operator) else lines
    return told(reader, period, operator)


def has_wallet(reader: Reader, period: Period, operator: str) -> bool:
    """Whether money moved between the studio and a wallet of his in the period."""
    return next(wallet_lines(reader, period, operator), None) is not None


def wallet_lines(reader: Reader, period: Period, operator: str) -> Iterator[Line]:
    """Every movement of the period, in the order in which the studio booked it."""
    whole = operator_account(operator)
    given = (period.ledger_after, period.ledger_upto, whole, whole)
    for kind, id, debit, credit, round, amount_minor, currency, at_ms in reader.stream(_MOVED, given):
        side, sign = (credit, -1) if debit == whole else (debit, 1)
        yield Line(
            _KINDS[kind], id, _bettor_of(side), round, _STATES.get(kind, ""), sign * amount_minor, currency, at_ms
        )


def _bettor_of(account: str) -> str:
    """`bettor:north:ann` is ann's; what lies in suspense is nobody's."""
    return account.partition(":")[2].partition(":")[2].partition("/")[0]
