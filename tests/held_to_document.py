"""Every answer of the operators' interface that any test gets is held to the document of the interface.

It is held more strictly than the document is told: a field that the document does not know is a failure here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dealer_ui.api.document.document import with_document
from dealer_ui.api.document.openapi import document
from dealer_ui.api.door import PREFIX
from dealer_ui.api.request.route import Route
from dealer_ui.api.routes import routes_of

Json = dict[str, Any]
EVENTS = "text/event-stream"
LOST = {(401, "key_missing"), (401, "key_unknown"), (403, "key_suspended"), (404, "unknown_address")} | {
    (405, "wrong_method"), (413, "body_too_long"), (500, "our_mistake"),
}  # fmt: skip
"""What an address that leads nowhere answers."""
_NOBODY: Any = None
_open = FlaskClient.open


def all_routes() -> tuple[Route, ...]:
    """Those of a studio that gives pages to bettors."""
    from dealer_ui.api.bettor.seat import SeatDesk
    from dealer_ui.api.table.stream import StreamDesk

    desks = (desk(_NOBODY, _NOBODY, _NOBODY, _NOBODY) for desk in (StreamDesk, SeatDesk))
    return with_document(tuple(routes_of(_NOBODY, *desks, _NOBODY or object())))  # type: ignore[arg-type]


@cache
def told() -> Json:
    return document(all_routes())


@cache
def _components() -> Json:
    return closed(told()["components"])  # type: ignore[no-any-return]


def closed(schema: Any) -> Any:
    """The schema with every object that names its fields closed to others."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    is_whole = inner.get("type") == "object" and "properties" in inner
    return {"additionalProperties": False, **inner} if is_whole else inner


@cache
def _judge(schema: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({**json.loads(schema), "components": _components()})


def misfit(schema: Json, value: Any) -> str:
    """What of the value does not fit; empty where all does."""
    return "; ".join(
        f"{error.instance_path}: {error.message}"
        for error in _judge(json.dumps(closed(schema), sort_keys=True)).iter_errors(value)
    )


@cache
def _addresses() -> list[tuple[re.Pattern[str], str]]:
    """Each path of the document as a pattern; those that name more come first."""
    paths = sorted(told()["paths"], key=lambda path: (path.count("{"), path))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", re.escape(path).replace(r"\{", "{").replace(r"\}", "}"))), path)
            for path in paths]  # fmt: skip


def operation(method: str, path: str) -> Json | None:
    """What the document says of that request."""
    for pattern, template in _addresses():
        if pattern.fullmatch(path) and (found := told()["paths"][template].get(method.lower())):
            return dict(found)
    return None


def hold(method: str, path: str, response: TestResponse) -> None:
    """`AssertionError` where the document does not tell of that answer."""
    where, found = f"{method} {path} answered {response.status_code}", operation(method, path)
    if found is None:
        key = response.get_json()["error"]["key"]
        assert (response.status_code, key) in LOST, f"{where} {key}, and the document has no such address"
        return
    answer = found["responses"].get(str(response.status_code))
    assert answer, f"{where}, and the document tells of no such status: {response.get_data(as_text=True)[:300]}"
    if "$ref" in answer:
        answer = told()["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    if "content" not in answer:
        return
    [(media_type, content)] = answer["content"].items()
    assert response.mimetype == media_type, f"{where} as {response.mimetype}, not as {media_type}"
    if media_type == "application/json":
        wrong = misfit(content["schema"], response.get_json())
        assert not wrong, f"{where} with what does not fit: {wrong}"
    elif media_type == EVENTS:
        response.response = HeldEvents(where, response.response, content["schema"])


class HeldEvents:
    """A stream of events, each held to its type as it is read."""

    def __init__(self, where: str, told: Any, schema: Json) -> None:
        self._where = where
        self._told = told
        self._chunks = iter(told)
        events = [one["properties"] for one in schema["oneOf"]]
        self._events = {one["event"]["const"]: one["data"]["contentSchema"] for one in events}

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        chunk: bytes = next(self._chunks)
        self._hold(chunk)
        return chunk

    def _hold(self, chunk: bytes) -> None:
        for name, data in re.findall(r"^event: (\w+)\n(?:id: \d+\n)?data: (.*)$", chunk.decode(), re.MULTILINE):
            assert name in self._events, f"{self._where} with an event {name} that the document does not know"
            wrong = misfit(self._events[name], json.loads(data))
            assert not wrong, f"{self._where} with an event {name} that does not fit: {wrong}"

    def close(self) -> None:
        if hasattr(self._told, "close"):
            self._told.close()


def _held_open(client: FlaskClient, *args: Any, **kwargs: Any) -> TestResponse:
    response = _open(client, *args, **kwargs)
    method, path = response.request.method, response.request.path
    if path.startswith(f"{PREFIX}/") and method not in ("HEAD", "OPTIONS"):
        hold(method, path.removeprefix(PREFIX), response)
    return response


def hold_answers() -> None:
    """From now on, in this process."""
    FlaskClient.open = _held_open  # type: ignore[method-assign,assignment]
