"""The document of the interface as a page shows it: calls under their parts, fields under their types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup, escape

Json = Mapping[str, Any]
_MARKED: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a list of fields or parameters. `kind` is marked up, and leads to the types it names."""

    name: str
    kind: Markup
    words: Markup
    needed: bool
    example: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    status: str
    words: str
    keys: Sequence[str]


@dataclass(frozen=True, slots=True)
class Call:
    """One address and method; `takes` and `gives` are marked up and lead to their types."""

    id: str
    method: str
    path: str
    words: Markup
    asks: Sequence[Field]
    takes: Markup | None
    body: str
    gives: Markup
    gives_words: Markup
    answer: str
    refusals: Sequence[Refusal]
    keyed: bool


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    words: str
    calls: Sequence[Call]


@dataclass(frozen=True, slots=True)
class Kind:
    """One type and its fields."""

    name: str
    words: Markup
    fields: Sequence[Field]


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    version: str
    base: str
    about: Sequence[Markup]
    parts: Sequence[Part]
    kinds: Sequence[Kind]


def draw(document: Json) -> Page:
    """The page of that document."""
    info, schemas = document["info"], document["components"]["schemas"]
    calls = [(call["tags"][0], _call(document, path, method, call)) for path, method, call in _operations(document)]
    return Page(
        title=info["title"],
        version=info["version"],
        base=document["servers"][0]["url"],
        about=[marked(words) for words in info["description"].split("\n\n")],
        parts=[
            Part(tag["name"], tag["description"], [call for part, call in calls if part == tag["name"]])
            for tag in document["tags"]
        ],
        kinds=[
            Kind(name, marked(schema.get("description", "")), list(_fields(schema)))
            for name, schema in sorted(schemas.items())
        ],
    )


def _operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, item in document["paths"].items():
        for method, call in item.items():
            if method != "parameters":
                yield path, method, {**call, "parameters": [*item.get("parameters", ()), *call.get("parameters", ())]}


def _call(document: Json, path: str, method: str, call: Json) -> Call:
    body = call.get("requestBody", {}).get("content", {}).get("application/json")
    good = call["responses"]["200"]
    [(media_type, told)] = good["content"].items()
    return Call(
        id=call["operationId"],
        method=method.upper(),
        path=path,
        words=marked(" ".join(call[key] for key in ("summary", "description") if key in call)),
        asks=[_parameter(one) for one in call["parameters"]],
        takes=_kind(body["schema"]) if body else None,
        body=_json(body["example"]) if body else "",
        gives=_given(media_type, told),
        gives_words=marked(good["description"]),
        answer=_json(told["example"]) if "example" in told else "",
        refusals=[_refusal(document, status, one) for status, one in call["responses"].items() if status >= "4"],
        keyed=call.get("security") != [],
    )


def _given(media_type: str, told: Json) -> Markup:
    if media_type == "text/event-stream":
        events = [one["properties"] for one in told["schema"]["oneOf"]]
        return Markup(", ").join(
            Markup("<code>{}</code>: {}").format(one["event"]["const"], _kind(one["data"]["contentSchema"]))
            for one in events
        )
    return _kind(told["schema"]) if media_type == "application/json" else escape(media_type)


def _refusal(document: Json, status: str, answer: Json) -> Refusal:
    answer = document["components"]["responses"][_named(answer["$ref"])]
    [schema] = [one["schema"] for one in answer["content"].values()]
    key = schema["allOf"][1]["properties"]["error"]["properties"]["key"]
    return Refusal(status, answer["description"], key.get("enum") or key["examples"])


def _parameter(one: Json) -> Field:
    words = marked(one.get("description", ""))
    where = {"path": "in the address", "query": "in the query", "header": "a header"}[one["in"]]
    kind = Markup("{}, {}").format(_kind(one["schema"]), where)
    return Field(one["name"], kind, words, one["required"], str(one.get("example", "")))


def _fields(schema: Json) -> Iterator[Field]:
    for name, field in schema.get("properties", {}).items():
        example = json.dumps(field["examples"][0], ensure_ascii=False) if "examples" in field else ""
        yield Field(
            name, _kind(field), marked(field.get("description", "")), name in schema.get("required", ()), example
        )


def _kind(schema: Json) -> Markup:
    """A type in a few words, as in `a list of Bet` or `a whole number, from 1 to 100`."""
    match schema:
        case {"$ref": str(ref)}:
            return Markup('<a href="#type-{0}">{0}</a>').format(_named(ref))
        case {"anyOf": [*some]}:
            return Markup(" or ").join(_kind(one) for one in some)
        case {"enum": [*some]}:
            return Markup(" or ").join(Markup("<code>{}</code>").format(one) for one in some)
        case {"type": "array", "items": items}:
            most = f", {schema['minItems']} to {schema['maxItems']}" if "minItems" in schema else ""
            return Markup("a list of {}{}").format(_kind(items), most)
        case {"type": "object", "additionalProperties": dict(inner)}:
            return Markup("by key {}").format(_kind(inner))
        case {"type": "integer"}:
            return escape("a whole number" + _span(schema))
    names = {"string": "a text", "boolean": "true or false", "null": "null", "object": "an object"}
    return escape(names.get(schema.get("type", ""), "anything"))


def _span(schema: Json) -> str:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1 if "exclusiveMinimum" in schema else None)
    most = schema.get("maximum")
    return "" if least is None or most is None else f" from {least} to {most}"


def _named(ref: str) -> str:
    return ref.rpartition("/")[2]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def marked(text: str) -> Markup:
    """Words with `names` and **weight** in them.

    >>> marked("`a` is <b>")
    Markup('<code>a</code> is &lt;b&gt;')
    """
    parts, at = [], 0
    for found in _MARKED.finditer(text):
        code, bold = found.groups()
        parts.append(escape(text[at : found.start()]))
        parts.append(Markup("<code>{}</code>").format(code) if code else Markup("<b>{}</b>").format(bold))
        at = found.end()
    return Markup("").join((*parts, escape(text[at:])))
