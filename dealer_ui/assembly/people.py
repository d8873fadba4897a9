"""Brings back what the journal holds of people, and has those hear of changes who must.

A dealer who is barred or leaves the staff is stood down at the table he deals at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import structlog

from dealer_ui.desk.duty import DUTY_KINDS
from dealer_ui.floor.floor import Floor
from studio.errors import RefusedError
from studio.journal import Reader
from studio.people import Actor, AnyStaffEvent, Role
from studio.people.staff_event import StaffBarred, StaffRetired, StaffRolesChanged
from studio.tables.command import StandDown
from studio.tables.declaration import Command
from studio.views import TableView


def bring_people(floor: Floor, reader: Reader, *, signs_out: bool = True) -> None:
    """What the books of the desks hold, and who deals where, as they were; before any table runs."""
    staff = floor.staff
    floor.desks.restore(signs_out=signs_out)
    floor.duty.restore(reader.events(kinds=DUTY_KINDS))

    def name_of(id: str) -> str:
        found = staff.register.people.get(id)
        return found.name if found else id

    staff.listeners += [floor.duty.hear, StandingDown(floor, name_of).hear]


_LOG: Final = structlog.get_logger("dealer_ui.assembly.people")
_WHY: Final[Mapping[type, str]] = {StaffBarred: "barred", StaffRetired: "retired", StaffRolesChanged: "roles"}


class Tables(Protocol):
    """The floor, as far as it is needed here."""

    @property
    def tables(self) -> tuple[str, ...]: ...

    def view(self, table: str) -> TableView: ...

    def command(self, table: str, command: Command) -> int: ...


class StandingDown:
    """Hears what becomes of people, and stands them down where they deal.

    What cannot be kept just now is told in the log; no round starts under such a dealer all the same.
    """

    def __init__(self, tables: Tables, name_of: Callable[[str], str]) -> None:
        self._tables = tables
        self._name_of = name_of

    def hear(self, event: AnyStaffEvent) -> None:
        if not isinstance(event, StaffBarred | StaffRetired | StaffRolesChanged):
            return
        if isinstance(event, StaffRolesChanged) and Role.DEALER in event.roles:
            return
        for table in self._tables.tables:
            if self._tables.view(table).seat.dealer == event.id:
                self._stand_down(table, event.id, _WHY[type(event)], event.by)

    def _stand_down(self, table: str, dealer: str, why: str, by: str) -> None:
        actor = Actor(by, self._name_of(by), frozenset({str(Role.ADMIN)}))
        try:
            self._tables.command(table, StandDown(actor=actor, dealer=dealer, why=why))
        except RefusedError as error:
            _LOG.error("a dealer could not be stood down", table=table, dealer=dealer, why=error.sentence)
