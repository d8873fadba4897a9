"""The only place where an operator asks after one of his bettors: the purse, the bets, the record of rounds.

Bettors are named by their operator, and an account carries both names: nobody reaches another operator's bettor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from flask import Response

from dealer_ui.api.answer import AnswerError, read_json, read_limit, say
from dealer_ui.api.bet import bet_line
from dealer_ui.api.order import check_id, read_money
from dealer_ui.api.port import OperatorsFloor
from studio.journal import BetStatus, Reader
from studio.money import Answer, bettor_account

BETS_MAX: Final = 500
ROUNDS_MAX: Final = 100
_BETS_READ_MAX: Final = 20_000

Move = Callable[[str, str, str, int], Answer]
"""Operator, bettor, client id, minor units."""


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

    def record(self, operator: str, bettor: str) -> Response:
        """The latest rounds he bet on, newest first."""
        limit, reader = read_limit(20, ROUNDS_MAX), self.floor.reader()
        rounds = self._rounds(reader, operator, check_id("bettor", bettor), limit)
        lines = [_round_line(reader, round, rounds[round]) for round in list(rounds)[:limit]]
        return say({"bettor": bettor, "rounds": lines})

    def _purse(self, operator: str, bettor: str) -> dict[str, Any]:
        reader, account = self.floor.reader(), bettor_account(operator, bettor)
        currency = reader.currency(account)
        if currency is None:
            sentence = f"You have no bettor '{bettor}' with an account here: a first deposit opens one."
            raise AnswerError(404, "unknown_bettor", sentence)
        return {"bettor": bettor, "balance": reader.balance(account), "currency": currency}

    def _move(self, move: Move, operator: str, bettor: str) -> Response:
        order = read_money(read_json())
        if order.currency not in (None, self.floor.config.currency):
            sentence = f"Accounts are kept in {self.floor.config.currency} here: leave the currency out, or change it."
            raise AnswerError(400, "wrong_currency", sentence)
        answer = move(operator, check_id("bettor", bettor), order.client_id, order.amount_minor)
        if answer.status == "refused":
            raise AnswerError(409, answer.key, answer.sentence)
        return say({"client_id": order.client_id, "status": answer.status, **self._purse(operator, bettor)})

    def _rounds(self, reader: Reader, operator: str, bettor: str, limit: int) -> dict[str, list[BetStatus]]:
        """The bets of the latest rounds; read until those rounds are whole, though tables may interleave theirs."""
        count = 16 * limit
        while True:
            found = reader.bets_of(operator, bettor, count)
            rounds = _by_round(found)
            if len(found) < count or len(rounds) > limit + len(self.floor.tables) or count >= _BETS_READ_MAX:
                return rounds
            count *= 4


def _by_round(bets: Iterable[BetStatus]) -> dict[str, list[BetStatus]]:
    rounds: dict[str, list[BetStatus]] = {}
    for status in bets:
        rounds.setdefault(status.bet.round, []).append(status)
    return rounds


_TOLD: Final = ("RoundStarted", "ResultDeclared", "RoundSettled", "RoundVoided", "RoundRefunded")


def _round_line(reader: Reader, round: str, bets: list[BetStatus]) -> dict[str, Any]:
    """One round as its bettor may read it: what came of it, and each of his bets, in the order he placed them."""
    told: dict[str, dict[str, Any]] = {}
    at_ms = None
    for row in reader.events(round=round, kinds=_TOLD):
        told[row.kind] = msgspec.json.decode(row.body)["event"]
        at_ms = row.at_ms
    voided = told.get("RoundVoided")
    return {
        "round": round,
        "table": bets[0].bet.table,
        "number": told.get("RoundStarted", {}).get("number"),
        "at_ms": at_ms,
        "status": "voided" if voided else "settled" if "RoundSettled" in told else "open",
        "voided": voided is not None,
        "void_row": voided["row"] if voided else None,
        "outcome": told.get("ResultDeclared", {}).get("outcome"),
        "stake": sum(status.bet.stake_minor for status in bets),
        "returns": sum(status.returned_minor for status in bets),
        "bets": [bet_line(status) for status in reversed(bets)],
    }
