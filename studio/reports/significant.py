"""The report of significant events: what a regulator asks to be told of, in one list, with what is due by when.

A licence says which events those are and within what time; which classes are told, and what is a large sum, stand in
the configuration (`Regard`). Whatever the list tells is told at more length by other reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from studio.care.event import ProgramFound, read_care
from studio.journal import Reader, Row
from studio.reports.exception import NO_PERSON, ReportedAct, read_act, words_of
from studio.reports.record.choice import ReportAsked
from studio.reports.record.left_out import left_out
from studio.reports.record.source import rows
from studio.reports.sheet.shape import Column, Money, Note, Report, ReportSheet, Sort
from studio.reports.sheet.shape import Row as Cells
from studio.reports.uptime import outages_of

OUTAGE: Final = "outage"
LARGE: Final = "large"
CLASSES: Final[dict[str, tuple[str, ...]]] = {
    "door": ("StaffLockedOut", "StaffLockOutLifted", "SignInDisowned", "PasskeyCopied", "AccessRefused"),
    "program": ("ProgramFound", "ProgramAccepted"),
    OUTAGE: ("LinkDown", "TableRestarted"),
    "floor": (
        "TableFrozen", "FloorFrozen", "FloorReleased", "HostDrained", "HostReturned", "TableSent", "TableKept",
    ),
    "result": ("RoundVoided", "ExceptionRecorded", "CorrectionApproved", "CardUnsealed", "CompensationDecided"),
    "game": ("TableConfigured", "TableChanged", "PayTableAllowed"),
    "pot": ("PotSeeded", "PotWon", "PotReturned", "PotTakenBack", "PotClaimedLate", "PotMoved"),
    LARGE: ("return", "deposit", "withdraw"),
    "people": ("StaffAdded", "StaffRolesChanged", "StaffBarred", "StaffBarLifted", "StaffRetired"),
    "operator": (
        "OperatorAdded", "OperatorSuspended", "OperatorResumed", "OperatorKeyRotated", "OperatorKeysRevoked",
        "OperatorsReloaded",
    ),
    "bettor": ("BettorBlocked", "BettorUnblocked", "ComplaintMade"),
    "cards": ("DeckSealDoubted", "DeckWithdrawn", "DeckDestroyed", "StockCounted", "StockReconciled"),
    "device": ("DeviceApproved",),
    "record": ("PicturesExpired", "YearClosed", "BooksOpened"),
}  # fmt: skip
"""What belongs to each class, by the journal's kinds; of `large` by those of the ledger."""

_CLASS_OF: Final = {kind: one for one, kinds in CLASSES.items() for kind in kinds}
_FROM_ROWS: Final = tuple(kind for one, kinds in CLASSES.items() if one not in (OUTAGE, LARGE) for kind in kinds)
_PARTS_NAMED: Final = 3
_PARTS_OF_ANOTHER: Final = 30
"""Where more parts changed than these it is another program, and their number says more than three of their names."""

_WHOSE: Final = "CASE WHEN instr({0}, '/') > 0 THEN substr({0}, 1, instr({0}, '/') - 1) ELSE {0} END"
"""Whose purse it is, of his chips at a poker table too."""
_GOT: Final = f"""
SELECT round, {_WHOSE.format("credit")} AS account, amount, at, revision FROM ledger
WHERE {{0}} AND currency = ?3 AND kind IN ('return', 'share', 'compensate') AND substr(credit, 1, 7) = 'bettor:'
UNION ALL
SELECT round, {_WHOSE.format("debit")}, -amount, at, revision FROM ledger
WHERE {{0}} AND currency = ?3 AND kind IN ('reverse_return', 'reverse_share') AND substr(debit, 1, 7) = 'bettor:'
"""  # noqa: S608 - our own expressions
_LARGE: Final = f"""
WITH lately AS ({_GOT.format("seq > ?1 AND seq <= ?2")}),
earlier AS ({_GOT.format("+seq <= ?1 AND round <> '' AND round IN (SELECT round FROM lately WHERE revision > 0)")})
SELECT 'return', round, account, sum(amount), max(at) FROM (
    SELECT round, account, amount, at, amount AS change FROM lately
    UNION ALL SELECT round, account, amount, at, 0 FROM earlier
) AS got GROUP BY round, account HAVING sum(amount) >= ?4 AND sum(change) > 0
UNION ALL
SELECT kind, bet, CASE kind WHEN 'deposit' THEN credit ELSE debit END, amount, at FROM ledger
WHERE seq > ?1 AND seq <= ?2 AND currency = ?3 AND kind IN ('deposit', 'withdraw') AND amount >= ?4
"""  # noqa: S608 - our own expressions
"""A return is what the round has given in the end, told where the span has added to it: what a correction took is off,
and what came before the span counts where a correction came in it; that is found by its round, however long the record.
"""
_FIRST_PROGRAM: Final = """
SELECT coalesce((SELECT min(seq) FROM journal WHERE kind = 'ProgramFound'), 0),
       (SELECT count(*) FROM journal WHERE kind = 'BooksOpened')
"""
_LAST_BEFORE: Final = "SELECT seq, at FROM journal WHERE seq < ? ORDER BY seq DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class SignificantEvent:
    """One line. `act` has what people had to do with it; `bettor` is an operator's, as `north/ann`."""

    sort: str
    act: ReportedAct
    bettor: str = ""
    amount: Money | None = None
    lasted_ms: int | None = None


def make(asked: ReportAsked) -> Report:
    period = asked.period
    tests = left_out(asked)
    every = sorted(significant(asked), key=lambda one: (one.act.at_ms, one.act.seq))
    found = [one for one in every if one.bettor.partition("/")[0] not in tests]
    sheets = (_by_class(asked, found, len(every) - len(found)), _list(asked, found))
    return Report("significant", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def significant(asked: ReportAsked) -> Iterator[SignificantEvent]:
    """Every such event of the period, in no order."""
    first = _first_program(asked.reader)
    for row in rows(asked.reader, asked.period, _FROM_ROWS):
        if (found := _from_row(row, first)) is not None and asked.wants(found.act.table):
            yield found
    yield from _stops(asked)
    yield from _links(asked)
    yield from _large_sums(asked)


def _first_program(reader: Reader) -> int:
    """The row of the program that a new studio began with: there was none before it that it could differ from.

    0 where the books were carried over from a year that is closed: another program may have written those.
    """
    ((seq, carried),) = reader.read(_FIRST_PROGRAM, ())
    return 0 if carried else int(seq)


def _from_row(row: Row, first: int) -> SignificantEvent | None:
    act, told = read_act(row, NO_PERSON), _fields(row)
    match row.kind:
        case "ProgramFound":
            found = read_care(row.body)
            assert isinstance(found, ProgramFound)
            if row.seq == first:
                found = msgspec.structs.replace(found, changed=())
            if not (found.changed or found.damaged):
                return None
            act = replace(act, words=_program(found))
        case "ProgramAccepted":
            act = replace(act, words=f"{act.words} · {told['digest'][:12]}")
    bettor = f"{told['operator']}/{told['bettor']}" if told.get("bettor") and told.get("operator") else ""
    amount = told.get("amount_minor", told.get("paid_minor"))
    money = Money(amount, told["currency"]) if isinstance(amount, int) and told.get("currency") else None
    return SignificantEvent(_CLASS_OF[row.kind], act, bettor, money)


def _fields(row: Row) -> dict[str, Any]:
    body = msgspec.json.decode(row.body)
    found = body.get("event") or next((one for one in body.values() if isinstance(one, dict)), {})
    return dict(found)


def _program(found: ProgramFound) -> str:
    """The version, and the first parts that are another than before."""
    named = [one.part for one in found.changed] + list(found.damaged)
    if len(named) > _PARTS_OF_ANOTHER:
        return f"{found.version} · {len(named)}"
    more = f" + {len(named) - _PARTS_NAMED}" if len(named) > _PARTS_NAMED else ""
    return " · ".join((found.version, *named[:_PARTS_NAMED])) + more


def _stops(asked: ReportAsked) -> Iterator[SignificantEvent]:
    """The studio was down: the time from the row before a start to the start."""
    for row in rows(asked.reader, asked.period, ("TableRestarted", "CheckpointSigned", "ProgramFound")):
        for _, last_ms in asked.reader.read(_LAST_BEFORE, (row.seq,)):
            if row.at_ms - last_ms >= asked.regard.outage_ms and _is_start(row):
                yield SignificantEvent(OUTAGE, _bare("StudioStopped", last_ms, row.seq), lasted_ms=row.at_ms - last_ms)


def _is_start(row: Row) -> bool:
    return row.kind == "TableRestarted" or _fields(row).get("why") == "start"


def _links(asked: ReportAsked) -> Iterator[SignificantEvent]:
    for device, table, one in outages_of(asked):
        if one.length_ms >= asked.regard.outage_ms:
            act = replace(_bare("LinkDown", one.begin_ms, 0), table=table, words=device)
            yield SignificantEvent(OUTAGE, act, lasted_ms=one.length_ms)


def _large_sums(asked: ReportAsked) -> Iterator[SignificantEvent]:
    """Of each currency that a limit is named for: what a bettor got back of a round, and what he moved at once."""
    period = asked.period
    for currency, least_minor in asked.regard.large_minor.items():
        given = (period.ledger_after, period.ledger_upto, currency, least_minor)
        for kind, about, account, amount_minor, at_ms in asked.reader.read(_LARGE, given):
            bettor = account.removeprefix("bettor:").replace(":", "/", 1)
            round = about if kind == "return" else ""
            table = round.rpartition("-")[0]
            if asked.wants(table):
                act = replace(_bare(kind, at_ms, 0), table=table, round=round, words="" if round else about)
                yield SignificantEvent(LARGE, act, bettor, Money(amount_minor, currency))


def _bare(what: str, at_ms: int, seq: int) -> ReportedAct:
    """An event in which nobody did anything."""
    return ReportedAct(at_ms, seq, "", "", what, "", (), "", "", "", "", "", "")


def _by_class(asked: ReportAsked, found: list[SignificantEvent], left: int) -> ReportSheet:
    counted = Counter(one.sort for one in found)
    cells: list[Cells] = [(one, counted[one], "yes" if one in asked.regard.told else "") for one in CLASSES]
    columns = (
        Column("class", Sort.KEY, "report.class"), Column("count", Sort.COUNT),
        Column("to_tell", Sort.KEY, "report.yes"),
    )  # fmt: skip
    notes = []
    if not asked.regard.large_minor:
        sentence = (
            "No sum is called large: name one for each currency, and large returns, deposits and withdrawals are told."
        )
        notes.append(Note("significant_no_sum", sentence))
    if left:
        sentence = "Events of test accounts are left out: {count}. They stand in the record like any other."
        notes.append(Note("test_events_left_out", sentence, {"count": left}))
    due = sum(counted[one] for one in asked.regard.told)
    if due:
        notes.append(_due(due, asked.regard.tell_ms // 3_600_000))
    return ReportSheet("by_class", columns, cells, tuple(notes))


def _due(count: int, hours: int) -> Note:
    if count == 1:
        sentence = "One of these is to be told to the regulator within {hours} h of when it happened."
        return Note("significant_due_one", sentence, {"hours": hours}, loud=True)
    sentence = "{count} of these are to be told to the regulator within {hours} h of when they happened."
    return Note("significant_due", sentence, {"count": count, "hours": hours}, loud=True)


def _list(asked: ReportAsked, found: list[SignificantEvent]) -> ReportSheet:
    columns = (
        Column("at", Sort.MOMENT), Column("class", Sort.KEY, "report.class"), Column("act", Sort.KEY, "report.act"),
        Column("detail", Sort.KEY, "detail"), Column("table"), Column("round"), Column("people", Sort.KEY, "person"),
        Column("approved_by", Sort.KEY, "person"), Column("bettor"), Column("sum", Sort.MONEY),
        Column("lasted", Sort.LENGTH), Column("reason", Sort.KEY, "reason"), Column("words"),
        Column("before", Sort.KEY, "change"), Column("after", Sort.KEY, "change"), Column("tell_by", Sort.MOMENT),
        Column("seq", Sort.COUNT),
    )  # fmt: skip
    cells: list[Cells] = [_cells(asked, one) for one in found]
    none = Note("significant_none", "Nothing of this kind happened in this span.")
    return ReportSheet("events", columns, cells, () if cells else (none,))


def _cells(asked: ReportAsked, one: SignificantEvent) -> Cells:
    act = one.act
    return (
        act.at_ms, one.sort, act.what, asked.name(act.detail), act.table, act.round,
        " + ".join(map(asked.name, act.did)), asked.name(act.approved), one.bettor, one.amount, one.lasted_ms,
        act.reason, words_of(asked, act), act.before, act.after,
        act.at_ms + asked.regard.tell_ms if one.sort in asked.regard.told else None, act.seq or None,
    )  # fmt: skip
