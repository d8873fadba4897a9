"""How facts of people are written in the journal and read back: `{"staff": …}`, `{"shift": …}`."""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from studio.errors import BadInputError
from studio.people.shift_event import AnyShiftEvent
from studio.people.staff_event import AnyStaffEvent

STAFF_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyStaffEvent))
"""The journal's kinds that concern the staff."""

SHIFT_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyShiftEvent))
"""The journal's kinds that concern shifts."""


CREDENTIAL_KINDS: Final = frozenset(
    kind.__name__ for kind in get_args(AnyStaffEvent) if "pin_hash" in kind.__struct_fields__
)
"""Those whose body carries the hash of a PIN."""


class _StaffRow(msgspec.Struct):
    staff: AnyStaffEvent


_STAFF: Final = msgspec.json.Decoder(_StaffRow)


class _ShiftRow(msgspec.Struct):
    shift: AnyShiftEvent


_SHIFT: Final = msgspec.json.Decoder(_ShiftRow)


def write_staff(event: AnyStaffEvent) -> bytes:
    return msgspec.json.encode(_StaffRow(event))


def read_staff(body: bytes) -> AnyStaffEvent:
    try:
        return _STAFF.decode(body).staff
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row cannot be read as a fact of the staff: {error}") from error


def without_credentials(body: str) -> str:
    """The text of such a body without the hash of the PIN; every other word of it stays."""
    row = msgspec.json.decode(body)
    return msgspec.json.encode(
        {"staff": {name: one for name, one in row["staff"].items() if name != "pin_hash"}}
    ).decode()


def write_shift(event: AnyShiftEvent) -> bytes:
    return msgspec.json.encode(_ShiftRow(event))


def read_shift(body: bytes) -> AnyShiftEvent:
    try:
        return _SHIFT.decode(body).shift
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row cannot be read as a fact of a shift: {error}") from error
