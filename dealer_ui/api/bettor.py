"""An operator asks after one of his bettors: the purse and the bets.

Bettors are named by their operator, and an account carries both names: nobody reaches another operator's bettor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from flask import Response

from dealer_ui.api.answer import AnswerError, read_json, read_limit, say
from dealer_ui.api.bet import bet_line
from dealer_ui.api.order import check_id, read_money
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.money import Answer, bettor_account, receivable_account

BETS_MAX: Final = 500

Move = Callable[[str, str, str, int, str], Answer]
"""Operator, bettor, client id, minor units, currency."""


@dataclass(frozen=True, slots=True)
class BettorDesk:
    floor: OperatorsFloor

    def balance(self, operator: str, bettor: str) -> Response:
        return say(self._purse(operator, check_id("bettor", bettor)))

    def deposit(self, operator: str, bettor: str) -> Response:
        return self._move(self.floor.deposit, operator, bettor)

    def withdraw(self, operator: str, bettor: str) -> Response:
        return self._move(self.floor.withdraw, operator, bettor)

    def bets(self, operator: str, bettor: str) -> Response:
        """The latest bets, newest first."""
        found = self.floor.reader().bets_of(operator, check_id("bettor", bettor), read_limit(50, BETS_MAX))
        return say({"bettor": bettor, "bets": [bet_line(status) for status in found]})

    def _purse(self, operator: str, bettor: str) -> dict[str, Any]:
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

    def _move(self, move: Move, operator: str, bettor: str) -> Response:
        order = read_money(read_json())
        currency, known = order.currency or self._kept_in(operator, bettor), self.floor.config.currencies
        if currency not in known:
            kept = " or ".join(known)
            sentence = f"Accounts are kept in {kept} here: leave the currency out, or change it."
            raise AnswerError(400, "wrong_currency", sentence)
        answer = move(operator, check_id("bettor", bettor), order.client_id, order.amount_minor, currency)
        if answer.status == "refused":
            raise AnswerError(409, answer.key, answer.sentence)
        return say({"client_id": order.client_id, "status": answer.status, **self._purse(operator, bettor)})
