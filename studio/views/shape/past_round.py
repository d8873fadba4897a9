"""The shapes of one recorded round: its felt, who read each card, its results, rulings and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studio.journal.extract.round_sum import BetSum
from studio.tables.config import TableConfig
from studio.tables.event.situation import AnySituation
from studio.tables.event.table import CorrectionAsked
from studio.views.shape.procedure import RowWords
from studio.views.shape.table import TableView


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a person decided. `by` and `approved_by` are ids; `said` are his words."""

    ruling: str
    by: str
    approved_by: str
    at_ms: int
    row: str = ""
    reason_code: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One incident of the round, and what was ruled."""

    id: str
    kind: str
    row: str
    words: RowWords
    text: str
    at_ms: int
    zone: str
    place: int
    reported_by: str
    holds: bool
    evidence: tuple[str, ...]
    cards: tuple[str, ...]
    deal: int
    rulings: tuple[Ruled, ...] = ()
    closed_at_ms: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """What people changed against the ordinary run: an override, a void, a correction after the settlement."""

    act: str
    asked_by: str
    approved_by: str
    before: AnySituation
    after: AnySituation
    reason_code: str
    said: str
    row: str
    at_ms: int
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """One card of the felt, and who read it.

    `face` is None while it lies face down. `source` read it first: `shoe`, `camera` or `manual`; `confirmed_by` is
    `camera` or a person's id. `was`: faces it had on record before, by what they were replaced. `rulings` are those of
    people about this card.
    """

    zone: str
    place: int
    face: str | None
    source: str
    confirmed_by: str = ""
    confidence: float = 0.0
    evidence: str = ""
    doubts: tuple[str, ...] = ()
    was: tuple[tuple[str, str], ...] = ()
    rulings: tuple[Ruled, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was kept, and what it was kept for."""

    digest: str
    at_ms: int
    kind: str
    zone: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal of the round as it stood at its end. `row` is the procedure's row under which the round was then dealt
    again; it is empty for the last deal.
    """

    felt: TableView
    readings: tuple[Reading, ...]
    row: str = ""


@dataclass(frozen=True, slots=True)
class PastRound:
    """`status` is open, settled or voided. `former` are the results that were told before this one, oldest first."""

    table: str
    id: str
    number: int
    config: TableConfig
    dealers: tuple[str, ...]
    began_at_ms: int
    ended_at_ms: int
    status: str
    void_row: str
    void_by: str
    outcome: Mapping[str, Any] | None
    former: tuple[Mapping[str, Any], ...]
    deals: tuple[Deal, ...]
    bets: tuple[BetSum, ...]
    troubles: tuple[Trouble, ...]
    changes: tuple[Change, ...]
    corrections: tuple[CorrectionAsked, ...]
    revision: int
    pictures: tuple[Picture, ...]

    @property
    def felt(self) -> TableView:
        return self.deals[-1].felt

    @property
    def void(self) -> bool:
        return self.status == "voided"
