"""The addresses of the interface, for who is let in, and how an error leaves it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NoReturn

from flask import Blueprint, Response, current_app, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.wrappers import Response as AnyResponse

from dealer_ui.access.turned_away import TurnedAway
from dealer_ui.api.bettor.seat import SeatDesk
from dealer_ui.api.document.document import with_document
from dealer_ui.api.request.answer import AnswerError, refused, say, say_error
from dealer_ui.api.request.body import BODY_BYTES_MAX
from dealer_ui.api.request.route import Route
from dealer_ui.api.routes import routes_of
from dealer_ui.api.table.stream import StreamDesk
from dealer_ui.desk.operator_call import Sent, signing_headers
from dealer_ui.desk.operator_key import OperatorKeys
from dealer_ui.desk.ticket import Tickets
from dealer_ui.floor.operators_floor import OperatorsFloor, StreamGate
from dealer_ui.process.throttle import TooOftenError
from studio.errors import RefusedError, SealedError, StorageError

PREFIX: Final = "/api/v1"
_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="operators"'}


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
    api = Blueprint("api", __name__, url_prefix=PREFIX, template_folder="templates")
    closing = closing or threading.Event()
    doors = turned_away or TurnedAway(floor.now_ms)
    stream, seat = StreamDesk(floor, gate, closing, monotonic), SeatDesk(floor, gate, closing, monotonic)
    for route in with_document(tuple(routes_of(floor, stream, seat, tickets))):
        api.add_url_rule(
            route.path, route.name, _admitting(floor, route, doors), methods=[route.method],
            provide_automatic_options=False,
        )  # fmt: skip
    api.before_app_request(partial(_need_address, floor, doors))
    api.register_error_handler(Exception, _say_wrong)
    return api


def _admitting(floor: OperatorsFloor, route: Route, doors: TurnedAway) -> Callable[..., AnyResponse]:
    """The act of a route behind the door: the body is limited, the key is known."""

    def view(**named: Any) -> AnyResponse:
        request.max_content_length = route.body_bytes_max
        who = (_admitted(floor.operators, doors),) if route.keyed else ()
        answer = route.act(*who, **named)
        return answer if isinstance(answer, AnyResponse) else say(answer)

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
    key, address = _key_sent(), request.remote_addr
    if not key:
        sentence = "Send your API key with every request, in the header Authorization: Bearer <key>."
        raise AnswerError(401, "key_missing", sentence, _CHALLENGE)
    operator = keys.operator_of(key)
    if operator is None:
        raise AnswerError(401, "key_unknown", "Nobody has this API key: ask the studio for yours.", _CHALLENGE)
    if not keys.admits(operator):
        sentence = "This API key is suspended: ask the studio to lift that, your bets stand as they are."
        raise AnswerError(403, "key_suspended", sentence)
    _need_his_own(keys, operator, address)
    g.still_let_in = partial(keys.lets_in, key, address)
    return operator


def _need_his_own(keys: OperatorKeys, operator: str, address: str | None) -> None:
    """What the request needs beside the key, where the studio has agreed on it with this operator."""
    try:
        keys.need_place(operator, address)
    except RefusedError as error:
        raise AnswerError(403, error.key, error.sentence) from None
    try:
        keys.need_signature(operator, _sent)
    except TooOftenError:
        raise
    except RefusedError as error:
        raise AnswerError(401, error.key, error.sentence, _CHALLENGE) from None


def _sent() -> Sent:
    """The request as it came, its body whole."""
    target = request.environ["REQUEST_URI"]
    return Sent(request.method, target, request.get_data(), signing_headers(request.headers))


def _need_address(floor: OperatorsFloor, doors: TurnedAway) -> Response | None:
    """Whatever is asked below our prefix and leads nowhere is answered as everything else here: behind the key, in
    JSON."""
    lost = request.routing_exception
    if lost is None or not f"{request.path}/".startswith(f"{PREFIX}/"):
        return None
    request.max_content_length = BODY_BYTES_MAX
    try:
        _admitted(floor.operators, doors)
        _nothing_here(lost)
    except (AnswerError, TooOftenError, HTTPException) as error:
        return _say_wrong(error)


def _nothing_here(lost: Exception) -> NoReturn:
    """Nothing has this address; or something has, but is asked another way."""
    if isinstance(lost, MethodNotAllowed):
        allowed = sorted(set(lost.valid_methods or ()) - {"HEAD"})
        sentence = f"This address takes {' and '.join(allowed)} only."
        raise AnswerError(405, "wrong_method", sentence, {"Allow": ", ".join(allowed)})
    raise AnswerError(404, "unknown_address", f"Nothing has this address: they all are told at {PREFIX}/docs.")


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
