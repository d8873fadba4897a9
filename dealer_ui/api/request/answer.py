"""How the interface answers: JSON, or an error with a stable key and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from flask import Response, request

from dealer_ui.api.shape.bet import WrongTold
from studio.errors import RefusedError, StudioError

_NO_ANSWER: Final = frozenset({"unreachable", "busy", "closing", "no_answer_yet"})


class AnswerError(StudioError):
    """A request that gets no answer but an error. `status` is the HTTP status."""

    def __init__(self, status: int, key: str, sentence: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.key = key
        self.sentence = sentence
        self.headers = headers or {}


def say(body: object, status: int = 200) -> Response:
    response = Response(msgspec.json.encode(body), status, content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def say_error(error: AnswerError) -> Response:
    told: WrongTold = {"error": {"key": error.key, "sentence": error.sentence}}
    response = say(told, error.status)
    response.headers.extend(dict(error.headers))
    return response


def refused(error: RefusedError) -> AnswerError:
    """The house said no, in its own words; or that nobody can say anything now. That is no answer to the ids that were
    sent: the same may have been done when it was sent before.
    """
    if error.key in _NO_ANSWER:
        return AnswerError(503, error.key, f"{error.sentence} Send it again with the same ids.", {"Retry-After": "2"})
    return AnswerError(409, error.key, error.sentence)


def read_json() -> bytes:
    """The body of a POST; an error unless it is told to be JSON and short enough for its address."""
    if request.mimetype != "application/json":
        sentence = "Send the body as JSON, with the header Content-Type: application/json."
        raise AnswerError(415, "wrong_content_type", sentence)
    return request.get_data(cache=False)


def plain(value: Any) -> Any:
    """A view's value as plain JSON: mapping proxies and tuples become dicts and lists."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [plain(inner) for inner in value]
    return value
