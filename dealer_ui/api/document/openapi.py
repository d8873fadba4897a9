"""The document of the interface in the form of OpenAPI 3.1, drawn from its routes and from the types they name.

Nothing of it is written by hand but the words about the interface as a whole: what reads a body, what an answer is
built as, and what refuses a key are what is told here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import starmap
from typing import Any, Final

from pydantic import TypeAdapter

from dealer_ui.api.document.example import example_of
from dealer_ui.api.document.prose import ABOUT, HEADERS, IN_ADDRESSES, KEY, SIGNED, TAGS, WORDS_OF_STATUS
from dealer_ui.api.request.body import Asked, Body
from dealer_ui.api.request.route import Events, Route, Sheet
from dealer_ui.api.shape.bet import WrongTold
from dealer_ui.api.shape.field import TOLD

Json = dict[str, Any]
_REF: Final = "#/components/schemas/{model}"
_UNCHANGED: Final[Json] = {"304": {"description": "It is as you have it."}}
_OWN_WORDS: Final = 409
"""The status of what the house refuses in its own words: more keys may come with it than are known here."""


def document(routes: Sequence[Route]) -> Json:
    """The whole document, in plain values."""
    types = _Types(routes)
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(_template(route.path), {})[route.method.lower()] = _operation(route, types)
    for path, asked in paths.items():
        if named := _named(path, types):
            paths[path] = {"parameters": named, **asked}
    return {
        "openapi": "3.1.0",
        "info": {"title": "The operators' interface", "version": version("live-dealer-studio"), "description": ABOUT},
        "servers": [{"url": "/api/v1"}],
        "security": [{"key": []}, {"key": [], **{name: [] for name in SIGNED}}],
        "tags": [{"name": name, "description": words} for name, words in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(types.schemas.items())),
            "responses": dict(sorted(types.refusals.items())),
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": KEY},
                **{
                    name: {"type": "apiKey", "in": "header", "name": header, "description": words}
                    for name, (header, words) in SIGNED.items()
                },
            },
        },
    }


class _Types:
    """The types that the routes name, as JSON schemas."""

    def __init__(self, routes: Iterable[Route]) -> None:
        readers: dict[Any, tuple[Any, Any, TypeAdapter[Any]]] = {}
        for one in (read for route in routes for read in (route.takes, route.asks) if read is not None):
            readers[one] = (one, "validation", one.adapter)
        for told in (told for route in routes for told in (WrongTold, *_told_by(route))):
            readers[told] = (told, "serialization", TypeAdapter(_list_of(told), config=TOLD))
        for name, kind in IN_ADDRESSES.items():
            readers[name] = (name, "validation", TypeAdapter(kind))
        found, defined = TypeAdapter.json_schemas(readers.values(), ref_template=_REF)
        self._found = {key: _tidy(schema) for (key, _), schema in found.items()}
        self.schemas: Json = {name: _tidy(schema) for name, schema in defined.get("$defs", {}).items()}
        self._asked = {
            one.type.__name__: self.schemas.pop(one.type.__name__) for one in readers if isinstance(one, Asked)
        }
        self.refusals: Json = {}
        self._tell_inherited(told for told in readers if isinstance(told, type))

    def of(self, key: Body[Any] | Asked[Any] | str) -> Json:
        schema: Json = self._found[key]
        return schema

    def told(self, type: Any) -> Json:
        items: Json = self._found[type]["items"]
        return items

    def whole(self, schema: Json) -> Json:
        """The schema itself, where it only names one."""
        name = schema.get("$ref", "").rpartition("/")[2]
        return self._asked.get(name) or self.schemas[name] if name else schema

    def example(self, schema: Json) -> Any:
        return example_of(schema, self.schemas)

    def _tell_inherited(self, types: Iterable[type]) -> None:
        """A field that a type has from another is told in the words of that one."""
        for derived, base in {pair for one in types for pair in _descent(one)}:
            theirs = self.schemas.get(base, {}).get("properties", {})
            for name, field in self.schemas[derived]["properties"].items():
                if "description" not in field and "description" in theirs.get(name, {}):
                    field["description"] = theirs[name]["description"]


def _list_of(type: Any) -> Any:
    """pydantic lets a list of such types be read with words under their fields, and no such type by itself."""
    return list[type]


def _descent(type: type) -> Iterator[tuple[str, str]]:
    for base in getattr(type, "__orig_bases__", ()):
        if hasattr(base, "__annotations__"):
            yield type.__name__, base.__name__
            yield from ((type.__name__, older) for _, older in _descent(base))


def _told_by(route: Route) -> Iterator[Any]:
    match route.told:
        case Events(data):
            yield from data.values()
        case Sheet():
            return
        case type:
            yield type


def _tidy(schema: Any) -> Any:
    """Without the titles pydantic makes of names; a default of nothing says no more than that a field may be left."""
    if isinstance(schema, list):
        return [_tidy(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if not (key == "title" and isinstance(value, str))}
    if kept.get("default", 0) in (None, ""):
        del kept["default"]
    return {
        key: {name: _tidy(one) for name, one in value.items()} if key in ("properties", "$defs") else _tidy(value)
        for key, value in kept.items()
    }


def _operation(route: Route, types: _Types) -> Json:
    summary, _, more = (route.act.__doc__ or "").strip().partition("\n\n")
    told: Json = {
        "operationId": route.act.__name__,
        "tags": [route.tag],
        "summary": " ".join(summary.split()),
        "responses": {
            "200": _answer(route, types),
            **(_UNCHANGED if _is_kept(route) else {}),
            **dict(_refusals(route, types)),
        },
    }
    if more:
        told["description"] = " ".join(more.split())
    if not route.keyed:
        told["security"] = []
    if asked := [*_asked(route, types), *_headers(route)]:
        told["parameters"] = asked
    if route.takes:
        schema = types.of(route.takes)
        content = {"schema": schema, "example": types.example(schema)}
        told["requestBody"] = {
            "description": f"At most {route.takes.bytes_max // 1024} KiB.",
            "required": True,
            "content": {"application/json": content},
        }
    return told


def _answer(route: Route, types: _Types) -> Json:
    match route.told:
        case Events(data):
            events = {name: types.told(type) for name, type in data.items()}
            words = f"Server-sent events ({' and '.join(events)}), for as long as both sides like."
            content: Json = {"text/event-stream": {"schema": {"oneOf": list(starmap(_event, events.items()))}}}
        case Sheet(media_type, said, kind):
            words, content = said, {media_type.partition(";")[0]: {"schema": {"type": kind}}}
        case type:
            schema = types.told(type)
            words = types.whole(schema).get("description", "Done.")
            content = {"application/json": {"schema": schema, "example": types.example(schema)}}
    answer: Json = {"description": words, "content": content}
    if _is_kept(route):
        answer["headers"] = _headers_told({"ETag": "string"})
    if route.leads:
        answer["links"] = {
            name: {"operationId": name, "parameters": dict(given)} for name, given in route.leads.items()
        }
    return answer


def _event(name: str, data: Json) -> Json:
    """One server-sent event: its data is the text of a JSON object."""
    return {
        "type": "object",
        "properties": {
            "event": {"const": name},
            "id": {"type": "string"},
            "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": data},
        },
        "required": ["event", "data"],
    }


def _refusals(route: Route, types: _Types) -> Iterator[tuple[str, Json]]:
    """Each status with the keys it may come with."""
    for status, keys in route.refusals.items():
        key: Json = {"examples": list(keys)} if status == _OWN_WORDS else {"enum": list(keys)}
        error = {"properties": {"key": key}}
        wrong = {"allOf": [types.told(WrongTold), {"properties": {"error": error}}]}
        answer: Json = {"description": WORDS_OF_STATUS[status], "content": {"application/json": {"schema": wrong}}}
        if headers := _WITH.get(status):
            answer["headers"] = _headers_told(headers)
        name = ".".join((str(status), *keys))
        types.refusals[name] = answer
        yield str(status), {"$ref": f"#/components/responses/{name}"}


def _headers_told(headers: Mapping[str, str]) -> Json:
    return {name: {"description": HEADERS[name], "schema": {"type": kind}} for name, kind in headers.items()}


_WITH: Final[Mapping[int, Mapping[str, str]]] = {
    401: {"WWW-Authenticate": "string"},
    429: {"Retry-After": "integer"},
}
"""The headers that an error with that status always has."""


def _template(path: str) -> str:
    return path.replace("<", "{").replace(">", "}")


def _named(path: str, types: _Types) -> list[Json]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [_parameter(name, "path", types.of(name), required=True) for name in names]


def _asked(route: Route, types: _Types) -> Iterator[Json]:
    if route.asks is None:
        return
    schema = types.whole(types.of(route.asks))
    for name, field in schema["properties"].items():
        [kind] = [one for one in field.get("anyOf", [{}]) if one.get("type") != "null"]
        plain = {**kind, **{key: value for key, value in field.items() if key != "anyOf"}}
        yield _parameter(name, "query", plain, required=name in schema.get("required", ()))


def _headers(route: Route) -> Iterator[Json]:
    if isinstance(route.gives, Events):
        yield _parameter("Last-Event-ID", "header", {"type": "string"}, required=False)
    if _is_kept(route):
        yield _parameter("If-None-Match", "header", {"type": "string"}, required=False)


def _is_kept(route: Route) -> bool:
    return isinstance(route.gives, Sheet) and route.gives.kept


def _parameter(name: str, place: str, schema: Mapping[str, Any], *, required: bool) -> Json:
    kept = dict(schema)
    told: Json = {"name": name, "in": place, "required": required}
    if words := kept.pop("description", "") or HEADERS.get(name, ""):
        told["description"] = words
    if examples := kept.pop("examples", None):
        told["example"] = examples[0]
    return {**told, "schema": kept}
