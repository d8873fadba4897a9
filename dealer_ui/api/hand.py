"""A player's hands of the poker room in JSON: in short, and one of them as he may know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flask import Response

from dealer_ui.api.answer import AnswerError, read_limit, read_number, refused, say
from dealer_ui.api.order import check_id
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.past.hand_record import HandLine, hand_details, hand_lines
from studio.errors import RefusedError

HANDS_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class HandDesk:
    floor: OperatorsFloor

    def hands(self, operator: str, bettor: str) -> Response:
        """The hands he was dealt into, newest first, a page at a time."""
        name, limit, before = check_id("bettor", bettor), read_limit(20, HANDS_MAX), read_number("before")
        page, older = hand_lines(self.floor.reader(), operator, name, limit, before)
        return say({"bettor": bettor, "hands": [_plain(line) for line in page], "older": older})

    def hand(self, operator: str, bettor: str, round: str) -> Response:
        """One hand with what this player may know: his own cards, every act, the hands that were shown."""
        name, floor = check_id("bettor", bettor), self.floor
        try:
            found = hand_details(floor.reader(), operator, name, round, floor.key_of, self._currency)
        except RefusedError as error:
            raise refused(error) from None
        if found is None:
            sentence = f"The bettor '{bettor}' was not dealt into this hand: take its round's id from his hands."
            raise AnswerError(404, "hand_not_found", sentence)
        return say({"bettor": bettor, **_plain(found.line), "hand": found.told or None, "phh": found.phh or None})

    def _currency(self, table: str) -> str:
        return self.floor.view(table).bets.currency if table in self.floor.tables else self.floor.config.currency


def _plain(line: HandLine) -> dict[str, Any]:
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
