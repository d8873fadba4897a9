"""The exception report: every act of a person that is not the dealer's ordinary work at his table.

It goes by what the rows say, not by a list of what a pit boss may do: a row that names a person is an act, whatever
its kind, also one that nobody has thought of yet. Left out are only what machines say, bets, cards and money
(`SILENT`), who comes and goes, and what the dealer of a table does there as the dealer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

import msgspec

from studio.journal import Row
from studio.people import RESERVED_IDS, STAFF_KINDS
from studio.ports import AnyObservation
from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import rows_but
from studio.reports.record.standing import TableStanding, standings
from studio.reports.sheet.shape import Chart, Column, Drawing, Note, Report, ReportSheet, Sort
from studio.reports.sheet.shape import Row as Cells
from studio.rounds import AnyFact
from studio.tables.event.record import read_situation
from studio.tables.event.situation import AnySituation
from studio.wallets.notice import HEARING_KINDS
from studio.wallets.record import WALLET_KINDS

_MONEY_AND_CARDS: Final = (
    "LedgerBound", "RoundStarted", "BetsOpened", "BetsPlaced", "DecisionsTaken", "DecisionsClosed", "CardDoubted",
    "ShoeMissed", "ReadingWaived", "CardSetAside", "CardDisposed", "PlaceAccepted", "BetsSettled", "RoundSettled",
    "PartOpened", "PartSettled", "BettorReady",
    "BetsVoided", "BetsResettled", "RoundResettled", "PotTakenBack", "PotClaimedLate", "PotClaimUndone",
    "BetsReturned", "RoundRefunded", "FeltCleared", "PotSeeded", "PotFed", "PotWon", "PotReturned", "IncidentClosed",
    "CompensationOpened", "CompensationAssessed", "CompensationPaid", "DeviceLost", "DeviceBack", "TableRestarted",
    "TableConfigured", "RedealOrdered", "CutCardCame", "CheckpointSigned", "CheckpointWitnessed",
    "PicturesExpired", "BooksOpened", "PursesCarried", "ProgramFound",
)  # fmt: skip
"""What follows from an act or from a rule, and names no person."""
_COMING_AND_GOING: Final = (
    "StaffSignedIn", "StaffSignedOut", "SignInRefused", "StaffLockedOut", "PinConfirmed", "BreakBegun", "BreakEnded",
    "SecondFactorEnrolled", "SecondFactorUsed", "PasskeyEnrolled", "PasskeyUsed", "PasskeyRemoved",
    "StaffPinRehashed", "OwnNoticesSeen",
    "AccessRefused",
)  # fmt: skip
_MACHINES: Final = tuple(one.__name__ for family in (AnyObservation, AnyFact) for one in get_args(family))
_OF_WALLETS: Final = WALLET_KINDS - {"WalletClosed"} | HEARING_KINDS
SILENT: Final = frozenset((*_MONEY_AND_CARDS, *_COMING_AND_GOING, *_MACHINES, *_OF_WALLETS))

APPROVED_FIELD: Final = "approved_by"
PERSON_FIELDS: Final = ("by", "asked_by", APPROVED_FIELD, "reported_by", "beside", "typed_by")
NO_PERSON: Final = RESERVED_IDS | {""}
"""What stands in such a field where no person is meant; the devices of a table by their own names beside these."""

_AT_THE_MACHINE: Final = "system"
"""Who changed the staff from the command line. The first set-up is the house's beginning; later it is an act."""

_DEALERS: Final = frozenset({
    "ShoeLoaded", "ResultDeclared", "IncidentOpened", "IncidentRuled", "RulingAsked", "PitCalled", "TableFrozen",
    "RoundVoided", "ExceptionRecorded", "DeckLoaded",
})  # fmt: skip
"""What the dealer of a table does there as the dealer, as long as nobody had to approve it."""


@dataclass(frozen=True, slots=True)
class ReportedAct:
    """One act. `what` is the journal's kind, `detail` its own key of what was done.

    `did` are those who asked for it or did it, `approved` is the second person, empty where there was none. `whom` is
    who of the staff it was done to.
    """

    at_ms: int
    seq: int
    table: str
    round: str
    what: str
    detail: str
    did: tuple[str, ...]
    approved: str
    row: str
    before: AnySituation
    after: AnySituation
    reason: str
    words: str
    whom: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        return (*self.did, self.approved) if self.approved else self.did


def acts(asked: ReportAsked, standing: Mapping[str, TableStanding]) -> Iterator[ReportedAct]:
    """Every act of the period, in order."""
    nobody, at_work_seq = NO_PERSON | (_devices(asked) - asked.names.keys()), _first_sign_in(asked)
    for row in rows_but(asked.reader, asked.period, SILENT, "CardConfirmed", '"by":"camera"'):
        told = nobody - {_AT_THE_MACHINE} if row.kind in STAFF_KINDS and row.seq > at_work_seq else nobody
        one = read_act(row, told)
        people = tuple(dict.fromkeys(one.people))
        if not people or not asked.wants(one.table):
            continue
        stood = standing.get(one.table)
        if row.kind in _DEALERS and stood and people == (stood.dealer_at(row.at_ms),) and not _weighty(one):
            continue
        yield one


def read_act(row: Row, nobody: Collection[str]) -> ReportedAct:
    """What a row tells of an act, and of the people in it; whoever is among `nobody` is no person."""
    body = msgspec.json.decode(row.body)
    event = _inner(body)
    facts = event.get("movement", {}).get("facts", {})
    table = str(body.get("table") or event.get("table") or facts.get("table", ""))
    fields = {
        name: event[name] for name in PERSON_FIELDS if isinstance(event.get(name), str) and event[name] not in nobody
    }
    approved = fields.pop(APPROVED_FIELD, "")
    did = tuple(dict.fromkeys(fields.values()))
    return _act(row, table, str(body.get("round") or facts.get("round", "")), event, (did, approved))


def _inner(body: Mapping[str, Any]) -> dict[str, Any]:
    """The event of a body, whosever desk wrote it: `{"table", "round", "event"}`, `{"staff"}`, `{"shift"}` …"""
    found = body.get("event") or next((one for one in body.values() if isinstance(one, dict)), {})
    return dict(found)


def _weighty(act: ReportedAct) -> bool:
    """What even the dealer of the table cannot do as a dealer: it needed a reason, as only a pit boss gives."""
    return act.what in ("IncidentRuled", "ExceptionRecorded", "RoundVoided") and bool(act.reason)


def _first_sign_in(asked: ReportAsked) -> int:
    """The row with which the house began to work; before it, everything was set up."""
    found = asked.reader.read("SELECT seq FROM journal WHERE kind = ? ORDER BY seq LIMIT 1", ("StaffSignedIn",))
    return int(found[0][0]) if found else asked.period.upto_seq


def _devices(asked: ReportAsked) -> frozenset[str]:
    """The devices of all tables by their names: no people."""
    known = asked.reader.read("SELECT DISTINCT json_extract(body, '$.event.config.' || part) FROM journal, ("
                              "SELECT 'shoe' AS part UNION SELECT 'shuffler' UNION SELECT 'camera') AS parts"
                              " WHERE kind = 'TableConfigured' AND seq <= ?", (asked.period.upto_seq,))  # fmt: skip
    return frozenset(name for [name] in known if name)


_DETAILS: Final = (
    "act",
    "ruling",
    "order",
    "service",
    "incident",
    "pays",
    "paper",
    "roles",
    "deck_id",
    "deck",
    "dealer",
    "door",
)
_WORDS: Final = ("words", "reason", "why", "answer", "text_told", "note", "seal")


def _act(row: Row, table: str, round: str, event: Mapping[str, Any], who: tuple[tuple[str, ...], str]) -> ReportedAct:
    return ReportedAct(
        row.at_ms, row.seq, table, round, row.kind, _said(event, _DETAILS), *who,
        str(event.get("row", "")), *_change(event),
        str(event.get("reason_code", "")), _said(event, _WORDS),
        str(event.get("id", "")) if row.kind in STAFF_KINDS else "",
    )  # fmt: skip


def words_of(asked: ReportAsked, act: ReportedAct) -> str:
    """What was said of the act, after the name of who of the staff it was done to."""
    whom = "" if act.whom in act.people else asked.name(act.whom)
    return " · ".join(filter(None, (whom, act.words)))


def _change(event: Mapping[str, Any]) -> tuple[AnySituation, AnySituation]:
    """The situation before the act and the one after it; a side that the row does not tell is empty. For a correction,
    these are the two sides of what was asked for, not the whole result.
    """
    said = event.get("said")
    before, after = said if isinstance(said, list) else (event.get("before", ""), event.get("after", ""))
    return read_situation(before), read_situation(after)


def _said(event: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """The first of these fields that has a value, as text."""
    found = next((event[name] for name in names if event.get(name)), "")
    return ", ".join(map(str, found)) if isinstance(found, list) else str(found)


def make(asked: ReportAsked) -> Report:
    period = asked.period
    found = [one for one in acts(asked, standings(asked)) if asked.choice.dealer in ("", *one.people)]
    sheets = (by_act(found), _by_person(asked, found), _acts(asked, found))
    return Report("exception", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def by_act(found: list[ReportedAct]) -> ReportSheet:
    """How often what was done; for the shift report, too."""
    counted = Counter((one.what, one.detail if one.what == "ExceptionRecorded" else "") for one in found)
    rows: list[Cells] = [(what, detail, times) for (what, detail), times in counted.most_common()]
    columns = (Column("act", Sort.KEY, "report.act"), Column("detail", Sort.KEY, "detail"), Column("count", Sort.COUNT))
    return ReportSheet("by_act", columns, rows, chart=Chart(Drawing.BARS, "act", "count", colour="detail"))


def _by_person(asked: ReportAsked, found: list[ReportedAct]) -> ReportSheet:
    """What each person did or asked for, and how often he approved what others had asked for."""
    did = Counter((asked.name(person), one.what) for one in found for person in one.did)
    approved = Counter((asked.name(one.approved), one.what) for one in found if one.approved)
    rows: list[Cells] = [(*both, did[both], approved[both]) for both in sorted(did.keys() | approved.keys())]
    columns = (
        Column("person", Sort.KEY, "person"), Column("act", Sort.KEY, "report.act"), Column("count", Sort.COUNT),
        Column("approved", Sort.COUNT),
    )  # fmt: skip
    return ReportSheet("by_person", columns, rows)


def _acts(asked: ReportAsked, found: list[ReportedAct]) -> ReportSheet:
    columns = (
        Column("at", Sort.MOMENT), Column("table"), Column("round"), Column("act", Sort.KEY, "report.act"),
        Column("detail", Sort.KEY, "detail"), Column("people", Sort.KEY, "person"),
        Column("approved_by", Sort.KEY, "person"),
        Column("reason", Sort.KEY, "reason"), Column("words"), Column("row", Sort.KEY, "row"),
        Column("before", Sort.KEY, "change"), Column("after", Sort.KEY, "change"),
        Column("seq", Sort.COUNT),
    )  # fmt: skip
    rows: list[Cells] = [
        (
            one.at_ms, one.table, one.round, one.what, asked.name(one.detail), " + ".join(map(asked.name, one.did)),
            asked.name(one.approved), one.reason, words_of(asked, one), one.row, one.before, one.after, one.seq,
        )
        for one in found
    ]  # fmt: skip
    told = Note("exception_none", "Nobody did anything in this span that was not the ordinary work of a dealer.")
    return ReportSheet("acts", columns, rows, () if rows else (told,))
