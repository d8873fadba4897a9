"""Journal rows and transfers as lines a person reads. A sealed card stays sealed.

Every kind of the journal has its sentence in the catalogue (`event.<kind>`), filled from the event's own fields.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

import msgspec

from dealer_ui.felt.face import Face, face
from dealer_ui.past import coded
from dealer_ui.past.change import ChangeWords
from dealer_ui.words.language import Language
from studio.cards import Card, Sealed
from studio.errors import BadInputError
from studio.journal import Posting, Row
from studio.people import STAFF_KINDS
from studio.ports import AnyObservation
from studio.rounds.fact import CardDealt, Chose
from studio.tables.event.record import kind_of, read_body
from studio.tables.event.situation import Situation
from studio.tables.event.table import (
    AnyEvent,
    CardUnsealed,
    DecisionsTaken,
    FactStood,
    IncidentOpened,
    ObservationRecorded,
    ShoeWithdrawn,
    UnsealingAsked,
)

OBSERVATIONS: Final = frozenset(kind.__name__ for kind in get_args(AnyObservation))
SORTS: Final = ("observations", "events", "money")
_MONEY_KINDS: Final = frozenset(
    {"BetsPlaced", "PartSettled", "BetsSettled", "RoundSettled", "BetsVoided", "BetsReturned", "RoundRefunded",
     "PotSeeded", "PotFed", "PotWon", "PotReturned", "PotClaimedLate", "PotClaimUndone", "PotTakenBack",
     "CompensationAssessed", "CompensationPaid"}
)  # fmt: skip
_AMOUNTS: Final = frozenset(
    {"stake_minor", "returns_minor", "amount_minor", "pot_minor", "share_minor", "left_minor", "reset_minor",
     "short_minor", "then_minor", "from_pot_minor", "to_pot_minor", "made_up_minor", "reset_back_minor",
     "to_minor", "stack_minor"}
)  # fmt: skip
PEOPLE: Final = frozenset(
    {"by", "asked_by", "approved_by", "beside", "dealer", "reported_by", "staff", "staff_id", "person", "typed_by",
     "relief", "set_by", "answered_by", "acknowledged_by", "whom"}
)  # fmt: skip
"""Fields that hold the id of a person."""
_NAMED: Final = frozenset({f"{name}_name" for name in PEOPLE})
_CHANGES: Final = frozenset({"before", "after", "said"})
"""Fields that say what was and what is instead."""
_UNSAID: Final = frozenset(
    {"type", "kind", "at_ms", "pin_hash", "signature", "public_key", "previous", "journal_hash", "ledger_hash", "key",
     "keys", "sealed", "act_id"}
)  # fmt: skip
"""Of a row that is no table's: what is nobody's to read, or says nothing to a person."""


@dataclass(frozen=True, slots=True)
class TimelineLine:
    """One line of the time line. `sealed`: it is about a card whose face is nobody's to see."""

    seq: int
    at_ms: int
    sort: str
    kind: str
    sentence: str
    device: str = ""
    faces: tuple[Face, ...] = ()
    sealed: bool = False
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowNarrator:
    """What it takes to put rows into words.

    `currency` is the round's; `roles` says what each device is at its table; `name_of` names a person, `titles` the
    tables; `raised` finds the row that raised an alarm. `money` writes an amount of a currency, `language` does where
    it is None.
    """

    language: Language
    currency: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    name_of: Callable[[str], str] = str
    raised: Callable[[str, int], Row | None] = lambda id, seq: None
    titles: Mapping[str, str] = field(default_factory=dict)
    money: Callable[[int, str], str] | None = None

    def amount(self, minor: int) -> str:
        return (self.money or self.language.money)(minor, self.currency)

    def device(self, id: str) -> str:
        return self.language.either(f"device.{self.roles.get(id, id)}", id) if id else ""

    def person(self, id: str) -> str:
        """A person's name; for a field that names no person (the system, a device), the word for that."""
        return coded.person(self.language, id) or self.name_of(id)

    def text(self, kind: str, name: str, value: str) -> str:
        """A field that holds text: a code as its word, anything else as it stands."""
        if name == "approved_by":
            return self.person(value or "nobody")
        if name in PEOPLE:
            return self.person(value) if value else ""
        if name in _NAMED:
            return coded.person(self.language, value) or value
        if name in _CHANGES:
            return ChangeWords(self.language).say(value)
        return coded.word(self.language, name, value, kind) or value


def line_of(row: Row, teller: RowNarrator) -> TimelineLine:
    """A journal row as a line; a row that cannot be read says so instead of being left out."""
    try:
        event = read_body(row.body).event
    except BadInputError:
        return TimelineLine(row.seq, row.at_ms, "events", row.kind, _outside(row, teller))
    told = _inner(event)
    sort = (
        "observations" if isinstance(event, ObservationRecorded) else "money" if row.kind in _MONEY_KINDS else "events"
    )
    return TimelineLine(
        seq=row.seq,
        at_ms=row.at_ms,
        sort=sort,
        kind=row.kind,
        sentence=sentence_of(event, teller),
        device=teller.device(getattr(told, "device", "")),
        faces=_faces(told),
        sealed=_is_sealed(told),
        evidence=_evidence(told),
    )


def sentence_of(event: AnyEvent, teller: RowNarrator) -> str:
    """The catalogue's sentence for an event. The sentence for what a device did leaves out the device's name."""
    told, kind, language = _inner(event), kind_of(event), teller.language
    teller = replace(teller, currency=getattr(told, "currency", "") or teller.currency)
    values = {name: _value(kind, name, getattr(told, name), teller) for name in told.__struct_fields__}
    if isinstance(told, IncidentOpened):
        values["text"] = coded.row_text(language, told.row, told.text)
    if isinstance(told, ShoeWithdrawn) and told.reason_code:
        values["why"] = ": ".join(str(one) for one in (values["reason_code"], values["words"]) if one)
    if isinstance(told, DecisionsTaken):
        values["chosen"] = _chosen(told, language)
    return language.say(f"event.{_word_of(kind, told)}", **values).rstrip()


def _outside(row: Row, teller: RowNarrator) -> str:
    """A row that is no table's (of the staff, the decks, the care…), in its own words or else as it was written."""
    language = teller.language
    try:
        told = _told_outside(row)
        said = {name: _said(row.kind, name, value, teller) for name, value in told.items() if name not in _UNSAID}
    except (ValueError, AttributeError):
        return language.say("event.unreadable", kind=row.kind)
    if row.kind in _OF_ALARM:
        said["alarm_word"] = _alarm(row, str(told.get("id", "")), teller)
    word = f"{row.kind}_code" if told.get("code_until_ms") and row.kind == "StaffPinChanged" else row.kind
    if language.knows(f"event.{word}"):
        return " ".join(language.say(f"event.{word}", **said).split())
    listed = " · ".join(f"{name} {value}" for name, value in said.items() if value not in ("", None))
    return f"{row.kind}: {listed}" if listed else row.kind


def _told_outside(row: Row) -> dict[str, Any]:
    plain = json.loads(row.body)
    [told] = plain.values() if len(plain) == 1 else [plain]
    return dict(told)


def _said(kind: str, name: str, value: Any, teller: RowNarrator) -> str | int:
    """A field in words: people, tables and roles by their names."""
    if name == "id" and kind in STAFF_KINDS:
        return teller.name_of(str(value))
    if name in ("table", "tables"):
        keys = value if isinstance(value, list) else [value]
        return ", ".join(teller.titles.get(key, key) for key in keys)
    if name == "roles":
        return ", ".join(teller.language.name("role", role) for role in value)
    if name == "told" and isinstance(value, list):
        return ", ".join(teller.name_of(one) for one in value)
    return teller.text(kind, name, value) if isinstance(value, str) else _plain_value(value, teller)


_OF_ALARM: Final = frozenset({"AlarmRaised", "AlarmGrew", "AlarmAcknowledged", "AlarmEscalated", "AlarmEnded"})


def _alarm(row: Row, id: str, teller: RowNarrator) -> str:
    """What an alarm is about, in words: what raised it and at which tables."""
    begun = row if row.kind == "AlarmRaised" else teller.raised(id, row.seq)
    told = _told_outside(begun) if begun else {}
    word, language = str(told.get("word", "")), teller.language
    key = f"alarm.{word}" if language.knows(f"alarm.{word}") else f"trouble.{word}"
    about = str(told.get("about", ""))
    named = teller.name_of(about)
    named = coded.about(language, about) if named == about else named
    words = language.say(key, about=named, name=named) if word else language.say("audit.alarm")
    where = ", ".join(teller.titles.get(key, key) for key in told.get("tables", ()))
    return f"{words} ({where})" if where else words


def _plain_value(value: Any, teller: RowNarrator) -> str | int:
    if isinstance(value, bool):
        return teller.language.say("pit.yes" if value else "pit.no")
    if isinstance(value, int):
        return value
    if isinstance(value, list):
        return len(value) if not all(isinstance(one, str) for one in value) else ", ".join(value[:8]) or "–"
    return ""


def line_of_posting(posting: Posting, teller: RowNarrator) -> TimelineLine:
    transfer, language = posting.transfer, teller.language
    debit, credit = (coded.account(language, one, teller.titles) for one in (transfer.debit, transfer.credit))
    sentence = language.say(
        f"money.{transfer.kind}", amount=language.money(transfer.amount_minor, transfer.currency), bet=transfer.bet,
        debit=debit, credit=credit,
    )  # fmt: skip
    return TimelineLine(posting.seq, posting.at_ms, "money", transfer.kind, sentence)


def timeline(rows: Iterable[Row], postings: Iterable[Posting], teller: RowNarrator) -> list[TimelineLine]:
    """Everything of a round in the order of time; at one moment the journal comes before the money."""
    lines = [line_of(row, teller) for row in rows]
    lines += [line_of_posting(posting, teller) for posting in postings]
    return sorted(lines, key=lambda line: (line.at_ms, line.sort == "money", line.seq))


def _inner(event: msgspec.Struct) -> msgspec.Struct:
    if isinstance(event, FactStood):
        return event.fact
    return event.observation if isinstance(event, ObservationRecorded) else event


def _word_of(kind: str, told: msgspec.Struct) -> str:
    """A card that was dealt face down has a sentence without a face, a bet or a raise one with its amount."""
    if isinstance(told, Chose) and told.to_minor:
        return f"{kind}.to"
    if isinstance(told, UnsealingAsked | CardUnsealed) and not told.zone:
        return f"{kind}.aside"
    return f"{kind}.down" if isinstance(told, CardDealt) and told.face is None else kind


def _chosen(taken: DecisionsTaken, language: Language) -> str:
    """What was chosen: by each box, or else by how many."""
    told = [
        f"{language.name('box', one.box)}: {language.name('option', one.option)}" for one in taken.decisions if one.box
    ]
    counted = Counter(one.option for one in taken.decisions if not one.box)
    told += [f"{language.name('option', option)} × {language.number(times)}" for option, times in counted.items()]
    return ", ".join(told)


def _value(kind: str, name: str, value: Any, teller: RowNarrator) -> str | int:
    """A field as it may stand in a sentence: never a sealed face, never a key."""
    if name in ("key", "keys", "sealed", "label") or isinstance(value, Sealed | bytes):
        return ""
    if isinstance(value, Card):
        return value.sign
    if isinstance(value, bool):
        return teller.language.say("pit.yes" if value else "pit.no")
    if name in _AMOUNTS and teller.currency:
        return teller.amount(value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, Situation):
        return ChangeWords(teller.language).say(value)
    if isinstance(value, str):
        return teller.text(kind, name, value)
    if name == "findings":
        return " ".join(map(str, value))
    if isinstance(value, tuple | list):
        return str(len(value)) if name == "bets" else ", ".join(str(_value(kind, name, one, teller)) for one in value)
    return "" if value is None or isinstance(value, dict | msgspec.Struct) else str(value)


def _faces(told: msgspec.Struct) -> tuple[Face, ...]:
    """The open faces of a fact; an observation's card is sealed and has none."""
    shown = getattr(told, "faces", ()) or (getattr(told, "face", None),)
    return tuple(face(str(card)) for card in shown if isinstance(card, Card))


def _is_sealed(told: msgspec.Struct) -> bool:
    return isinstance(getattr(told, "card", None), Sealed) and not _faces(told)


def _evidence(told: msgspec.Struct) -> tuple[str, ...]:
    found = getattr(told, "evidence", ())
    return tuple(digest for digest in ((found,) if isinstance(found, str) else found) if digest)
