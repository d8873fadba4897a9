"""What can have happened to an incident: opened, asked, ruled, closed; and exception records."""

from __future__ import annotations

import msgspec

from studio.procedures.record import Records
from studio.tables.event.situation import AnySituation


class IncidentEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class ProceduresInForce(IncidentEvent, frozen=True, kw_only=True, tag=True):
    """From now on these rows rule at this table; `version` is their digest, and every incident names it."""

    version: str
    rows: Records


class IncidentOpened(IncidentEvent, frozen=True, kw_only=True, tag=True):
    """`holds`: the table does nothing until it is closed. `cards` are ids of the cards concerned. `procedures`: the
    version of the rows that ruled, empty in a record older than versions.
    """

    id: str
    incident: str
    phase: str
    circumstances: dict[str, str | int | bool]
    row: str
    ruling: str
    options: tuple[str, ...]
    approval: str
    refund: str
    text: str
    arguments: tuple[str, ...] = ()
    afterwards: tuple[str, ...] = ()
    reported_by: str
    holds: bool = True
    cards: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    box: str = ""
    place: int = 0
    device: str = ""
    procedures: str = ""


class RulingAsked(IncidentEvent, frozen=True, kw_only=True, tag=True):
    """The first of two people asks; another with pit rights must approve within 60 s."""

    id: str
    ruling: str
    arguments: tuple[str, ...]
    asked_by: str
    asked_by_name: str
    reason_code: str
    words: str
    expires_at_ms: int


class RulingLapsed(IncidentEvent, frozen=True, kw_only=True, tag=True):
    """Nobody approved it in time, or somebody declined it (`by`; empty too in a record older than that name)."""

    id: str
    by: str = ""


class IncidentRuled(IncidentEvent, frozen=True, kw_only=True, tag=True):
    """`steps` name what the dealer still has to do before the incident closes. Older rows have no names."""

    id: str
    ruling: str
    arguments: tuple[str, ...]
    row: str
    asked_by: str
    approved_by: str
    reason_code: str
    words: str
    procedures: str = ""
    asked_by_name: str = ""
    approved_by_name: str = ""


class IncidentClosed(IncidentEvent, frozen=True, kw_only=True, tag=True):
    id: str


class ExceptionRecorded(IncidentEvent, frozen=True, kw_only=True, tag=True):
    """What a person changed against the ordinary run: who, what, before, after, why, on which evidence."""

    incident: str
    act: str
    asked_by: str
    approved_by: str
    before: AnySituation
    after: AnySituation
    reason_code: str
    words: str
    row: str
    evidence: tuple[str, ...] = ()
    sealed: tuple[str, ...] = ()
    bets: int = 0
    round: str = ""
    revision: int = 0
