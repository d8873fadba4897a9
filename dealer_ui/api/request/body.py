"""Bodies and queries of requests, each read by the very type that the document of the interface tells of."""

from __future__ import annotations

from dataclasses import fields
from typing import Final, Generic, TypeVar

from flask import request
from pydantic import TypeAdapter

from dealer_ui.api.request.answer import AnswerError, read_json
from dealer_ui.api.request.order import read_query, read_whole

T = TypeVar("T")
BODY_BYTES_MAX: Final = 4 * 1024


class Body(Generic[T]):
    """A body that is one JSON object, read whole or refused whole."""

    def __init__(self, type: type[T], bytes_max: int = BODY_BYTES_MAX) -> None:
        self.type = type
        self.bytes_max = bytes_max
        self.adapter: Final = TypeAdapter(type)

    def read(self) -> T:
        """The body of the request that is being served; `AnswerError` where it is none."""
        return self.parse(read_json())

    def parse(self, body: bytes) -> T:
        return read_whole(self.adapter, body)

    @property
    def fields(self) -> tuple[str, ...]:
        """What the fields are called in JSON."""
        return tuple(self.adapter.json_schema()["properties"])


class Asked(Generic[T]):
    """What may stand in a query. What has another name, or stands there twice, is refused."""

    def __init__(self, type: type[T]) -> None:
        self.type = type
        self.adapter: Final = TypeAdapter(type)
        self.names: Final = tuple(one.name for one in fields(type))  # type: ignore[arg-type]

    def read(self) -> T:
        sent: dict[str, str] = {}
        for name, text in request.args.items(multi=True):
            if name not in self.names:
                known = " and ".join(self.names)
                sentence = f"This address asks for no '{name[:64]}': it knows {known}."
                raise AnswerError(400, "unknown_parameter", sentence)
            if name in sent:
                raise AnswerError(400, "unknown_parameter", f"{name} stands in this address twice: name it once.")
            sent[name] = text
        return read_query(self.adapter, sent)
