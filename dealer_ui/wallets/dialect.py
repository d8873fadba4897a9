"""What a dialect does: it writes a call, and reads the answer; and what a line sends and brings back. No I/O.

An answer that cannot be parsed, or that answers another question, is `temporary`: the outcome is unknown. An HTTP
status alone is never believed: a 200 may carry an error, and a proxy's 500 may hide a wallet's yes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec

from studio.wallets.answer import Said, Word
from studio.wallets.call import Call, kind_of

MOST: Final = 2**63 - 1


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


def said_nothing(reply: NoReply) -> Said:
    return Said(word=Word.TEMPORARY if reply.sent else Word.UNSENT, detail=reply.why)


def decoded(body: bytes) -> dict[str, Any] | None:
    """The JSON object of an answer; None where it is none."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return found if isinstance(found, dict) else None


def whole(value: Any) -> int | None:
    """A JSON integer of 64 bits at most, and neither a truth value nor a number with a point: nobody counts with a
    longer one.
    """
    return value if isinstance(value, int) and not isinstance(value, bool) and -MOST <= value <= MOST else None


class Reply(msgspec.Struct, frozen=True):
    status: int
    body: bytes


class NoReply(msgspec.Struct, frozen=True):
    """`sent` is False where it is certain that not a byte has left."""

    why: str
    sent: bool = True


class Sending(Protocol):
    """`dealer_ui.wallets.line.WalletLine` is one. `heard` is called once, when `wait_s` is over at the latest."""

    def send(self, request: Request, wait_s: float, heard: Callable[[Reply | NoReply], None]) -> None: ...

    def close(self) -> None: ...


class HttpWallet:
    """One operator's wallet. `new_attempt` gives an id to every sending. See `studio.wallets.port.Wallet`."""

    def __init__(self, dialect: Dialect, line: Sending, new_attempt: Callable[[], str]) -> None:
        self._dialect = dialect
        self._line = line
        self._new_attempt = new_attempt

    def ask(self, call: Call, wait_s: float, heard: Callable[[Said], None]) -> None:
        attempt = self._new_attempt()
        request = self._dialect.write(call, attempt)
        if request is None:
            heard(Said(word=Word.FATAL, detail=f"This dialect has no {kind_of(call)}."))
            return

        def read(reply: Reply | NoReply) -> None:
            if isinstance(reply, NoReply):
                heard(said_nothing(reply))
            else:
                heard(self._dialect.read(call, attempt, reply.status, reply.body))

        self._line.send(request, wait_s, read)

    def close(self) -> None:
        self._line.close()
