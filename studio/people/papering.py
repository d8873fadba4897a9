"""An administrator's acts upon papers and bars; nobody does them to himself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from studio.errors import RefusedError
from studio.people.actor import Actor, need_right
from studio.people.paper import NUMBER_CHARACTERS_MAX, read_day
from studio.people.paper_event import LICENCE, PaperIssued, PaperWithdrawn, SignInEnded, StaffBarLifted, StaffBarred
from studio.people.right import Role
from studio.people.staff import Staff, StaffRegister
from studio.people.staffing import not_himself, not_the_last_admin, person_of


@dataclass(frozen=True, slots=True)
class NewPaper:
    """A paper as somebody typed it. `paper`: `licence`, or the key of a game."""

    paper: str
    number: str
    valid_from: str
    valid_until: str


def issue_paper(
    register: StaffRegister, staff_id: str, new: NewPaper, *, by: Actor, now_ms: int, games: Collection[str]
) -> PaperIssued:
    """A licence, or a certificate for one of the games."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    not_himself(by, person)
    if new.paper != LICENCE and new.paper not in games:
        raise RefusedError("paper_unknown", f"A paper is a licence or a certificate for one of: {', '.join(games)}.")
    number = new.number.strip()
    if not number or len(number) > NUMBER_CHARACTERS_MAX:
        raise RefusedError("paper_number", "Write the number that stands on the paper, at most 60 characters.")
    first, last = read_day(new.valid_from), read_day(new.valid_until)
    if last < first:
        raise RefusedError("paper_days", "The paper would run out before it begins: look at its two days again.")
    return PaperIssued(
        at_ms=now_ms, id=person.id, paper=new.paper, number=number, valid_from=first.isoformat(),
        valid_until=last.isoformat(), by=by.id,
    )  # fmt: skip


def withdraw_paper(
    register: StaffRegister, staff_id: str, paper: str, *, reason: str, by: Actor, now_ms: int
) -> PaperWithdrawn:
    """The paper counts no more, from now on."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    not_himself(by, person)
    if paper not in person.papers:
        raise RefusedError("no_paper", f"{person.name} has no such paper. Look at the list again.")
    return PaperWithdrawn(at_ms=now_ms, id=person.id, paper=paper, reason=_words(reason), by=by.id)


def bar_staff(register: StaffRegister, staff_id: str, *, reason: str, by: Actor, now_ms: int) -> StaffBarred:
    """Nothing opens for this person from now on, and all of his sign-ins end."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    not_himself(by, person)
    not_the_last_admin(register, person, now_ms)
    if person.barred:
        raise RefusedError("barred_already", f"{person.name} is barred already.")
    return StaffBarred(at_ms=now_ms, id=person.id, reason=_words(reason), by=by.id)


def lift_bar(register: StaffRegister, staff_id: str, *, reason: str, by: Actor, now_ms: int) -> StaffBarLifted:
    """The person may sign in again."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    not_himself(by, person)
    if not person.barred:
        raise RefusedError("not_barred", f"{person.name} is not barred.")
    return StaffBarLifted(at_ms=now_ms, id=person.id, reason=_words(reason), by=by.id)


def end_sign_ins(
    register: StaffRegister, staff_id: str, *, by: Actor, now_ms: int, station: str = ""
) -> tuple[SignInEnded, ...]:
    """End somebody's sign-in at one station, or at all of them. An administrator may end anybody's, a pit boss a
    dealer's.
    """
    need_right(by, "end_sign_in")
    person = person_of(register, staff_id)
    if not by.may("manage_staff") and person.roles != {Role.DEALER}:
        raise RefusedError("dealers_only", "A pit boss may end a dealer's sign-in. Ask an administrator for others.")
    ended = person.stations if not station else person.stations & {station}
    if not ended:
        raise RefusedError("not_signed_in", f"{person.name} is not signed in there any more.")
    return tuple(SignInEnded(at_ms=now_ms, id=person.id, station=one, why="ended", by=by.id) for one in sorted(ended))


def all_sign_ins(person: Staff, why: str, *, now_ms: int, by: str = "") -> tuple[SignInEnded, ...]:
    """The events that end each of this person's sign-ins."""
    return tuple(
        SignInEnded(at_ms=now_ms, id=person.id, station=one, why=why, by=by) for one in sorted(person.stations)
    )


def _words(reason: str) -> str:
    if not reason.strip():
        raise RefusedError("reason_needed", "Write a few words why: they are kept.")
    return reason.strip()
