"""What happens to a table's pay table."""

from __future__ import annotations

import msgspec

from studio.tables.event.situation import AnySituation


class PayTableAllowed(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """An administrator lets the table deal although its pay table is in trouble (`why`: the key of the refusal)."""

    by: str
    by_name: str
    why: str
    said: AnySituation
    reason_code: str
    words: str
