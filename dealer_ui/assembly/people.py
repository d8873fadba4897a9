"""Brings back what the journal holds of people, and puts together who hears of them."""

from __future__ import annotations

from dealer_ui.desk.duty import DUTY_KINDS
from dealer_ui.desk.standing_down import StandingDown
from dealer_ui.floor.floor import Floor
from studio.journal import Reader
from studio.operators import OPERATOR_KINDS
from studio.people import SHIFT_KINDS, STAFF_KINDS


def bring_people(floor: Floor, reader: Reader) -> None:
    """Staff, shifts and duty as they were; before any table runs."""
    staff = floor.staff
    staff.restore(reader.events(kinds=STAFF_KINDS))
    floor.shifts.restore(reader.events(kinds=SHIFT_KINDS))
    floor.operator_desk.restore(reader.events(kinds=OPERATOR_KINDS))
    floor.duty.restore(reader.events(kinds=DUTY_KINDS))

    def name_of(id: str) -> str:
        found = staff.register.people.get(id)
        return found.name if found else id

    staff.listeners += [floor.duty.hear, StandingDown(floor, name_of).hear]
