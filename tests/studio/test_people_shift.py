"""Shifts: one at a time, handed over in words, acknowledged by the next."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from studio.errors import BadInputError, IllegalEventError, RefusedError
from studio.people import Actor
from studio.people.record import read_shift, write_shift
from studio.people.shift import Shifts, acknowledge_shift, close_shift, evolve_shifts, open_shift
from studio.people.shift_event import AnyShiftEvent, OpenMatter, ShiftAcknowledged, ShiftClosed, ShiftOpened

MADE = Actor("p1", "Made", frozenset({"pit_boss"}))
YUKI = Actor("p2", "Yuki", frozenset({"pit_boss"}))
DEWI = Actor("d1", "Dewi", frozenset({"dealer"}))


@dataclass
class Floor:
    shifts: Shifts = field(default_factory=Shifts)
    seq: int = 10
    now_ms: int = 1_000

    def keep(self, event: AnyShiftEvent) -> None:
        self.seq += 5
        self.shifts = evolve_shifts(self.shifts, read_shift(write_shift(event)), self.seq)

    def open(self, by: Actor = MADE) -> None:
        self.keep(open_shift(self.shifts, by, self.now_ms))

    def close(self, by: Actor = MADE, words: str = "quiet", *, pin: bool = True) -> None:
        by = by.with_pin(self.now_ms) if pin else by
        matters = (OpenMatter(table="t1", what="incident", id="i1", kind="dropped_card", since_ms=5),)
        self.keep(close_shift(self.shifts, by, self.now_ms, words=words, matters=matters))

    def acknowledge(self, by: Actor = YUKI, others: int = 0) -> None:
        self.keep(acknowledge_shift(self.shifts, by, self.now_ms, others_on_floor=others))


def refused(act: object, *given: object, **named: object) -> str:
    with pytest.raises(RefusedError) as error:
        act(*given, **named)  # type: ignore[operator]
    return error.value.key


def test_a_shift_is_opened_closed_with_its_span_and_acknowledged_by_the_next() -> None:
    floor = Floor()
    floor.open()
    floor.now_ms = 9_000
    floor.close(words="  cable of table 2 is loose ")
    closed = floor.shifts.closed
    assert closed is not None
    assert (closed.shift, closed.opened_at_ms, closed.at_ms) == ("shift-000001", 1_000, 9_000)
    assert (closed.opened_seq, closed.opened_by, closed.words) == (15, "p1", "cable of table 2 is loose")
    assert closed.matters[0].kind == "dropped_card"
    assert floor.shifts.owes_acknowledgement
    floor.acknowledge()
    assert not floor.shifts.owes_acknowledgement
    floor.open(YUKI)
    assert floor.shifts.opened is not None
    assert floor.shifts.opened.shift == "shift-000002"


def test_what_is_out_of_turn_is_refused() -> None:
    floor = Floor()
    assert refused(floor.close) == "no_shift"
    assert refused(floor.acknowledge) == "nothing_to_acknowledge"
    assert refused(floor.open, DEWI) == "not_allowed"
    floor.open()
    assert refused(floor.open, YUKI) == "shift_open"
    assert refused(floor.close, words=" ") == "hand_over_missing"
    assert refused(floor.close, pin=False) == "pin_needed"
    floor.close()
    assert refused(floor.open, YUKI) == "shift_unread"
    assert refused(floor.acknowledge, DEWI) == "not_allowed"
    floor.acknowledge()
    assert refused(floor.acknowledge) == "nothing_to_acknowledge"


def test_whoever_wrote_the_note_acknowledges_it_only_where_he_is_alone() -> None:
    floor = Floor()
    floor.open()
    floor.close()
    assert refused(floor.acknowledge, MADE, 1) == "own_note"
    floor.acknowledge(MADE, 0)
    assert floor.shifts.acknowledged is not None
    assert floor.shifts.acknowledged.alone


@pytest.mark.parametrize(
    "event",
    [
        ShiftClosed(
            at_ms=1, shift="shift-000009", by="p", by_name="P", opened_at_ms=0, opened_seq=1, opened_by="p", words="w"
        ),
        ShiftAcknowledged(at_ms=1, shift="shift-000009", by="p", by_name="P"),
    ],
)
def test_a_row_that_does_not_follow_is_an_illegal_event(event: AnyShiftEvent) -> None:
    with pytest.raises(IllegalEventError):
        evolve_shifts(Shifts(), event, 1)
    opened = evolve_shifts(Shifts(), ShiftOpened(at_ms=1, shift="shift-000001", by="p", by_name="P"), 1)
    with pytest.raises(IllegalEventError):
        evolve_shifts(opened, event, 2)


def test_a_body_that_is_no_shift_is_refused() -> None:
    with pytest.raises(BadInputError):
        read_shift(b'{"shift": {"kind": "ShiftSold"}}')
