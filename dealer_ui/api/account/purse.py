"""An operator asks after one of his bettors: the purse and the bets.

Bettors are named by their operator, and an account carries both names: nobody reaches another operator's bettor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field

from dealer_ui.api.bettor.bet import bet_line
from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Asked, Body
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.account import Moved, Purse
from dealer_ui.api.shape.bet import BetsOfBettor
from dealer_ui.api.shape.field import DIGITS, READ
from dealer_ui.floor.bet_offer import STRICT, ClientId, Currency, Minor
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.money import Answer, bettor_account, receivable_account

BETS_MAX: Final = 500

Move = Callable[[str, str, str, int, str], Answer]
"""Operator, bettor, client id, minor units, currency."""


@dataclass(frozen=True, slots=True)
class MoneyOrder:
    """A deposit or a withdrawal; in JSON `amount_minor` is written `amount`."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: ClientId
    """An id of your own making: sent again with it, it moves nothing again."""
    amount_minor: Annotated[Minor, Field(alias="amount")]
    currency: Currency | None = None
    """Left out, the one his purse is kept in, or the studio's own."""


@dataclass(frozen=True, slots=True)
class Latest:
    """Which of his bets are asked for."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    limit: Annotated[int, Field(ge=1, le=BETS_MAX), DIGITS] = 50
    """So many at most."""


MONEY: Final = Body(MoneyOrder)
LATEST: Final = Asked(Latest)


@dataclass(frozen=True, slots=True)
class AccountDesk:
    floor: OperatorsFloor

    def balance(self, operator: str, bettor: str) -> Purse:
        """What he has here."""
        return self._purse(operator, check_id("bettor", bettor))

    def deposit(self, operator: str, bettor: str) -> Moved:
        """Give him money; the first deposit opens his purse. What he owes is taken from it at once."""
        return self._move(self.floor.deposit, operator, bettor)

    def withdraw(self, operator: str, bettor: str) -> Moved:
        """Take money back from him, never below nothing."""
        return self._move(self.floor.withdraw, operator, bettor)

    def bettor_bets(self, operator: str, bettor: str) -> BetsOfBettor:
        """The latest bets, newest first."""
        found = self.floor.reader().bets_of(operator, check_id("bettor", bettor), LATEST.read().limit)
        return {"bettor": bettor, "bets": [bet_line(status) for status in found]}

    def _purse(self, operator: str, bettor: str) -> Purse:
        reader, account = self.floor.reader(), bettor_account(operator, bettor)
        currency = reader.currency(account)
        if currency is None:
            sentence = f"You have no bettor '{bettor}' with an account here: a first deposit opens one."
            raise AnswerError(404, "unknown_bettor", sentence)
        return {
            "bettor": bettor,
            "balance": reader.balance(account),
            "currency": currency,
            "owed": -reader.balance(receivable_account(account), currency),
        }

    def _kept_in(self, operator: str, bettor: str) -> str:
        """The bettor's own currency; before his first deposit the studio's."""
        found = self.floor.reader().currency(bettor_account(operator, check_id("bettor", bettor)))
        return found or self.floor.config.currency

    def _move(self, move: Move, operator: str, bettor: str) -> Moved:
        order = MONEY.read()
        currency, known = order.currency or self._kept_in(operator, bettor), self.floor.config.currencies
        if currency not in known:
            kept = " or ".join(known)
            sentence = f"Accounts are kept in {kept} here: leave the currency out, or change it."
            raise AnswerError(400, "wrong_currency", sentence)
        answer = move(operator, check_id("bettor", bettor), order.client_id, order.amount_minor, currency)
        if answer.status == "refused":
            raise AnswerError(409, answer.key, answer.sentence)
        return {"client_id": order.client_id, "status": answer.status, **self._purse(operator, bettor)}
