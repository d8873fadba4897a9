"""What can happen to a shift of the floor: opened, closed with a hand-over note, acknowledged.

Journal rows `{"shift": {"kind": …}}`; the row's kind is the event's name. A shift spans the rows from its
`ShiftOpened` (whose place in the journal the `ShiftClosed` repeats as `opened_seq`) to its `ShiftClosed`, and the time
from `opened_at_ms` to `at_ms`. One shift is open at a time, for the whole floor; between two there may be none.
"""

from __future__ import annotations

import msgspec


class OpenMatter(msgspec.Struct, frozen=True, kw_only=True):
    """What the program hands over by itself, as the floor stood then.

    `what`: incident ruling held case correction paying unsealing call relief device blind no_dealer complaint message
    unseen alarm. `id` is that of the incident, the complaint, the message or the alarm, or the round; `kind` a key that
    says more (the incident's, the bet of a case, the device, why a camera is blind, the alarm's); `about` whom or what
    it concerns. `table` is empty where it is of no table.
    """

    table: str
    what: str
    id: str = ""
    kind: str = ""
    since_ms: int = 0
    about: str = ""


class ShiftEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """`shift` names the shift: `shift-000012`. `by` is a pit boss's id, `by_name` his name that day."""

    at_ms: int
    shift: str
    by: str
    by_name: str


class ShiftOpened(ShiftEvent, frozen=True, kw_only=True, tag=True):
    pass


class ShiftClosed(ShiftEvent, frozen=True, kw_only=True, tag=True):
    """The end of a shift. `words` are the person's note to the next, `matters` what the program found open."""

    opened_at_ms: int
    opened_seq: int
    opened_by: str
    words: str
    matters: tuple[OpenMatter, ...] = ()


class ShiftAcknowledged(ShiftEvent, frozen=True, kw_only=True, tag=True):
    """The note of the last closed shift was read; `alone` when its own writer read it because nobody else was there."""

    alone: bool = False


AnyShiftEvent = ShiftOpened | ShiftClosed | ShiftAcknowledged
"""Every event of shifts; the closed union the journal decodes."""
