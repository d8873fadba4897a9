"""The demo's people: who they are, their papers, and that what is printed of them at start opens the door."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final

from dealer_ui.desk.staff import FIRST, StaffDesk
from studio.games import GAMES
from studio.people import LICENCE, NewPaper, Pin, change_pin, day_of
from studio.people.choosing_pin import choose_pin
from studio.people.papering import issue_paper
from studio.people.staff import StaffRegister
from studio.people.staff_event import AnyStaffEvent, StaffPinChanged
from studio.people.staffing import NewStaff

GOOD_DAYS: Final = 400
EVERY_PAPER: Final = (LICENCE, *(game.key for game in GAMES))


STAFF: Final = (
    ("d1", "1001", "4826", "Dewi", "dealer"),
    ("d2", "1002", "4829", "Hana", "dealer"),
    ("p1", "2001", "730162", "Made", "pit_boss"),
    ("p2", "2002", "730163", "Yuki", "pit_boss"),
    ("u1", "3001", "590427", "Sari", "auditor"),
    ("t1", "4001", "604718", "Ken", "technician"),
    ("a1", "9001", "915374", "Aiko", "admin"),
)
"""Id, badge, PIN, name and role of the demo's people: printed at start, and good for nothing else."""


def seat_staff(desk: StaffDesk) -> None:
    """Add them to a new demo. In one begun before they get the printed PINs again, whatever they had."""
    if not desk.register.people:
        for id, badge, pin, name, role in STAFF:
            desk.add(NewStaff(id, badge, name, (role,), choose_pin(pin, badge=badge, roles=(role,))))
    for id, _, printed, _, _ in STAFF:
        opens, person = Pin(printed), desk.register.active(id)
        if person is not None and not desk.hasher.matches(person.pin.hash, opens):
            desk.change(partial(_printed, id, opens, desk))


def _printed(id: str, pin: Pin, desk: StaffDesk, register: StaffRegister, now_ms: int) -> StaffPinChanged:
    return change_pin(register, id, pin, by=FIRST, now_ms=now_ms, hasher=desk.hasher)


def give_papers(desk: StaffDesk, dealer: str, papers: Sequence[str] = EVERY_PAPER, days: int = GOOD_DAYS) -> None:
    """Papers that are good from yesterday on, for as many days; those he has already stay as they are."""

    def issue(register: StaffRegister, now_ms: int) -> tuple[AnyStaffEvent, ...]:
        held = register.people[dealer].papers
        wanted = [paper for paper in papers if paper not in held]
        new = [_paper(dealer, paper, day_of(now_ms), days) for paper in wanted]
        games = [game.key for game in GAMES]
        return tuple(issue_paper(register, dealer, one, by=FIRST, now_ms=now_ms, games=games) for one in new)

    desk.change(issue)


def _paper(dealer: str, paper: str, today: date, days: int) -> NewPaper:
    first, last = today - timedelta(days=1), today + timedelta(days=days)
    return NewPaper(paper, f"{dealer.upper()}-{paper[:3].upper()}-1", first.isoformat(), last.isoformat())
