"""What somebody signed in asked for and may not have."""

from __future__ import annotations

import msgspec


class AccessRefused(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """`id` asked for pages or acts that are not his, so often since he was told of last; `door`: the last of them, as
    the house names it, never as it was typed.

    `why`: `role`, he has no right to it; `sender`, it came from a page that is not the house's own.
    """

    at_ms: int
    id: str
    door: str
    why: str
    count: int
    station: str = ""
    address: str = ""
