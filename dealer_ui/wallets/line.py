"""The line to an operator, over HTTP: one POST, one deadline, no second try, no redirect.

Whatever happens is a value: a reply that came whole, or a sentence why there is none. A try more would be a second
call, and only who keeps the record of calls may decide that.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

import urllib3
from urllib3.exceptions import HTTPError, LocationParseError

from dealer_ui.wallets.dialect import Request
from dealer_ui.wallets.reply import NoReply, Reply
from studio.errors import BadInputError

ANSWER_BYTES_MAX: Final = 64 * 1024
LINES: Final = 16
"""So many calls to one operator are under way at most; the next waits, within its deadline."""


class Line:
    """The connections to one operator's wallet, kept open between calls. Any thread may send."""

    def __init__(self, address: str, *, lines: int = LINES, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._free = threading.BoundedSemaphore(lines)
        self._address = address.rstrip("/")
        try:
            found = urllib3.util.parse_url(self._address)
            if found.scheme not in ("http", "https") or not found.host or found.query or found.auth:
                raise BadInputError(f"'{address}' is no address of a wallet: write it as in https://wallet.example/v1.")
            self._pool = urllib3.connectionpool.connection_from_url(self._address, maxsize=lines)
        except LocationParseError:
            raise BadInputError(f"'{address}' is no address: write it as in https://wallet.example/v1.") from None
        self._root = found.path or ""

    def send(self, request: Request, wait_s: float) -> Reply | NoReply:
        """The whole answer, or why there is none; within `wait_s`, as far as the system's clock of a socket goes."""
        until = self._monotonic() + wait_s
        if not self._free.acquire(timeout=wait_s):
            return NoReply("no line was free")
        try:
            return self._post(request, until)
        except (HTTPError, OSError, ValueError) as error:
            return NoReply(type(error).__name__)
        finally:
            self._free.release()

    def _post(self, request: Request, until: float) -> Reply | NoReply:
        left_s = until - self._monotonic()
        if left_s <= 0:
            return NoReply("no time was left")
        answer = self._pool.urlopen(
            "POST", f"{self._root}/{request.path}", body=request.body, headers=dict(request.headers),
            retries=False, redirect=False, preload_content=False, timeout=urllib3.Timeout(total=left_s),
        )  # fmt: skip
        try:
            return self._read(answer, until)
        finally:
            answer.release_conn()

    def _read(self, answer: urllib3.BaseHTTPResponse, until: float) -> Reply | NoReply:
        """The body piece by piece, for one that drips would outlast any wait between two bytes."""
        body = bytearray()
        while piece := answer.read1(ANSWER_BYTES_MAX):
            body += piece
            if len(body) > ANSWER_BYTES_MAX:
                answer.close()
                return NoReply("the answer is longer than any wallet's")
            if self._monotonic() > until:
                answer.close()
                return NoReply("the answer did not end in time")
        return Reply(answer.status, bytes(body))

    def close(self) -> None:
        self._pool.close()
