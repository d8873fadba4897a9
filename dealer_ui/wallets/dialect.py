"""What a dialect is: how a call is written, and how an answer is read. No I/O.

What cannot be parsed, or answers another question than was asked, is `temporary`: its outcome is unknown. An HTTP
status alone is never believed: a 200 may carry an error, and a proxy's 500 may stand before a wallet that said yes.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from studio.wallets.answer import Said, Word
from studio.wallets.call import Call


class Request(msgspec.Struct, frozen=True):
    """What goes out: POSTed below the wallet's address, byte for byte, for the signature is over these bytes."""

    path: str
    body: bytes
    headers: tuple[tuple[str, str], ...]


class Dialect(Protocol):
    """`attempt` is an id of this sending; the same call sent again has another. None: the dialect has no such call."""

    def write(self, call: Call, attempt: str) -> Request | None: ...

    def read(self, call: Call, attempt: str, status: int, body: bytes) -> Said: ...


def unclear(detail: str) -> Said:
    return Said(word=Word.TEMPORARY, detail=detail)


def decoded(body: bytes) -> dict[str, Any] | None:
    """The JSON object of an answer; None where it is none."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return found if isinstance(found, dict) else None


def whole(value: Any) -> int | None:
    """A JSON integer, and neither a truth value nor a number with a point."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
