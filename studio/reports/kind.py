"""The one explicit list of reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from studio.errors import BadInputError
from studio.reports import cards, closing, dealer, deck, exception, incident, returns, shift, table, uptime
from studio.reports.choice import Asked
from studio.reports.shape import Report


@dataclass(frozen=True, slots=True)
class Kind:
    """`narrows`: what of a choice the report looks at."""

    key: str
    make: Callable[[Asked], Report]
    narrows: tuple[str, ...] = ("table",)


KINDS: Final = (
    Kind("incident", incident.make, ("table", "dealer")),
    Kind("exception", exception.make, ("table", "dealer")),
    Kind("shift", shift.make),
    Kind("closing", closing.make, ("table", "operator")),
    Kind("table", table.make, ("table", "game", "dealer", "operator")),
    Kind("dealer", dealer.make, ("table", "dealer")),
    Kind("returns", returns.make, ("table", "game", "operator")),
    Kind("cards", cards.make, ("table", "game")),
    Kind("decks", deck.make),
    Kind("uptime", uptime.make),
)
"""In the order they are offered."""


def find_kind(key: str) -> Kind:
    found = next((kind for kind in KINDS if kind.key == key), None)
    if found is None:
        raise BadInputError(f"There is no report '{key}': name one of {', '.join(kind.key for kind in KINDS)}.")
    return found
