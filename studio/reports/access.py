"""The report of access: everybody who may sign in, or could once, as he stood at the end of the span.

What each role may do is the table of rights (`studio.people.right`); papers stand on the page of the staff.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from studio.errors import BadInputError, IllegalEventError
from studio.people import STAFF_KINDS, StaffRegister, evolve_staff
from studio.people.passkey import usable
from studio.people.record import read_staff
from studio.people.staff import Staff
from studio.people.staff_event import (
    AccessRefused,
    SignInRefused,
    StaffAdded,
    StaffPinChanged,
    StaffRetired,
    StaffSignedIn,
)
from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import Between, pages
from studio.reports.sheet.shape import Column, Note, Report, ReportSheet, Row, Sort

UNSEEN_DAYS: Final = 90
"""Whoever may sign in and has not for so long is worth a question."""
_DAY_MS: Final = 86_400_000


@dataclass(slots=True)
class Dates:
    """When what was done to each person's access, by id."""

    added: dict[str, tuple[int, str]] = field(default_factory=dict)
    seen_ms: dict[str, int] = field(default_factory=dict)
    pin_ms: dict[str, int] = field(default_factory=dict)
    left_ms: dict[str, int] = field(default_factory=dict)
    sign_ins: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    denied: Counter[str] = field(default_factory=Counter)
    """These three within the span."""


def make(asked: ReportAsked) -> Report:
    period = asked.period
    register, dates, unread = _folded(asked)
    people = [_row(asked, person, dates) for person in sorted(register.people.values(), key=lambda one: one.id)]
    sheet = ReportSheet("people", _COLUMNS, people, tuple(_notes(asked, register, dates, unread)))
    return Report("access", period.begin_ms, period.end_ms, period.head, period.ledger_head, (sheet,))


_COLUMNS: Final = (
    Column("id"), Column("name"), Column("roles", Sort.KEY, "detail"), Column("stands", Sort.KEY, "report.stands"),
    Column("since", Sort.MOMENT), Column("added_by", Sort.KEY, "person"), Column("last_seen", Sort.MOMENT),
    Column("sign_ins", Sort.COUNT), Column("refused", Sort.COUNT), Column("denied", Sort.COUNT),
    Column("pin_since", Sort.MOMENT), Column("factor_since", Sort.MOMENT), Column("passkeys", Sort.COUNT),
    Column("ended", Sort.MOMENT),
)  # fmt: skip


def _folded(asked: ReportAsked) -> tuple[StaffRegister, Dates, int]:
    """The register at the end of the span, the dates, and how many rows made no sense."""
    register, dates, unread = StaffRegister(), Dates(), 0
    where = f"kind IN ({', '.join('?' * len(STAFF_KINDS))})"
    for row in pages(asked.reader, where, tuple(STAFF_KINDS), Between(0, asked.period.upto_seq)):
        try:
            event = read_staff(row.body)
            register = evolve_staff(register, event)
        except (BadInputError, IllegalEventError):
            unread += 1
            continue
        inside = row.seq > asked.period.after_seq
        match event:
            case StaffAdded(id=id, by=by):
                dates.added[id] = (row.at_ms, by)
                dates.pin_ms[id] = row.at_ms
            case StaffPinChanged(id=id):
                dates.pin_ms[id] = row.at_ms
            case StaffSignedIn(id=id):
                dates.seen_ms[id] = row.at_ms
                dates.sign_ins[id] += inside
            case SignInRefused(id=id):
                dates.refused[id] += inside
            case AccessRefused(id=id, count=count):
                dates.denied[id] += count * inside
            case StaffRetired(id=id):
                dates.left_ms[id] = row.at_ms
    return register, dates, unread


def _row(asked: ReportAsked, person: Staff, dates: Dates) -> Row:
    added_ms, added_by = dates.added[person.id]
    return (
        person.id, person.name, ", ".join(sorted(person.roles)), _stands(person, asked.period.end_ms), added_ms,
        asked.name(added_by), dates.seen_ms.get(person.id), dates.sign_ins[person.id], dates.refused[person.id],
        dates.denied[person.id], dates.pin_ms[person.id],
        _factor_since(person), len(usable(person.passkeys.values())), dates.left_ms.get(person.id),
    )  # fmt: skip


def _stands(person: Staff, now_ms: int) -> str:
    if not person.active:
        return "left"
    if person.barred:
        return "barred"
    return "locked" if person.is_locked(now_ms) else "active"


def _notes(asked: ReportAsked, register: StaffRegister, dates: Dates, unread: int) -> Iterator[Note]:
    if unread:
        sentence = "Rows of the staff that make no sense: {count}. Run verify, and call the auditor."
        yield Note("access_unread", sentence, {"count": unread}, loud=True)
    long_ago = asked.period.end_ms - UNSEEN_DAYS * _DAY_MS
    unseen = [
        person.name
        for person in register.people.values()
        if person.active and not person.barred
        and dates.seen_ms.get(person.id, dates.added[person.id][0]) < long_ago
    ]  # fmt: skip
    if unseen:
        sentence = "May sign in, and has not for {days} days: {people}."
        yield Note("access_unseen", sentence, {"days": UNSEEN_DAYS, "people": ", ".join(unseen)}, loud=True)
    yield Note("access_when", "The staff as it stood at the end of the span; sign-ins are those of the span.")


def _factor_since(person: Staff) -> int | None:
    """Since when more than the PIN is asked of him; None where nothing is."""
    device = [person.factor.since_ms] if person.factor is not None else []
    return min([*device, *(one.since_ms for one in usable(person.passkeys.values()))], default=None)
