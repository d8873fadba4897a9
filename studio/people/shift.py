"""Shifts: who may open, close and acknowledge one, and what the events make of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from studio.errors import IllegalEventError, RefusedError
from studio.people.actor import Actor, need_fresh_pin, need_right
from studio.people.shift_event import AnyShiftEvent, OpenMatter, ShiftAcknowledged, ShiftClosed, ShiftOpened


@dataclass(frozen=True, slots=True)
class Shifts:
    """The open shift, if there is one, and the last closed one; `count` is how many were ever opened."""

    count: int = 0
    opened: ShiftOpened | None = None
    opened_seq: int = 0
    closed: ShiftClosed | None = None
    acknowledged: ShiftAcknowledged | None = None

    @property
    def owes_acknowledgement(self) -> bool:
        return self.closed is not None and self.acknowledged is None


def open_shift(shifts: Shifts, by: Actor, now_ms: int) -> ShiftOpened:
    """A pit boss begins a shift, once the note of the one before is read."""
    need_right(by, "keep_shift")
    if shifts.opened is not None:
        raise RefusedError("shift_open", f"{shifts.opened.by_name} opened a shift already. Close it first.")
    if shifts.owes_acknowledgement:
        raise RefusedError("shift_unread", "Read the hand-over note of the shift before and acknowledge it first.")
    return ShiftOpened(at_ms=now_ms, shift=f"shift-{shifts.count + 1:06d}", by=by.id, by_name=by.name)


def close_shift(
    shifts: Shifts, by: Actor, now_ms: int, *, words: str, matters: tuple[OpenMatter, ...] = (), shift: str = ""
) -> ShiftClosed:
    """A pit boss ends the shift and hands over in words; what is open is listed by the program. `shift`: the one he
    was shown as open.
    """
    need_right(by, "keep_shift")
    need_fresh_pin(by, now_ms)
    opened = shifts.opened
    if opened is None:
        raise RefusedError("no_shift", "No shift is open; open one first.")
    if shift and shift != opened.shift:
        raise RefusedError(
            "another_shift", f"This page showed another shift: {opened.by_name} has opened one since. Look at it anew.",
            name=opened.by_name,
        )  # fmt: skip
    if not words.strip():
        raise RefusedError("hand_over_missing", "Write a few words for the next pit boss: they are kept.")
    return ShiftClosed(
        at_ms=now_ms, shift=opened.shift, by=by.id, by_name=by.name, opened_at_ms=opened.at_ms,
        opened_seq=shifts.opened_seq, opened_by=opened.by, words=words.strip(), matters=matters,
    )  # fmt: skip


def acknowledge_shift(
    shifts: Shifts, by: Actor, now_ms: int, *, others_on_floor: int, shift: str = ""
) -> ShiftAcknowledged:
    """The next pit boss has read the note. Whoever wrote it may say so only where no other pit boss is signed in.

    `shift`: that of the note he was shown.
    """
    need_right(by, "keep_shift")
    closed = shifts.closed
    if closed is None or shifts.acknowledged is not None:
        raise RefusedError("nothing_to_acknowledge", "There is no hand-over note that nobody has acknowledged yet.")
    if shift and shift != closed.shift:
        raise RefusedError(
            "another_note", f"This page showed another note: {closed.by_name} has written one since. Read it first.",
            name=closed.by_name,
        )  # fmt: skip
    alone = closed.by == by.id
    if alone and others_on_floor:
        raise RefusedError("own_note", "Another pit boss is on the floor: let him read your note and acknowledge it.")
    return ShiftAcknowledged(at_ms=now_ms, shift=closed.shift, by=by.id, by_name=by.name, alone=alone)


def evolve_shifts(shifts: Shifts, event: AnyShiftEvent, seq: int) -> Shifts:
    """The shifts after the event, which stands at `seq` of the journal; never refuses."""
    match event:
        case ShiftOpened() if shifts.opened is None:
            return Shifts(shifts.count + 1, event, seq, shifts.closed, shifts.acknowledged)
        case ShiftClosed(shift=shift) if shifts.opened is not None and shifts.opened.shift == shift:
            return Shifts(shifts.count, closed=event)
        case ShiftAcknowledged(shift=shift) if shifts.closed is not None and shifts.closed.shift == shift:
            return replace(shifts, acknowledged=event)
    raise IllegalEventError(f"{type(event).__name__} of {event.shift} does not follow what is on record.")
