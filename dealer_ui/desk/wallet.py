"""Deposits and withdrawals of the embedded wallet: once each, however often they are asked for.

A deposit is made as far as its operator may credit: so much at once, and so much in all his bettors' purses together.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dealer_ui.config.operator import CreditLimits
from studio.errors import InvariantError, RefusedError
from studio.journal import Balances, Ceiling, More, Unit
from studio.money import Answer, Transfer, answer_of, bettor_account, operator_account, receivable_account
from studio.settlement import repayment


class PurseDesk:
    """Moves money between an operator and his bettors. `commit` makes a unit durable; `credit_of` gives an operator's
    limits.
    """

    def __init__(
        self, commit: Callable[[Unit], int], now_ms: Callable[[], int], currency: str,
        credit_of: Callable[[str], CreditLimits],
    ) -> None:  # fmt: skip
        self._commit = commit
        self._now_ms = now_ms
        self._currency = currency
        self._credit_of = credit_of

    def move(
        self, kind: str, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = ""
    ) -> Answer:
        """`deposit` or `withdraw`; the client id makes a retry harmless. Without a currency it is the studio's own."""
        house, purse = operator_account(operator), bettor_account(operator, bettor)
        debit, credit = (house, purse) if kind == "deposit" else (purse, house)
        id, currency = f"{operator}/{client_id}", currency or self._currency
        moved = Transfer("", id, kind, debit, credit, amount_minor, currency)

        def repaid(balance: Balances) -> More:
            """What the bettor still owes from a correction is paid from his deposit, at once."""
            owed_minor = -(balance(receivable_account(purse), currency) or 0)
            return (), repayment(purse, id, amount_minor, currency, owed_minor) if kind == "deposit" else ()

        need = partial(self._credit_of(operator).need, amount_minor=amount_minor, currency=currency)
        ceiling = Ceiling(operator, need) if kind == "deposit" else None
        try:
            self._commit(Unit(transfers=(moved,), with_balances=repaid, at_ms=self._now_ms(), ceiling=ceiling))
        except RefusedError as refused:
            return answer_of(refused, client_id, id)
        except InvariantError as wrong:
            return Answer(client_id, id, "refused", "not_possible", str(wrong))
        return Answer(client_id, id, "accepted")
