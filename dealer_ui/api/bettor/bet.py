"""Bets come in, and an operator asks what became of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, cast

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from dealer_ui.api.request.answer import AnswerError, read_json
from dealer_ui.api.request.body import Body
from dealer_ui.api.request.order import BETS_A_BATCH_MAX, check_id, read_one, read_whole
from dealer_ui.api.shape.bet import Answered, Beside, Bet, BetAnswered, BetsAnswered
from dealer_ui.api.table.table import need_table
from dealer_ui.floor.bet_offer import STRICT, BetOffer, Currency
from dealer_ui.floor.bet_order import ask_bets
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.games import find_game
from studio.journal import BetStatus
from studio.money import Answer, beside_id
from studio.rulebook.game import Game

BATCH_BYTES_MAX: Final = 512 * 1024


@dataclass(frozen=True, slots=True)
class BetBatch:
    """Bets for one table. A bet that cannot be used is refused alone, in its answer, and spoils no other."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    bets: Annotated[list[BetOffer], Field(min_length=1, max_length=BETS_A_BATCH_MAX)]
    currency: Currency | None = None
    """One the table takes; left out, every bet is in the table's own."""


@dataclass(frozen=True, slots=True)
class _Anything:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    bets: Annotated[list[Any], Field(min_length=1, max_length=BETS_A_BATCH_MAX)]
    currency: Currency | None = None


BETS: Final = Body(BetBatch, BATCH_BYTES_MAX)
_ANYTHING: Final = TypeAdapter(_Anything)
_BET: Final = TypeAdapter(BetOffer)


@dataclass(frozen=True, slots=True)
class Batch:
    """The bets of one request in their order; a bet that could not be read is there as its refusal."""

    bets: tuple[BetOffer | Answer, ...]
    currency: str | None


def read_batch(body: bytes) -> Batch:
    """The bets of a body, read in one pass, and one by one only where something in it is wrong; `AnswerError` when it
    holds no list of them."""
    try:
        read = BETS.adapter.validate_json(body)
    except ValidationError:
        loose = read_whole(_ANYTHING, body)
        return Batch(tuple(read_one(_BET.validate_json, raw) for raw in loose.bets), loose.currency)
    return Batch(tuple(read.bets), read.currency)


@dataclass(frozen=True, slots=True)
class BetDesk:
    floor: OperatorsFloor

    def place_bets(self, operator: str, table: str) -> BetsAnswered:
        """Place a batch; one answer a bet, in their order, durable when it is given."""
        need_table(self.floor, table)
        self.floor.need_room(table, operator)
        playing = self.floor.playing(table)
        batch = read_batch(read_json())
        if batch.currency not in (None, *playing.currencies):
            played = " or ".join(playing.currencies)
            sentence = f"This table plays in {played}: leave the currency out, or send the batch elsewhere."
            raise AnswerError(400, "wrong_currency", sentence)
        offers = [bet for bet in batch.bets if isinstance(bet, BetOffer)]
        told = iter(ask_bets(self.floor, table, operator, offers, batch.currency or playing.currencies[0]))
        answers = [next(told) if isinstance(bet, BetOffer) else bet for bet in batch.bets]
        round = self._round(operator, table, playing.round, answers)
        game = find_game(playing.game)
        lines = [_line(game, bet, answer) for bet, answer in zip(batch.bets, answers, strict=True)]
        return {"round": round, "answers": lines}

    def bet(self, operator: str, client_id: str) -> Bet:
        """Where a bet stands."""
        return self._status(operator, check_id("client_id", client_id))

    def bet_beside(self, operator: str, client_id: str, bet: str) -> Bet:
        """Where the bet stands that the house placed beside the bet of this client id."""
        return self._status(operator, beside_id(check_id("client_id", client_id), bet))

    def _status(self, operator: str, client_id: str) -> Bet:
        found = self.floor.reader().bet_status(operator, client_id)
        if found is None:
            sentence = "You have placed no bet with this client_id: it was refused, or never came here."
            raise AnswerError(404, "bet_not_found", sentence)
        return bet_line(found)

    def _round(self, operator: str, table: str, before: str, answers: Sequence[Answer]) -> str | None:
        """The round the accepted bets are in; one may have begun while they came in."""
        after = self.floor.playing(table).round
        accepted = next((answer for answer in answers if answer.status == "accepted"), None)
        if before == after or accepted is None:
            return after or None
        found = self.floor.reader().bet_status(operator, accepted.client_id)
        return found.bet.round if found else None


def bet_line(status: BetStatus) -> Bet:
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
        "free_bet": bet.free or None,
    }


def _line(game: Game, sent: BetOffer | Answer, answer: Answer) -> BetAnswered:
    """An answer that also tells of the bets that the house placed beside this one."""
    line = cast(BetAnswered, answer_line(answer))
    if not isinstance(sent, BetOffer) or answer.status == "refused" or not (placed := game.betting.beside(sent.bet)):
        return line
    line["beside"] = [_beside(sent, answer, bet) for bet in placed]
    return line


def _beside(sent: BetOffer, answer: Answer, bet: str) -> Beside:
    return {
        "client_id": beside_id(sent.client_id, bet),
        "bet_id": beside_id(answer.bet_id, bet),
        "bet": bet,
        "stake": sent.stake_minor,
    }


def answer_line(answer: Answer) -> Answered:
    refused = answer.status == "refused"
    return {
        "client_id": answer.client_id,
        "status": answer.status,
        "bet_id": None if refused else answer.bet_id or None,
        "reason": answer.key or None,
        "sentence": answer.sentence or None,
    }
