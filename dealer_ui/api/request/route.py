"""What a route of the interface takes, asks, gives and refuses, said once: what is checked is what is told of it.

    Route("POST", "/bettors/<bettor>/deposits", desk.deposit, takes=MONEY, refuses={409: ("deposit_limit",)})

- `takes`: the body of a POST, a `Body` of a dataclass that pydantic reads; the act reads it by `MONEY.read()`.
- `asks`: what may stand in the query, an `Asked` of a dataclass; the act reads it by `LATEST.read()`.
- What is given is what the act is annotated to return, a TypedDict of `dealer_ui.api.shape`. Where that is a response
  made by hand, `gives` says what is in it: `Events` or a `Sheet`.
- `refuses`: its own keys of errors, by status. Those that follow from its address, its body and its query, and those
  that every route has, are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_type_hints

from dealer_ui.api.request.body import BODY_BYTES_MAX, Asked, Body
from dealer_ui.api.request.order import key_of

Act = Callable[..., Any]
"""Takes the operator, then what the address names; gives what is told, or a whole response."""
Keys = Mapping[int, tuple[str, ...]]
"""Keys of errors by the status they come with."""


@dataclass(frozen=True, slots=True)
class Events:
    """A stream of server-sent events: each by its name, with the type of its data."""

    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sheet:
    """An answer that is a text of that media type."""

    media_type: str
    says: str
    kind: str = "string"
    """Its type as JSON schemas name them."""
    kept: bool = False
    """Whoever has it asks with its ETag whether it has changed."""


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    act: Act
    takes: Body[Any] | None = None
    asks: Asked[Any] | None = None
    gives: Events | Sheet | None = None
    refuses: Keys = field(default_factory=dict)
    keyed: bool = True
    """Whether it wants a key; without one it is for everybody."""

    leads: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Where its answer leads: the name of another route, and what each of its parameters is then."""

    @property
    def tag(self) -> str:
        """The part of the interface it belongs to."""
        return self.path.split("/")[1] if self.keyed else "document"

    @property
    def name(self) -> str:
        return f"{self.method.lower()}_{self.act.__name__}"

    @property
    def told(self) -> Any:
        """What its answer holds."""
        return self.gives or get_type_hints(self.act)["return"]

    @property
    def body_bytes_max(self) -> int:
        return self.takes.bytes_max if self.takes else BODY_BYTES_MAX

    @property
    def named(self) -> tuple[str, ...]:
        """What its path names, in order."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("<"))

    @property
    def refusals(self) -> Keys:
        """All keys its errors may have, by status, each set in order."""
        found: dict[int, set[str]] = {}
        for status, key in self._refusals():
            found.setdefault(status, set()).add(key)
        return {status: tuple(sorted(found[status])) for status in sorted(found)}

    def _refusals(self) -> Iterator[tuple[int, str]]:
        yield from ((status, key) for status, keys in self.refuses.items() for key in keys)
        yield 500, "our_mistake"
        yield from ((503, key) for key in ("no_answer_yet", "not_kept", "unreachable", "busy", "closing"))
        if self.keyed:
            yield from _OF_DOOR
        for name in self.named:
            yield from ((404, key) for key in (*_OF_ADDRESS.get(name, ()), "unknown_address"))
        if self.takes:
            yield from _OF_BODY
            yield from ((400, key_of(name)) for name in self.takes.fields)
        if self.asks:
            yield from ((400, "missing_field"), (400, "unknown_parameter"))
            yield from ((400, key_of(name)) for name in self.asks.names)
        if isinstance(self.gives, Events):
            yield 503, "streams_taken"


_OF_DOOR: Final = (
    (401, "key_missing"), (401, "key_unknown"), (403, "key_suspended"), (403, "wrong_address"),
    (401, "signature_missing"), (401, "signature_wrong"), (401, "signature_old"), (401, "signature_used"),
    (429, "too_many_calls"), (413, "body_too_long"),
)  # fmt: skip
_OF_ADDRESS: Final = {
    "table": ("unknown_table",),
    "bettor": ("bad_bettor",),
    "client_id": ("bad_client_id",),
    "day": ("bad_day",),
}
_OF_BODY: Final = (
    (400, "not_json"), (400, "malformed"), (400, "missing_field"), (400, "unknown_field"),
    (413, "body_too_long"), (415, "wrong_content_type"),
)  # fmt: skip
