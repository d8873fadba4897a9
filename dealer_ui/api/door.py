"""The addresses of the interface, for who is let in, and how an error leaves it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, current_app, g, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RoutingException
from werkzeug.wrappers import Response as AnyResponse

from dealer_ui.access.turned_away import TurnedAway
from dealer_ui.api.answer import AnswerError, refused, say_error
from dealer_ui.api.bet import BetDesk
from dealer_ui.api.bettor import BettorDesk
from dealer_ui.api.complaint import BODY_BYTES_MAX as COMPLAINT_BYTES_MAX
from dealer_ui.api.complaint import ComplaintDesk
from dealer_ui.api.decision import DecisionDesk
from dealer_ui.api.hand import HandDesk
from dealer_ui.api.limits import LimitDesk
from dealer_ui.api.ready import ReadyDesk
from dealer_ui.api.record import RecordDesk
from dealer_ui.api.seat import SeatDesk
from dealer_ui.api.statement import StatementDesk
from dealer_ui.api.stream import StreamDesk
from dealer_ui.api.table import TableDesk
from dealer_ui.api.ticket import TicketDesk
from dealer_ui.desk.operator_key import OperatorKeys
from dealer_ui.desk.ticket import Tickets
from dealer_ui.floor.operators_floor import OperatorsFloor, StreamGate
from dealer_ui.process.throttle import TooOftenError
from studio.errors import RefusedError, SealedError, StorageError

PREFIX: Final = "/api/v1"
_BATCH_BYTES_MAX: Final = 512 * 1024
_BODY_BYTES_MAX: Final = 4 * 1024

Act = Callable[..., AnyResponse]
"""Takes the operator, then what the address names."""


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    act: Act
    body_bytes_max: int = _BODY_BYTES_MAX


def blueprint(
    floor: OperatorsFloor,
    gate: StreamGate,
    *,
    tickets: Tickets | None = None,
    closing: threading.Event | None = None,
    turned_away: TurnedAway | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Blueprint:
    """The whole interface below `/api/v1`; it wants an API key, and neither a cookie nor a CSRF token.

    `gate` seats the operators' streams. Once `closing` is set, the streams end. `tickets` are those that the
    bettors' pages know; without them an operator gets no page. `turned_away` notes whoever has no key.
    """
    api = Blueprint("api", __name__, url_prefix=PREFIX)
    closing = closing or threading.Event()
    stream, seat = StreamDesk(floor, gate, closing, monotonic), SeatDesk(floor, gate, closing, monotonic)
    doors, routes = turned_away or TurnedAway(floor.now_ms), (*_routes(floor, stream), *_seat_routes(seat))
    for route in (*routes, *_page_routes(floor, tickets)):
        name = f"{route.method.lower()}_{route.act.__name__}"
        api.add_url_rule(route.path, name, _admitting(floor, route, doors), methods=[route.method])
    lost = Route("GET", "/<path:anything>", _nothing_here)
    api.add_url_rule(lost.path, "lost", _admitting(floor, lost, doors), methods=_METHODS)
    api.register_error_handler(Exception, _say_wrong)
    return api


def _routes(floor: OperatorsFloor, stream: StreamDesk) -> Iterator[Route]:
    table, bet, bettor = TableDesk(floor), BetDesk(floor), BettorDesk(floor)
    decision, record, complaint = DecisionDesk(floor), RecordDesk(floor), ComplaintDesk(floor)
    yield Route("GET", "/tables", table.tables)
    yield Route("GET", "/tables/<table>", table.table)
    yield Route("GET", "/tables/<table>/results", table.results)
    yield Route("GET", "/tables/<table>/stream", stream.stream)
    yield Route("POST", "/tables/<table>/bets", bet.place, _BATCH_BYTES_MAX)
    yield Route("POST", "/tables/<table>/decisions", decision.decide, _BATCH_BYTES_MAX)
    yield Route("POST", "/tables/<table>/ready", ReadyDesk(floor).ready)
    yield Route("GET", "/limits", LimitDesk(floor).limits)
    yield Route("GET", "/statements/<day>", StatementDesk(floor).statement)
    yield Route("GET", "/bets/<client_id>", bet.status)
    yield Route("GET", "/bets/<client_id>/<bet>", bet.status_beside)
    yield Route("GET", "/bettors/<bettor>/balance", bettor.balance)
    yield Route("POST", "/bettors/<bettor>/deposits", bettor.deposit)
    yield Route("POST", "/bettors/<bettor>/withdrawals", bettor.withdraw)
    yield Route("GET", "/bettors/<bettor>/bets", bettor.bets)
    yield Route("GET", "/bettors/<bettor>/record", record.rounds)
    yield Route("GET", "/bettors/<bettor>/record/<round>", record.round)
    hand = HandDesk(floor)
    yield Route("GET", "/bettors/<bettor>/hands", hand.hands)
    yield Route("GET", "/bettors/<bettor>/hands/<round>", hand.hand)
    yield Route("GET", "/bettors/<bettor>/rakeback", record.rakeback)
    yield Route("POST", "/bettors/<bettor>/complaints", complaint.complain, COMPLAINT_BYTES_MAX)
    yield Route("GET", "/bettors/<bettor>/complaints", complaint.complaints)
    yield Route("GET", "/complaints/<client_id>", complaint.complaint)


def _seat_routes(seat: SeatDesk) -> Iterator[Route]:
    yield Route("POST", "/tables/<table>/seats", seat.ask)
    yield Route("GET", "/tables/<table>/seats/<bettor>", seat.own)
    yield Route("GET", "/tables/<table>/seats/<bettor>/stream", seat.own_stream)


def _page_routes(floor: OperatorsFloor, tickets: Tickets | None) -> Iterator[Route]:
    if tickets is not None:
        desk = TicketDesk(floor, tickets)
        yield Route("POST", "/bettors/<bettor>/pages", desk.open_page)
        yield Route("DELETE", "/bettors/<bettor>/pages", desk.close_pages)


def _admitting(floor: OperatorsFloor, route: Route, doors: TurnedAway) -> Callable[..., AnyResponse]:
    """The act of a route behind the door: the body is limited, the key is known."""

    def view(**named: Any) -> AnyResponse:
        request.max_content_length = route.body_bytes_max
        return route.act(_admitted(floor.operators, doors), **named)

    return view


def _admitted(keys: OperatorKeys, doors: TurnedAway) -> str:
    """The operator that asks; whoever is turned away is noted, without the key."""
    try:
        return _operator(keys)
    except AnswerError as error:
        doors.note("interface", error.key, request.remote_addr, keys.operator_of(_key_sent()) or "")
        raise


def _key_sent() -> str:
    """The key of the request; empty where it carries none."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _operator(keys: OperatorKeys) -> str:
    key = _key_sent()
    challenge = {"WWW-Authenticate": 'Bearer realm="operators"'}
    if not key:
        sentence = "Send your API key with every request, in the header Authorization: Bearer <key>."
        raise AnswerError(401, "key_missing", sentence, challenge)
    operator = keys.operator_of(key)
    if operator is None:
        raise AnswerError(401, "key_unknown", "Nobody has this API key: ask the studio for yours.", challenge)
    if not keys.admits(operator):
        sentence = "This API key is suspended: ask the studio to lift that, your bets stand as they are."
        raise AnswerError(403, "key_suspended", sentence)
    g.still_let_in = partial(keys.lets_in, key)
    return operator


_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")


def _nothing_here(operator: str, anything: str) -> Response:
    """Nothing has this address; or something has, but is asked another way."""
    allowed = [method for method in _METHODS if _leads_somewhere(method)]
    if allowed:
        sentence = f"This address takes {' and '.join(allowed)} only."
        raise AnswerError(405, "wrong_method", sentence, {"Allow": ", ".join(allowed)})
    raise AnswerError(404, "unknown_address", f"Nothing has this address: they all are in the studio's {PREFIX} guide.")


def _leads_somewhere(method: str) -> bool:
    adapter = current_app.create_url_adapter(request)
    assert adapter is not None, "a request is being served"
    try:
        endpoint, _ = adapter.match(method=method)
    except (HTTPException, RoutingException):
        return False
    return not endpoint.endswith(".lost")


def _say_wrong(error: Exception) -> Response:
    """Every error leaves as JSON with a sentence; none of our own tells where it came from."""
    match error:
        case AnswerError():
            return say_error(error)
        case TooOftenError():
            later = {"Retry-After": str(error.retry_after_s)}
            return say_error(AnswerError(429, error.key, error.sentence, later))
        case RefusedError():
            return say_error(refused(error))
        case StorageError():
            sentence = "The studio could not keep this and nothing of it counts: send it again with the same ids."
            return say_error(AnswerError(503, "not_kept", sentence, {"Retry-After": "2"}))
        case TimeoutError():
            sentence = "The studio did not answer in time and may yet do it: send it again with the same ids."
            return say_error(AnswerError(503, "no_answer_yet", sentence, {"Retry-After": "2"}))
        case SealedError():
            sentence = "The cards of this seat cannot be opened, for their keys are not here: the pit voids the hand."
            current_app.logger.error("Keys of cards are not beside the database: put its key file back.")
            return say_error(AnswerError(503, "cards_unreadable", sentence))
        case HTTPException():
            return say_error(_of_http(error))
    current_app.logger.error("The operators' interface failed at %s", request.path, exc_info=error)
    sentence = "The studio made a mistake over this request and noted it: send it again with the same ids."
    return say_error(AnswerError(500, "our_mistake", sentence))


def _of_http(error: HTTPException) -> AnswerError:
    status = error.code or 500
    if status == 413:
        sentence = "The body is too long: send less at once."
        return AnswerError(413, "body_too_long", sentence)
    return AnswerError(status, f"http_{status}", "The request cannot be read: see the studio's guide to the interface.")
