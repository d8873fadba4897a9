"""Gives the dealers of a rehearsal their licences and certificates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from dealer_ui.desk.staff import FIRST, StaffDesk
from studio.games import GAMES
from studio.people import LICENCE, NewPaper, day_of
from studio.people.papering import issue_paper
from studio.people.staff import StaffRegister
from studio.people.staff_event import AnyStaffEvent

GOOD_DAYS: Final = 400
EVERY_PAPER: Final = (LICENCE, *(game.key for game in GAMES))


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
