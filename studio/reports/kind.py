"""The one explicit list of reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from studio.errors import BadInputError
from studio.reports import (
    access,
    cards,
    closing,
    dealer,
    deck,
    exception,
    incident,
    purse,
    returns,
    shift,
    significant,
    table,
    uptime,
)
from studio.reports.collusion import report as collusion
from studio.reports.record.choice import ReportAsked
from studio.reports.sheet.shape import Report


@dataclass(frozen=True, slots=True)
class ReportKind:
    """`narrows`: what of a choice the report looks at."""

    key: str
    make: Callable[[ReportAsked], Report]
    narrows: tuple[str, ...] = ("table",)


KINDS: Final = (
    ReportKind("incident", incident.make, ("table", "dealer")),
    ReportKind("exception", exception.make, ("table", "dealer")),
    ReportKind("significant", significant.make),
    ReportKind("access", access.make, ()),
    ReportKind("shift", shift.make),
    ReportKind("closing", closing.make, ("table", "operator")),
    ReportKind("purses", purse.make, ("operator",)),
    ReportKind("table", table.make, ("table", "game", "dealer", "operator")),
    ReportKind("dealer", dealer.make, ("table", "dealer")),
    ReportKind("collusion", collusion.make),
    ReportKind("returns", returns.make, ("table", "game", "operator")),
    ReportKind("cards", cards.make, ("table", "game")),
    ReportKind("decks", deck.make),
    ReportKind("uptime", uptime.make),
)
"""In the order they are offered."""


def find_kind(key: str) -> ReportKind:
    found = next((kind for kind in KINDS if kind.key == key), None)
    if found is None:
        raise BadInputError(f"There is no report '{key}': name one of {', '.join(kind.key for kind in KINDS)}.")
    return found
