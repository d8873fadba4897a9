"""Bettors come to the seats of a poker table: sit down, buy chips, leave, and see their own cards.

What one seat may know is told to the operator of that bettor alone, and never kept by anybody between.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, cast

from pydantic import ConfigDict, Field, StringConstraints
from werkzeug.wrappers import Response as AnyResponse

from dealer_ui.api.bettor.bet import answer_line
from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Body
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.seat import PlacingTurn, Seat, SeatAnswered, SeatTold
from dealer_ui.api.shape.table import Stamp
from dealer_ui.api.table.stream import BEAT_S, RETRY, event, event_stream
from dealer_ui.api.table.table import need_table
from dealer_ui.floor.bet_offer import STRICT, Bettor, ClientId
from dealer_ui.floor.operators_floor import OperatorsFloor, StreamGate
from dealer_ui.live.telling import Rest, Telling
from studio.errors import StudioError
from studio.money import AMOUNT_MINOR_MAX
from studio.tables.state.room import SeatRequest
from studio.views.own import OwnSeat


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """What a bettor asks of his seat; in JSON `amount_minor` is written `amount`."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: ClientId
    bettor: Bettor
    act: Annotated[str, StringConstraints(min_length=1, max_length=16), Field(examples=["sit"])]
    """`sit`, `buy`, `away`, `back`, `post`, `look` or `leave`."""
    seat: Annotated[str, StringConstraints(max_length=16), Field(examples=["seat3"])] = ""
    """Which seat he would take; left out where he sits already."""
    amount_minor: Annotated[int, Field(alias="amount", ge=0, le=AMOUNT_MINOR_MAX, examples=[10_000])] = 0
    """The chips he brings, in minor units."""


SEAT: Final = Body(SeatOrder)


@dataclass(frozen=True, slots=True)
class SeatDesk:
    """Once `closing` is set every stream ends at its next word."""

    floor: OperatorsFloor
    gate: StreamGate
    closing: threading.Event
    monotonic: Callable[[], float]

    def ask_seat(self, operator: str, table: str) -> SeatAnswered:
        """Ask one thing of a seat for a bettor; durable when it is answered."""
        need_table(self.floor, table)
        order = SEAT.read()
        request = SeatRequest(order.act, operator, order.bettor, order.client_id, order.seat, order.amount_minor)
        [answer] = self.floor.take_seats(table, (request,))
        own = self.floor.own_seat(table, operator, order.bettor)
        return {**answer_line(answer), "own": seat_line(own) if own else None}

    def own_seat(self, operator: str, table: str, bettor: str) -> SeatTold:
        """What the seat of this bettor may know. Its cards are for him alone."""
        seat, seq = self._own(operator, table, bettor), self.floor.view(table).seq
        return {**seat_line(seat), "seq": seq, "now_ms": self.floor.now_ms()}

    def seat_stream(self, operator: str, table: str, bettor: str) -> AnyResponse:
        """The same as it changes, whole each time; the stream ends when the seat is left."""
        self._own(operator, table, bettor)
        return event_stream(self.gate, operator, self._changes(operator, table, bettor))

    def _own(self, operator: str, table: str, bettor: str) -> OwnSeat:
        need_table(self.floor, table)
        found = self.floor.own_seat(table, operator, check_id("bettor", bettor))
        if found is None:
            raise AnswerError(404, "not_seated", "The bettor has no seat at this table: take one first.")
        return found

    def _changes(self, operator: str, table: str, bettor: str) -> Telling:
        """The stream ends when the seat is left, and when the bettor is logged out."""
        yield RETRY
        try:
            told: OwnSeat | None = None
            due_s = self.monotonic()
            while not self.closing.is_set() and self.floor.bettors.of(operator, bettor).stakes:
                seq = self.floor.view(table).seq
                seat = self.floor.own_seat(table, operator, bettor)
                if seat is None:
                    return
                stamp: Stamp = {"seq": seq, "now_ms": self.floor.now_ms()}
                if seat != told:
                    told, due_s = seat, self.monotonic() + BEAT_S
                    told_now: SeatTold = {**seat_line(seat), **stamp}
                    yield event("seat", told_now, seq)
                elif self.monotonic() >= due_s:
                    due_s = self.monotonic() + BEAT_S
                    yield event("beat", stamp)
                yield Rest(max(0.0, due_s - self.monotonic()), table, seq)
        except StudioError:  # the house is closing: the reader comes back and is told so
            return


def seat_line(own: OwnSeat) -> Seat:
    """What a seat may know of itself, as it goes out."""
    return {
        "seat": own.seat,
        "round": own.round or None,
        "stack": own.stack_minor,
        "in": own.in_minor,
        "dealt_in": own.dealt_in,
        "away": own.away,
        "waits": own.waits,
        "posts": own.posts,
        "leaving": own.leaving,
        "bank_ms": own.bank_ms,
        "cards": list(own.cards),
        "hidden": own.hidden,
        "turn": cast(PlacingTurn | None, own.turn),
    }
