"""What a change of a table's game and limits leaves in the record beside the new configuration."""

from __future__ import annotations

import msgspec

from studio.tables.event.situation import AnySituation


class TableChanged(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """`preset`: the name of what was chosen, empty for the table's own configuration."""

    by: str
    by_name: str
    preset: str
    game: str
    reason_code: str
    words: str
    before: AnySituation
    after: AnySituation
