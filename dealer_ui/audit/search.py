"""The only place where what an auditor types becomes a search of the record, and what is found becomes lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, get_args

from dealer_ui.audit.timeline import Line, Teller, line_of, line_of_posting
from dealer_ui.house import House, device_roles
from dealer_ui.language import Language
from studio.cards import Card
from studio.care.event import CARE_KINDS
from studio.errors import BadInputError, RefusedError
from studio.journal.search import MoneyPage, Page, Query, search, search_money
from studio.money import parse_amount
from studio.people.shift_event import AnyShiftEvent
from studio.people.staff_event import AnyStaffEvent
from studio.ports import AnyObservation
from studio.rounds import AnyFact
from studio.tables.record import read_body

LINES: Final = 60
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "incidents": (
        "IncidentOpened", "RulingAsked", "RulingLapsed", "IncidentRuled", "IncidentClosed", "ExceptionRecorded",
        "UnsealingAsked", "UnsealingLapsed", "CardUnsealed",
        "RoundVoided", "RedealOrdered", "TableFrozen", "TableReleased", "PitCalled", "PitAnswered",
        "CompensationOpened", "CompensationAssessed", "CompensationDecided", "CompensationPaid",
    ),
    "exceptions": ("ExceptionRecorded",),
    "cards": tuple(sorted(kind.__name__ for kind in get_args(AnyFact))),
    "bets": ("BetsOpened", "BetsPlaced", "DecisionsTaken", "BetsReturned", "BetsVoided"),
    "results": ("RoundStarted", "ResultDeclared", "RoundSettled", "RoundRefunded"),
    "people": (
        "DealerChanged",
        *sorted({kind.__name__ for family in (AnyStaffEvent, AnyShiftEvent) for kind in get_args(family)}),
    ),
    "tables": ("TableConfigured", "TableOpened", "TableClosed", "TablePaused", "TableResumed", "TableRestarted"),
    "devices": tuple(sorted(kind.__name__ for kind in get_args(AnyObservation))),
    "care": tuple(sorted(CARE_KINDS)),
}  # fmt: skip
"""What may be looked for, by a word of the catalogue (`record.kind.<word>`)."""
FIELDS: Final = ("what", "who", "kind", "table", "round", "card", "row", "amount", "words", "from", "to")


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that was found, with the round it belongs to, where it belongs to one."""

    line: Line
    table: str = ""
    round: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    hits: tuple[Hit, ...]
    before: int | None
    looked_to_ms: int


def read_query(house: House, given: Mapping[str, str]) -> Query:
    """What was typed, or `RefusedError` with what to type instead."""
    said = {name: given.get(name, "").strip() for name in FIELDS}
    return Query(
        who=_who(house, said["who"]),
        kinds=GROUPS.get(said["kind"], ()) if said["what"] != "money" else (),
        table=said["table"] if said["table"] in house.tables else "",
        round=said["round"],
        card=_card(said["card"]),
        words=said["words"],
        row=said["row"].upper(),
        amount_minor=_amount(said["amount"], house.config.currency),
        from_ms=_moment(said["from"]),
        to_ms=_moment(said["to"], last=True),
    )


def find(house: House, language: Language, what: str, query: Query, before: int | None) -> Found:
    if what == "money":
        return _money(search_money(house.reader(), query, before, LINES), language, house)
    return _rows(search(house.reader(), query, before, LINES), language, house)


def _rows(page: Page, language: Language, house: House) -> Found:
    tellers: dict[str, Teller] = {}
    hits = []
    for row in page.rows:
        try:
            recorded = read_body(row.body)
            table, round = recorded.table, recorded.round
        except BadInputError:
            table = round = ""
        if table not in tellers:
            known = table in house.tables
            currency = house.view(table).bets.currency if known else house.config.currency
            tellers[table] = Teller(language, currency, device_roles(house, table) if known else {})
        hits.append(Hit(line_of(row, tellers[table]), table, round))
    return Found(tuple(hits), page.before, page.looked_to_ms)


def _money(page: MoneyPage, language: Language, house: House) -> Found:
    tables: dict[str, str] = {}
    hits = []
    for posting in page.postings:
        round = posting.transfer.round
        if round and round not in tables:
            row = next(house.reader().events(round=round, limit=1), None)
            tables[round] = read_body(row.body).table if row else ""
        hits.append(Hit(line_of_posting(posting, language), tables.get(round, ""), round if tables.get(round) else ""))
    return Found(tuple(hits), page.before, page.looked_to_ms)


def _who(house: House, typed: str) -> tuple[str, ...]:
    """The ids and names of whoever of the staff is meant, and what was typed."""
    if not typed:
        return ()
    wanted = typed.casefold()
    meant = [
        member
        for member in house.staff.register.people.values()
        if wanted in (member.id.casefold(), member.badge.casefold()) or wanted in member.name.casefold()
    ]
    return tuple(dict.fromkeys([typed, *(text for member in meant for text in (member.id, member.name))]))


def _card(typed: str) -> str:
    if not typed:
        return ""
    try:
        return str(Card.parse(typed[:-1].upper().replace("10", "T") + typed[-1:].lower()))
    except BadInputError as error:
        raise RefusedError("audit_card", f"'{typed}' is no card: write rank and suit, as in Ah or Ts.") from error


def _amount(typed: str, currency: str) -> int | None:
    if not typed:
        return None
    try:
        return parse_amount(typed, currency)
    except BadInputError as error:
        raise RefusedError("audit_amount", f"'{typed}' is no amount: write it as in 12.50.") from error


def _moment(typed: str, *, last: bool = False) -> int | None:
    """Milliseconds of a day or a time in UTC; the `last` one of it."""
    if not typed:
        return None
    try:
        at = datetime.fromisoformat(typed)
    except ValueError as error:
        sentence = f"'{typed}' is no time: write it as in 2026-01-31 or 2026-01-31T08:00."
        raise RefusedError("audit_time", sentence) from error
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    whole_ms = {10: 86_400_000, 16: 60_000, 19: 1_000}.get(len(typed), 1) if last else 1
    return int(at.timestamp() * 1000) + whole_ms - 1
