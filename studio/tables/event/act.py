"""What is told of an act whose own events do not say who did it."""

from __future__ import annotations

import msgspec


class PersonActed(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """Somebody who is not the table's dealer did this: `act` is the command's name, as in `StartRound`."""

    act: str
    by: str
    by_name: str
