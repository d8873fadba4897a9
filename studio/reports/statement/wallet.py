"""An operator's day where he keeps his bettors' money himself: every movement in his wallet, by the id both sides know.

A line is what one id moved, seen from the bettor: a `debit` takes a stake, a `credit` brings what it returned, a
`cancel` undoes a debit, a `recovery` is what a correction took back. A stake of which no clear answer came is `unsure`
until its cancel is told: the wallet may have taken it, and given it back, or knows of neither. The same of a free stake
is a `free_debit`, `free_cancel`, `free_credit` or `free_recovery`: none of the bettor's money.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from studio.journal import Reader
from studio.money import is_of_free_bets, operator_account
from studio.reports.record.period import Period
from studio.reports.statement.movement import UNSURE, StatementLine, lines
from studio.wallets.id import Facts, transaction_id

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
_FREE_BETS: Final = """
SELECT placed.id, placed."table", placed.bettor, placed.free, max(moved.revision)
FROM bet placed JOIN ledger moved ON moved.round = placed.round AND moved.bet = placed.id
WHERE placed.round = ? AND placed.operator = ? AND placed.free <> '' GROUP BY 1, 2, 3, 4
"""


def statement_lines(reader: Reader, period: Period, operator: str) -> Iterator[StatementLine]:
    """The operator's statement of the period. Its lines go by his bettors' bets or, where he keeps their money himself,
    by the movements in his wallet.
    """
    told = wallet_lines if has_wallet(reader, period, operator) else lines
    return told(reader, period, operator)


def has_wallet(reader: Reader, period: Period, operator: str) -> bool:
    """Whether money moved between the studio and a wallet of his in the period."""
    return next(wallet_lines(reader, period, operator), None) is not None


def wallet_lines(reader: Reader, period: Period, operator: str) -> Iterator[StatementLine]:
    """Every movement of the period, in the order in which the studio booked it."""
    whole = operator_account(operator)
    won_in = ""
    won: Mapping[str, str] = {}
    given = (period.ledger_after, period.ledger_upto, whole, whole)
    for kind, id, debit, credit, round, amount_minor, currency, at_ms in reader.stream(_MOVED, given):
        side, sign = (credit, -1) if debit == whole else (debit, 1)
        told = f"free_{_KINDS[kind]}" if is_of_free_bets(side) else _KINDS[kind]
        if told == "credit" and round != won_in:
            won_in, won = round, _free_wins(reader, operator, round)
        yield StatementLine(
            told, id, _bettor_of(side), round, _STATES.get(kind, ""), sign * amount_minor, currency, at_ms,
            won.get(id, "") if told == "credit" else "",
        )  # fmt: skip


def _free_wins(reader: Reader, operator: str, round: str) -> Mapping[str, str]:
    """By the id that his wallet knows it under: the grant of each win of a free bet, corrected ones too."""
    found: dict[str, str] = {}
    for bet, table, bettor, grant, revision in reader.read(_FREE_BETS, (round, operator)):
        for generation in range(revision + 1):
            facts = Facts(
                operator=operator, table=table, round=round, bettor=bettor, bet=bet, kind="credit",
                generation=generation,
            )  # fmt: skip
            found[transaction_id(facts)] = grant
    return found


def _bettor_of(account: str) -> str:
    """`bettor:north:ann` is ann's; what lies in suspense is nobody's."""
    return account.partition(":")[2].partition(":")[2].partition("/")[0]
