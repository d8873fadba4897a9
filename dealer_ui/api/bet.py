"""Bets come in, and an operator asks what became of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response

from dealer_ui.api.answer import AnswerError, read_json, say
from dealer_ui.api.order import check_id, read_batch
from dealer_ui.api.table import find_view
from dealer_ui.floor.bet_offer import BetOffer
from dealer_ui.floor.bet_order import ask_bets
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.games import find_game
from studio.games.rulebook import Game
from studio.journal import BetStatus
from studio.money import Answer, beside_id


@dataclass(frozen=True, slots=True)
class BetDesk:
    floor: OperatorsFloor

    def place(self, operator: str, table: str) -> Response:
        """Place a batch; one answer a bet, in their order, durable when it is given."""
        view = find_view(self.floor, table)
        self.floor.need_room(table, operator)
        batch = read_batch(read_json())
        if batch.currency not in (None, view.bets.currency, *view.currencies):
            played = " or ".join((view.bets.currency, *view.currencies))
            sentence = f"This table plays in {played}: leave the currency out, or send the batch elsewhere."
            raise AnswerError(400, "wrong_currency", sentence)
        offers = [bet for bet in batch.bets if isinstance(bet, BetOffer)]
        told = iter(ask_bets(self.floor, table, operator, offers, batch.currency or view.bets.currency))
        answers = [next(told) if isinstance(bet, BetOffer) else bet for bet in batch.bets]
        round = self._round(operator, table, view.round, answers)
        game = find_game(view.game)
        lines = [_line(game, bet, answer) for bet, answer in zip(batch.bets, answers, strict=True)]
        return say({"round": round, "answers": lines})

    def status(self, operator: str, client_id: str) -> Response:
        return self._status(operator, check_id("client_id", client_id))

    def status_beside(self, operator: str, client_id: str, bet: str) -> Response:
        """Where the bet stands that the house placed beside the bet of this client id."""
        return self._status(operator, beside_id(check_id("client_id", client_id), bet))

    def _status(self, operator: str, client_id: str) -> Response:
        found = self.floor.reader().bet_status(operator, client_id)
        if found is None:
            sentence = "You have placed no bet with this client_id: it was refused, or never came here."
            raise AnswerError(404, "bet_not_found", sentence)
        return say(bet_line(found))

    def _round(self, operator: str, table: str, before: str, answers: Sequence[Answer]) -> str | None:
        """The round the accepted bets are in; one may have begun while they came in."""
        after = self.floor.view(table).round
        accepted = next((answer for answer in answers if answer.status == "accepted"), None)
        if before == after or accepted is None:
            return after or None
        found = self.floor.reader().bet_status(operator, accepted.client_id)
        return found.bet.round if found else None


def bet_line(status: BetStatus) -> dict[str, Any]:
    """A bet as its operator sees it; `returns` is unknown while it is pending."""
    bet = status.bet
    return {
        "client_id": bet.client_id,
        "bet_id": bet.bet_id,
        "bettor": bet.bettor,
        "table": bet.table,
        "round": bet.round,
        "bet": bet.bet,
        "stake": bet.stake_minor,
        "currency": bet.currency,
        "status": status.status,
        "returns": None if status.status == "pending" else status.returned_minor,
    }


def _line(game: Game, sent: BetOffer | Answer, answer: Answer) -> dict[str, Any]:
    """An answer that also tells of the bets that the house placed beside this one."""
    line = answer_line(answer)
    if not isinstance(sent, BetOffer) or answer.status == "refused" or not (placed := game.betting.beside(sent.bet)):
        return line
    return line | {"beside": [_beside(sent, answer, bet) for bet in placed]}


def _beside(sent: BetOffer, answer: Answer, bet: str) -> dict[str, Any]:
    return {
        "client_id": beside_id(sent.client_id, bet),
        "bet_id": beside_id(answer.bet_id, bet),
        "bet": bet,
        "stake": sent.stake_minor,
    }


def answer_line(answer: Answer) -> dict[str, Any]:
    refused = answer.status == "refused"
    return {
        "client_id": answer.client_id,
        "status": answer.status,
        "bet_id": None if refused else answer.bet_id or None,
        "reason": answer.key or None,
        "sentence": answer.sentence or None,
    }
