"""What the demo prints of its people opens the door, also in a demo that was begun by an older program."""

from __future__ import annotations

from typing import Final

from dealer_ui.desk.staff import StaffDesk
from dealer_ui.rehearsal.demo.staff import STAFF, seat_staff
from studio.people import Argon2PinHasher, Pin
from studio.people.choosing_pin import weakness
from studio.people.staffing import NewStaff

CHEAP: Final = Argon2PinHasher(cost=1, memory_kib=8)


def test_the_printed_pins_may_be_chosen() -> None:
    assert [weakness(pin, badge=badge, roles=[role]) for _, badge, pin, _, role in STAFF] == [None] * len(STAFF)


def test_a_demo_begun_with_other_pins_opens_to_the_printed_ones_and_only_once_is_that_kept() -> None:
    kept = []
    desk = StaffDesk(lambda unit: kept.append(unit) or 0, lambda: 1, CHEAP)  # type: ignore[func-returns-value]
    for id, badge, _, name, role in STAFF:
        desk.add(NewStaff(id, badge, name, (role,), Pin("1111")))
    before = len(kept)
    for _ in range(2):
        seat_staff(desk)
    assert len(kept) - before == len(STAFF)
    for _, badge, pin, name, _ in STAFF:
        assert desk.sign_in(badge, pin, 1).name == name
