"""What a table brings along from an archive: where its numbers go on."""

from __future__ import annotations

import msgspec


class TableCarried(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """The first fact of a table in a database that follows an archive. Numbers go on; the deck is verified anew."""

    rounds: int
    shoes: int
    incidents: int
