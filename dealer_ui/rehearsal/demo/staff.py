"""The demo's people: who they are, and that what is printed of them at start opens the door."""

from __future__ import annotations

from functools import partial
from typing import Final

from dealer_ui.desk.staff import FIRST, StaffDesk
from studio.people import Pin, change_pin
from studio.people.choosing_pin import choose_pin
from studio.people.staff import StaffRegister
from studio.people.staff_event import StaffPinChanged
from studio.people.staffing import NewStaff

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
        if person is not None and not desk.hasher.matches(person.pin_hash, opens):
            desk.change(partial(_printed, id, opens, desk))


def _printed(id: str, pin: Pin, desk: StaffDesk, register: StaffRegister, now_ms: int) -> StaffPinChanged:
    return change_pin(register, id, pin, by=FIRST, now_ms=now_ms, hasher=desk.hasher)
