"""An operator grants a bettor free bets, looks at them, and takes back what is left of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field, StringConstraints

from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Body
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.free_bet import FreeBetsGiven, FreeBetsOfBettor, FreeBetsTold
from dealer_ui.desk.free_bet import FreeBetStanding
from dealer_ui.floor.bet_offer import STRICT, ClientId, Currency, Minor
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.games import GAMES
from studio.money import AMOUNT_MINOR_MAX, bettor_account
from studio.operators import FreeBetsGranted

COUNT_MAX: Final = 1_000
KEYS_MAX: Final = 64
_Keys = Annotated[
    tuple[Annotated[str, StringConstraints(min_length=1, max_length=64)], ...], Field(max_length=KEYS_MAX)
]


@dataclass(frozen=True, slots=True)
class FreeBetsOrder:
    """Free bets for a bettor; in JSON `stake_minor` is written `stake`."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: ClientId
    """An id of your own making: sent again with it, nothing is granted again. A bet names it as `free_bet`."""
    stake_minor: Annotated[Minor, Field(alias="stake")]
    """What each of the bets stakes."""
    count: Annotated[int, Field(ge=1, le=COUNT_MAX, examples=[3])] = 1
    """So many bets."""
    currency: Currency | None = None
    """Left out, the one his purse is kept in, or the studio's own."""
    games: Annotated[_Keys, Field(examples=[["three_knights"]])] = ()
    """The games they may be bet on, by their keys; left out, all."""
    tables: Annotated[_Keys, Field(examples=[["t1"]])] = ()
    """The tables they may be bet at; left out, all."""
    bets: Annotated[_Keys, Field(examples=[["player1_win"]])] = ()
    """The bets they may be, by their keys; left out, all. `main` is that bet on every box."""
    expires_at_ms: Annotated[int | None, Field(gt=0, le=AMOUNT_MINOR_MAX, examples=[1_700_086_400_000])] = None
    """From then on they are good for no bet; left out, they stay good."""


FREE_BETS: Final = Body(FreeBetsOrder)


@dataclass(frozen=True, slots=True)
class FreeBetsDesk:
    floor: OperatorsFloor

    def grant(self, operator: str, bettor: str) -> FreeBetsGiven:
        """Grant a bettor free bets: the stake is yours, what it wins is his. They are good once this is answered."""
        name, order = check_id("bettor", bettor), FREE_BETS.read()
        wanted = FreeBetsGranted(
            at_ms=0, operator=operator, bettor=name, grant=order.client_id, stake_minor=order.stake_minor,
            count=order.count, currency=self._currency(operator, name, order), games=order.games, tables=order.tables,
            bets=order.bets, expires_at_ms=order.expires_at_ms or 0,
        )  # fmt: skip
        self._need_somewhere(order)
        is_new = self.floor.free_bets.grant(self.floor.reader(), wanted)
        return {**_told(self._found(operator, name, order.client_id)), "duplicate": not is_new}

    def free_bets(self, operator: str, bettor: str) -> FreeBetsOfBettor:
        """All free bets you have granted a bettor, and how many of them are left."""
        found = self.floor.free_bets.of(self.floor.reader(), operator, check_id("bettor", bettor))
        return {"bettor": bettor, "free_bets": [_told(one) for one in found], "now_ms": self.floor.now_ms()}

    def cancel_free_bets(self, operator: str, bettor: str, client_id: str) -> FreeBetsTold:
        """Take back what is left of them. One that is in play stays in play."""
        name, grant = check_id("bettor", bettor), check_id("client_id", client_id)
        self._found(operator, name, grant)
        self.floor.free_bets.cancel(operator, name, grant)
        return _told(self._found(operator, name, grant))

    def _found(self, operator: str, bettor: str, grant: str) -> FreeBetStanding:
        found = self.floor.free_bets.find(self.floor.reader(), operator, bettor, grant)
        if found is None:
            sentence = f"You have granted '{bettor}' no free bets with this client_id."
            raise AnswerError(404, "free_bets_not_found", sentence)
        return found

    def _currency(self, operator: str, bettor: str, order: FreeBetsOrder) -> str:
        """The one that is asked for, if the bettor can play in it; `AnswerError` where nobody here knows him."""
        kept_in = self.floor.reader().currency(bettor_account(operator, bettor))
        if kept_in is None and not self.floor.knows_bettor(operator, bettor):
            sentence = f"Nobody knows a bettor '{bettor}' of yours here: deposit for him, or launch him, first."
            raise AnswerError(404, "unknown_bettor", sentence)
        currency = order.currency or kept_in or self.floor.config.currency
        if currency not in self.floor.config.currencies or currency != (kept_in or currency):
            good = kept_in or " or ".join(self.floor.config.currencies)
            raise AnswerError(400, "wrong_currency", f"This bettor's free bets can be in {good}: change the currency.")
        return currency

    def _need_somewhere(self, order: FreeBetsOrder) -> None:
        """Every key that it may be bet on is one that there is, at a table against the house."""
        games = {game.key: game for game in GAMES if game.peers is None}
        bets = {key for game in games.values() for bet in game.betting.bets for key in (bet, bet.rpartition(":")[2])}
        for wanted, known, what in (
            (order.games, games.keys(), "game against the house"),
            (order.tables, {*self.floor.tables}, "table"),
            (order.bets, bets, "bet"),
        ):
            if amiss := [key for key in wanted if key not in known]:
                sentence = f"There is no {what} '{amiss[0]}' here: correct the key, or leave it out."
                raise AnswerError(409, "free_bet_nowhere", sentence)


def _told(one: FreeBetStanding) -> FreeBetsTold:
    granted = one.granted
    return {
        "client_id": granted.grant,
        "bettor": granted.bettor,
        "status": one.status,
        "stake": granted.stake_minor,
        "currency": granted.currency,
        "count": granted.count,
        "left": one.left,
        "games": list(granted.games),
        "tables": list(granted.tables),
        "bets": list(granted.bets),
        "granted_at_ms": granted.at_ms,
        "expires_at_ms": granted.expires_at_ms or None,
    }
