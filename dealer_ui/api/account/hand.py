"""A player's hands of the poker room in JSON: in short, and one of them as he may know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, cast

from pydantic import ConfigDict, Field

from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Asked
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.field import DIGITS, READ, Whole
from dealer_ui.api.shape.seat import HandDetails, HandLine, Hands, HandTold
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.past.hand_record import HandLine as Line
from dealer_ui.past.hand_record import hand_details, hand_lines

HANDS_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class HandsAsked:
    """Which of his hands are asked for."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    limit: Annotated[int, Field(ge=1, le=HANDS_MAX), DIGITS] = 20
    """So many at most."""
    before: Whole | None = None
    """What `older` was on the page before; left out, the newest."""


HANDS: Final = Asked(HandsAsked)


@dataclass(frozen=True, slots=True)
class HandDesk:
    floor: OperatorsFloor

    def hands(self, operator: str, bettor: str) -> Hands:
        """The hands he was dealt into, newest first, a page at a time."""
        name, asked = check_id("bettor", bettor), HANDS.read()
        page, older = hand_lines(self.floor.reader(), operator, name, asked.limit, asked.before)
        return {"bettor": bettor, "hands": [_plain(line) for line in page], "older": older}

    def hand(self, operator: str, bettor: str, round: str) -> HandDetails:
        """One hand with what this player may know: his own cards, every act, the hands that were shown."""
        name, floor = check_id("bettor", bettor), self.floor
        found = hand_details(floor.reader(), operator, name, round, floor.own_key, self._currency)
        if found is None:
            sentence = f"The bettor '{bettor}' was not dealt into this hand: take its round's id from his hands."
            raise AnswerError(404, "hand_not_found", sentence)
        told = cast(HandTold, found.told) if found.told else None
        return {**_plain(found.line), "bettor": bettor, "hand": told, "phh": found.phh or None}

    def _currency(self, table: str) -> str:
        return self.floor.view(table).bets.currency if table in self.floor.tables else self.floor.config.currency


def _plain(line: Line) -> HandLine:
    return {
        "round": line.dealt.round,
        "table": line.table,
        "game": line.started.game,
        "number": line.started.number,
        "at_ms": line.dealt.at_ms,
        "status": line.status,
        "seat": line.seat,
        "paid": line.paid_minor,
        "takes": line.takes_minor,
    }
