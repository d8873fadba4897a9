"""The incidents of a table: those that are open, and the rows that rule them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studio.procedures.record import Records
from studio.tables.state.request import Asked


@dataclass(frozen=True, slots=True)
class KeptProcedures:
    """The rows in force, as the journal has them; None before the first were put in force."""

    version: str
    rows: Records


@dataclass(frozen=True, slots=True)
class Incident:
    id: str
    kind: str
    phase: str
    circumstances: Mapping[str, str | int | bool]
    row: str
    ruling: str
    options: tuple[str, ...]
    approval: str
    refund: str
    text: str
    arguments: tuple[str, ...]
    afterwards: tuple[str, ...]
    reported_by: str
    opened_at_ms: int
    holds: bool
    cards: tuple[str, ...]
    evidence: tuple[str, ...]
    box: str
    place: int
    device: str
    procedures: str = ""
    asked: Asked | None = None
    ruled: str = ""
    ruled_arguments: tuple[str, ...] = ()
    ruled_at_ms: int = 0


@dataclass(frozen=True, slots=True)
class Incidents:
    """`open`: those nobody has closed, in the order they came; `count` of all there ever were.

    `following`: the incident closed last, where its ruling still asks for something: the felt to be cleared, a deck to
    be verified and loaded, a deal to begin anew.
    """

    open: tuple[Incident, ...] = ()
    count: int = 0
    following: Incident | None = None
    procedures: KeptProcedures | None = None
