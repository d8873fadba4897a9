"""The incidents of a table: those that are open, what is asked about them, and the rows that rule them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

import msgspec

from studio.procedures import Ruling
from studio.procedures.record import Records
from studio.spoken import Slot


class AskedRuling(msgspec.Struct, frozen=True):
    """The first of two people has asked for a ruling."""

    ruling: str
    arguments: tuple[str, ...]
    asked_by: str
    asked_by_name: str
    reason_code: str
    words: str
    expires_at_ms: int

    @property
    def mark(self) -> str:
        """A digest of the request that its approval carries: a yes to this request is no yes to a later one."""
        return hashlib.sha256(repr(msgspec.structs.astuple(self)).encode()).hexdigest()[:16]


class KeptProcedures(msgspec.Struct, frozen=True):
    """The rows in force, as the journal has them; None before the first were put in force."""

    version: str
    rows: Records


class IncidentScene(msgspec.Struct, frozen=True):
    """What an incident is about: the cards, the place or the device, and the evidence kept of it."""

    cards: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    box: str = ""
    place: int = 0
    device: str = ""

    @property
    def slot(self) -> Slot:
        return self.box, self.place


UNRULED: Final = "unruled"


class GivenRuling(msgspec.Struct, frozen=True):
    """The ruling that somebody gave on an incident; `ruling` is empty until then."""

    ruling: str = ""
    arguments: tuple[str, ...] = ()
    at_ms: int = 0


class Incident(msgspec.Struct, frozen=True):
    """`ruling`: what the procedures say, under the version `procedures`; `ruled`: what was decided within it."""

    id: str
    kind: str
    phase: str
    circumstances: Mapping[str, str | int | bool]
    ruling: Ruling
    reported_by: str
    opened_at_ms: int
    holds: bool
    scene: IncidentScene
    procedures: str = ""
    asked: AskedRuling | None = None
    ruled: GivenRuling = GivenRuling()


class Incidents(msgspec.Struct, frozen=True):
    """`open`: those nobody has closed, in the order they came; `count` of all there ever were.

    `following`: the incident closed last, where its ruling still asks for something: the felt to be cleared, a deck to
    be verified and loaded, a deal to begin anew.
    """

    open: tuple[Incident, ...] = ()
    count: int = 0
    following: Incident | None = None
    procedures: KeptProcedures | None = None
