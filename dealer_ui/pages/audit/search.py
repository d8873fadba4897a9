"""Turns what an auditor types into a search of the record, and what is found into lines.

A name may be spelled in any case, without its accents, in parts, in any order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final, get_args
from zoneinfo import ZoneInfo

from dealer_ui.floor.house import House, device_roles
from dealer_ui.past.timeline import RowNarrator, TimelineLine, line_of, line_of_posting
from dealer_ui.words.language import Language
from studio.cards import Card
from studio.care.event import CARE_KINDS
from studio.decks.deck_event import AnyDeckEvent
from studio.errors import BadInputError, RefusedError
from studio.journal import Reader, Row
from studio.journal.extract.search import (
    FoundPage,
    MoneyPage,
    Query,
    search,
    search_money,
)
from studio.money import parse_amount
from studio.people.shift_event import AnyShiftEvent
from studio.people.staff_event import AnyStaffEvent
from studio.ports import AnyObservation
from studio.rounds import AnyFact
from studio.tables.event.record import read_body

_LETTERS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
"""Letters that Unicode does not take apart."""


LINES: Final = 60
FIRST: Final = "acts"
"""What the page shows before anything was asked: what people did."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "acts": (
        "IncidentRuled", "RulingAsked", "ExceptionRecorded", "CardUnsealed", "UnsealingAsked", "CompensationDecided",
        "CorrectionAsked", "CorrectionApproved", "CorrectionLapsed", "RoundVoided", "RedealOrdered",
        "RoundStarted", "ResultDeclared", "PersonActed", "ShoeLoaded", "FeltCleared", "CountStarted", "CountEnded",
        "TableFrozen", "TableReleased", "PitCalled", "PitAnswered", "TableOpened", "TableClosed", "TablePaused",
        "TableResumed", "TableChanged", "PayTableAllowed", "DeviceOrdered", "DeviceServiced", "DeviceApproved",
        "DealerChanged", "ReliefAsked", "ReliefDeclined", "DealerStoodDown", "RotationPlanned",
        "AlarmAcknowledged", "FloorFrozen", "FloorReleased", "MessageShown", "MessageEnded", "ComplaintMade",
        "ComplaintAnswered", "WalletClosed", "HostDrained", "HostReturned", "TableSent", "TableKept", "TableArrived",
        *sorted(
            {kind.__name__ for family in (AnyStaffEvent, AnyShiftEvent, AnyDeckEvent) for kind in get_args(family)}
        ),
    ),
    "incidents": (
        "IncidentOpened", "RulingAsked", "RulingLapsed", "IncidentRuled", "IncidentClosed", "ExceptionRecorded",
        "UnsealingAsked", "UnsealingLapsed", "CardUnsealed",
        "RoundVoided", "RedealOrdered", "TableFrozen", "TableReleased", "PitCalled", "PitAnswered",
        "CompensationOpened", "CompensationAssessed", "CompensationDecided", "CompensationPaid",
    ),
    "exceptions": ("ExceptionRecorded",),
    "cards": tuple(sorted(kind.__name__ for kind in get_args(AnyFact))),
    "bets": (
        "BetsOpened", "BetsPlaced", "BettorReady", "DecisionsTaken", "PartOpened", "PartSettled", "BetsReturned",
        "BetsVoided",
    ),
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

    line: TimelineLine
    table: str = ""
    round: str = ""
    title: str = ""

    @property
    def where(self) -> str:
        """The table by its name, and the number of the round."""
        number = self.round.removeprefix(f"{self.table}-").lstrip("0")
        return f"{self.title} · {number}" if number and self.round else self.title


@dataclass(frozen=True, slots=True)
class SearchFound:
    hits: tuple[Hit, ...]
    before: int | None
    looked_to_ms: int


def read_query(house: House, given: Mapping[str, str]) -> Query:
    """What was typed, or `RefusedError` with what to type instead."""
    said = {name: unicodedata.normalize("NFC", given.get(name, "")).strip() for name in FIELDS}
    if not said["card"] and any(sign in said["words"] for sign in _SIGNS):
        said["card"], said["words"] = said["words"], ""
    zone = ZoneInfo(house.config.studio.zone)
    return Query(
        who=_who(house, said["who"]),
        kinds=GROUPS.get(said["kind"], ()) if said["what"] != "money" else (),
        table=said["table"] if said["table"] in house.tables else "",
        rounds=_rounds(house, said["round"], said["table"]),
        card=_card(said["card"]),
        words=said["words"],
        row=said["row"].upper(),
        amount_minor=_amount(said["amount"], house.config.currency),
        from_ms=moment_of(said["from"], zone),
        to_ms=moment_of(said["to"], zone, last=True),
    )


def find(house: House, language: Language, what: str, query: Query, before: int | None) -> SearchFound:
    if what == "money":
        return _money(search_money(house.reader(), query, before, LINES), language, house)
    return _rows(search(house.reader(), query, before, LINES), language, house)


def _rows(page: FoundPage, language: Language, house: House) -> SearchFound:
    tellers: dict[str, RowNarrator] = {}
    hits, titles = [], _titles(house)
    for row in page.rows:
        try:
            recorded = read_body(row.body)
            table, round = recorded.table, recorded.round
        except BadInputError:
            table = round = ""
        if table not in tellers:
            known = table in house.tables
            currency = house.view(table).bets.currency if known else house.config.currency
            roles = device_roles(house, table) if known else {}
            tellers[table] = RowNarrator(
                language, currency, roles, partial(called, house), partial(raised, house.reader()), titles
            )
        hits.append(Hit(line_of(row, tellers[table]), table, round, titles.get(table, table)))
    return SearchFound(tuple(hits), page.before, page.looked_to_ms)


def called(house: House, id: str) -> str:
    """What a person of the staff is or was called; anything else is left as it is."""
    found = house.staff.register.people.get(id)
    return found.name if found else id


def _titles(house: House) -> Mapping[str, str]:
    return {key: house.view(key).title for key in house.tables}


def raised(reader: Reader, id: str, before_seq: int) -> Row | None:
    """The row in which the alarm of that id was raised, the newest before that place."""
    sql = """
        SELECT seq, at, kind, CAST(body AS BLOB) FROM journal
        WHERE kind = 'AlarmRaised' AND seq < ? AND instr(body, ?) > 0
        ORDER BY seq DESC LIMIT 1
    """
    rows = reader.read(sql, (before_seq, f'"id":"{id}"'))
    return Row(*rows[0]) if rows else None


def _money(page: MoneyPage, language: Language, house: House) -> SearchFound:
    tables: dict[str, str] = {}
    hits, titles = [], _titles(house)
    teller = RowNarrator(language, titles=titles)
    for posting in page.postings:
        round = posting.transfer.round
        if round and round not in tables:
            row = next(house.reader().events(round=round, limit=1), None)
            tables[round] = read_body(row.body).table if row else ""
        table = tables.get(round, "")
        hits.append(Hit(line_of_posting(posting, teller), table, round if table else "", titles.get(table, table)))
    return SearchFound(tuple(hits), page.before, page.looked_to_ms)


def _who(house: House, typed: str) -> tuple[str, ...]:
    """The ids and names of whoever of the staff is meant, and what was typed."""
    if not typed:
        return ()
    people = house.staff.register.people.values()
    exact = [one for one in people if plain(typed) in (plain(one.id), plain(one.badge))]
    meant = exact or [one for one in people if is_meant(typed, one.name)]
    named = (text for one in meant for text in (one.id, one.name))
    return tuple(dict.fromkeys([*spellings(typed), *named]))


_NUMBER: Final = re.compile(r"(?:(?P<table>.*\S)[\s-])?\D?0*(?P<number>\d{1,7})")


def _rounds(house: House, typed: str, table: str) -> tuple[str, ...]:
    """The ids of the rounds that are meant: one by its id, or the round of a number at every table, or at one.

    An id is the table's key and the number: `three-knights-1-0000004`.
    """
    if not typed:
        return ()
    found = _NUMBER.fullmatch(typed)
    if found is None:
        return (typed,)
    tables = [key for key in house.tables if key == (found["table"] or table)]
    if not tables and not table:
        tables = list(house.tables)
    return (typed, *(f"{key}-{int(found['number']):07d}" for key in tables))


_SIGNS: Final = {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "♤": "s", "♡": "h", "♢": "d", "♧": "c"}


def _card(typed: str) -> str:
    """The card that is meant: `Js`, `js`, `J♠`, `♠J`, `10h`."""
    if not typed:
        return ""
    letters = "".join(_SIGNS.get(one, one) for one in typed if not one.isspace() and one != "\ufe0f")
    if typed[0] in _SIGNS:
        letters = letters[1:] + letters[0]
    try:
        return str(Card.parse(letters[:-1].upper().replace("10", "T") + letters[-1:].lower()))
    except BadInputError as error:
        raise RefusedError("audit_card", f"'{typed}' is no card: write rank and suit, as in Ah, 10s or J♠.") from error


def _amount(typed: str, currency: str) -> int | None:
    if not typed:
        return None
    try:
        return parse_amount(typed, currency)
    except BadInputError as error:
        raise RefusedError("audit_amount", f"'{typed}' is no amount: write it as in 12.50.") from error


def moment_of(typed: str, zone: ZoneInfo, *, last: bool = False) -> int | None:
    """Milliseconds of a day or a time where the studio is; the `last` one of it."""
    if not typed:
        return None
    try:
        at = datetime.fromisoformat(typed)
    except ValueError as error:
        sentence = f"'{typed}' is no time: write it as in 2026-01-31 or 2026-01-31T08:00."
        raise RefusedError("audit_time", sentence) from error
    at = at.replace(tzinfo=zone) if at.tzinfo is None else at
    whole_ms = {10: 86_400_000, 16: 60_000, 19: 1_000}.get(len(typed), 1) if last else 1
    return int(at.timestamp() * 1000) + whole_ms - 1


def as_picked(typed: str, *, last: bool = False) -> str:
    """A day or a time as a browser's own date field holds it; empty of what is none."""
    try:
        at = datetime.fromisoformat(typed)
    except ValueError:
        return ""
    if len(typed) == len("2026-01-31") and last:
        at = at.replace(hour=23, minute=59)
    return at.strftime("%Y-%m-%dT%H:%M")


def plain(text: str) -> str:
    """The letters alone: no case, no accents, full width like half width, katakana like hiragana.

    >>> plain("Łukasz  O’Neïll"), plain("ＹＵＫＩ"), plain("ユキ") == plain("ゆき")
    ('lukasz oneill', 'yuki', True)
    """
    taken_apart = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(_hiragana(one) for one in taken_apart if not unicodedata.combining(one))
    kept = "".join(one if one.isalnum() else "" if one in "'’`.·" else " " for one in letters.translate(_LETTERS))
    return " ".join(kept.split())


def is_meant(typed: str, name: str) -> bool:
    """Whether every part that was typed begins a part of the name, or stands in a name written without spaces.

    >>> is_meant("muller jo", "Jörg Müller"), is_meant("", "Jörg"), is_meant("uller", "Müller")
    (True, False, False)
    """
    wanted, parts = plain(typed).split(), plain(name).split()
    whole = "".join(parts)
    return bool(wanted) and (
        all(any(part.startswith(one) for part in parts) for one in wanted) or whole.startswith("".join(wanted))
    )


def spellings(typed: str) -> tuple[str, ...]:
    """An id as it may stand in the record, for whoever typed it in another case."""
    return tuple(dict.fromkeys((typed, typed.lower(), typed.upper(), typed.capitalize(), typed.title())))


def _hiragana(letter: str) -> str:
    return chr(ord(letter) - 0x60) if "ァ" <= letter <= "ヶ" else letter
