"""What departs from the ordinary course, and what is left of it: incidents, what two people are asked, prizes lost,
corrections, sealed cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.settlement import CorrectionSum
from studio.tables.event.correction import Righting
from studio.tables.event.situation import AnySituation
from studio.views.shape.procedure import FollowView, ProcedureView, RowWords
from studio.views.shape.words import HindranceView


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request that waits to be approved: who asks, why, and until when. `by` is empty where nobody asks. `ruling` and
    `arguments` are given where a ruling is asked for.

    `mark` tells this request from every later one.
    """

    by: str = ""
    by_name: str = ""
    reason_code: str = ""
    words: str = ""
    until_ms: int = 0
    ruling: str = ""
    arguments: tuple[str, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class WhereView:
    """Where an incident happened: at a box and place, or at a device. For a card in a wrong place, `due_box` and
    `due_place` say where it belongs.
    """

    box: str = ""
    place: int = 0
    due_box: str = ""
    due_place: int = 0
    device: str = ""


@dataclass(frozen=True, slots=True)
class RowView:
    """The row that rules an incident, with what it comes to now."""

    id: str
    text: str
    ruling: str
    options: tuple[str, ...]
    approval: str
    refund: str
    arguments: tuple[str, ...] = ()
    words: RowWords = field(default_factory=RowWords)
    readings: tuple[tuple[str, str, str], ...] = ()
    """Of a ruling that takes a reading of the card: the ruling, which eye read it, and the face. For the pit alone."""
    hindered: Mapping[str, HindranceView] = field(default_factory=dict)
    """Of its rulings, those that nobody can give yet, and why."""


@dataclass(frozen=True, slots=True)
class IncidentView:
    """An open incident. `evidence`: picture digests. `asked` is the ruling that waits for a second person, `ruled` the
    one that is being carried out.
    """

    id: str
    kind: str
    phase: str
    holds: bool
    reported_by: str
    opened_at_ms: int
    row: RowView
    where: WhereView = field(default_factory=WhereView)
    evidence: tuple[str, ...] = ()
    circumstances: Mapping[str, str | int | bool] = field(default_factory=dict)
    asked: RequestView = field(default_factory=RequestView)
    ruled: str = ""
    procedure: ProcedureView = field(default_factory=ProcedureView)


@dataclass(frozen=True, slots=True)
class IncidentsView:
    """`open`: those nobody has closed, in the order they came; `following`: what the one ruled last still asks for."""

    open: tuple[IncidentView, ...] = ()
    following: FollowView | None = None


@dataclass(frozen=True, slots=True)
class CaseView:
    """A prize lost with a voided round, not decided or not paid yet. For the pit alone.

    `claims`: account, stake, what it would have given, and the currency of both, of each bet concerned. `pays` is empty
    until it is decided.
    """

    round: str
    incident: str
    bet: str
    line: str
    opened_at_ms: int
    assessed: bool
    bettors: int
    prizes_minor: int
    pays: str
    claims: tuple[tuple[str, int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction that waits for its second person, or is being paid (`approved_by`). For the pit alone.

    `said`: what the record has and shall have. `moved` of `bets` differences are done.
    """

    id: str
    round: str
    number: int
    void: bool
    said: tuple[AnySituation, AnySituation]
    bets: int
    sums: tuple[CorrectionSum, ...]
    asked: RequestView
    evidence: tuple[str, ...] = ()
    approved_by: str = ""
    moved: int = 0
    facts: tuple[Righting, ...] = ()
    pays: str = ""


@dataclass(frozen=True, slots=True)
class UnsealingView:
    """A request that waits for its second person; no `zone`: the card was drawn and never dealt. For the pit alone."""

    id: str
    round: str
    number: int
    card: str
    zone: str
    place: int
    deal: int
    asked: RequestView


@dataclass(frozen=True, slots=True)
class SealedView:
    """What the pit may know of sealed cards: the request that waits, and from which round on they all stay sealed."""

    first_kept: int = 1
    asked: UnsealingView | None = None


@dataclass(frozen=True, slots=True)
class AftermathView:
    """For the pit alone. `cases`: prizes lost with voided rounds; `correction`: of a settled round, asked for, or being
    paid; `sealed`: a card that two people may open.
    """

    cases: tuple[CaseView, ...] = ()
    correction: CorrectionView | None = None
    sealed: SealedView = field(default_factory=SealedView)
