"""The names of people as reports show them, from the register of staff in the journal."""

from __future__ import annotations

from typing import Final

import msgspec

from studio.journal import Reader


class _Person(msgspec.Struct):
    id: str
    name: str


class _Added(msgspec.Struct):
    staff: _Person


_DECODER: Final = msgspec.json.Decoder(_Added)


def names_of_staff(reader: Reader) -> dict[str, str]:
    """By their ids; reads the whole journal, so whoever has the register should rather ask it."""
    found = (_DECODER.decode(row.body).staff for row in reader.events(kinds=("StaffAdded",)))
    return {person.id: person.name for person in found}
