"""The staff register, as its pages show it: each person, his papers, where he is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.access.sessions import Viewer
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from studio.games import GAMES, find_game
from studio.people import LICENCE, Paper, PaperStanding, Role, day_of
from studio.people.staff import Staff

_WORST_FIRST: Final = (PaperStanding.EXPIRED, PaperStanding.FUTURE, PaperStanding.SOON, PaperStanding.CURRENT)


@dataclass(frozen=True, slots=True)
class PaperLook:
    """A paper a dealer has or should have. `standing`: missing where he has none."""

    key: str
    title: str
    standing: str
    paper: Paper | None
    days_left: int = 0


@dataclass(frozen=True, slots=True)
class PersonLook:
    """Somebody of the staff as the pages show him. `table`: the title of the one he deals at."""

    person: Staff
    papers: Sequence[PaperLook]
    sign_ins: Sequence[Viewer]
    table: str
    dealing_since_ms: int
    locked: bool
    code_open: bool

    @property
    def is_dealer(self) -> bool:
        return Role.DEALER in self.person.roles

    @property
    def only_deals(self) -> bool:
        """Whose sign-in a pit boss may end."""
        return self.person.roles == {Role.DEALER}

    @property
    def told(self) -> Sequence[PaperLook]:
        """The papers worth a word in a list: the licence always, certificates he has, the worst first."""
        shown = [one for one in self.papers if one.paper is not None or one.key == LICENCE]
        order = [str(standing) for standing in _WORST_FIRST]
        return sorted(shown, key=lambda one: order.index(one.standing) if one.standing in order else -1)


def everybody(console: Console) -> Sequence[PersonLook]:
    """All of the staff, those of now before those who left."""
    people = console.house.staff.register.people.values()
    found = sorted(people, key=lambda one: (not one.active, one.name.casefold()))
    return [look_at(console, one) for one in found]


def look_at(console: Console, person: Staff) -> PersonLook:
    house = console.house
    spell = house.duty.of(person.id)
    return PersonLook(
        person, papers_of(person, house.now_ms()), _sign_ins(console, person),
        _title(house, spell.table), spell.since_ms,
        person.is_locked(house.now_ms()), house.now_ms() < person.pin.code_until_ms,
    )  # fmt: skip


def _sign_ins(console: Console, person: Staff) -> Sequence[Viewer]:
    """By the record: of one that another process of the studio serves its station alone is known here."""
    here = [one for one in console.sessions.of(person.id) if one.station in person.stations]
    served = {one.station for one in here}
    elsewhere = sorted(person.stations - served)
    return [*here, *(Viewer("", "", person.id, person.name, frozenset(), 0, one) for one in elsewhere)]


def papers_of(person: Staff, now_ms: int) -> Sequence[PaperLook]:
    """The licence, then a certificate for each game there is."""
    today = day_of(now_ms)
    found = []
    for key in (LICENCE, *(game.key for game in GAMES)):
        paper = person.papers.get(key)
        title = "" if key == LICENCE else find_game(key).title
        standing = str(paper.standing(today)) if paper else "missing"
        found.append(PaperLook(key, title, standing, paper, paper.days_left(today) if paper else 0))
    return found


def _title(house: House, table: str) -> str:
    return house.view(table).title if table in house.tables else table
