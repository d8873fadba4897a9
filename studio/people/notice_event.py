"""What somebody says of what he was told of his own sign-in."""

from __future__ import annotations

import msgspec


class NoticeEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    id: str
    station: str = ""


class OwnNoticesSeen(NoticeEvent, frozen=True, kw_only=True, tag=True):
    """He has seen what happened to his sign-in up to that moment."""

    upto_ms: int


class SignInDisowned(NoticeEvent, frozen=True, kw_only=True, tag=True):
    """He says that it was not he; the pit hears of it until he has another PIN."""
