"""One connection to an operator's server: a request goes out, and its answer is gathered until it is whole.

    Exchange: a request, how long it has, and who hears the answer
    LineConnection: carries one exchange at a time, and says when it is free again

Both live on the one thread of their line (`line.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

import httptools

from dealer_ui.wallets.dialect import NoReply, Reply

ANSWER_BYTES_MAX: Final = 64 * 1024
ALL_BYTES_MAX: Final = 2 * ANSWER_BYTES_MAX
"""With its head: what reads it keeps a header for as long as it goes on."""
_FRAMED_BY: Final = (b"content-length", b"transfer-encoding")
_FINAL: Final = 200
"""Below it an HTTP status only announces the answer."""


class Exchange:
    """One POST, from the asking to what is heard. `until`: the loop's time at which it is over."""

    __slots__ = ("connection", "data", "heard", "over", "timer", "until")

    def __init__(self, data: bytes, until: float, heard: Callable[[Reply | NoReply], None]) -> None:
        self.data = data
        self.until = until
        self.heard = heard
        self.over = False
        self.timer: asyncio.TimerHandle | None = None
        self.connection: LineConnection | asyncio.Task[None] | None = None
        """What carries it, or will once it is open; None while it waits for a line."""

    def end(self, reply: Reply | NoReply) -> None:
        """The first end counts."""
        if not self.over:
            self.over = True
            if self.timer is not None:
                self.timer.cancel()
            self.heard(reply)


class _Lines(Protocol):
    """What a connection belongs to."""

    def free(self, connection: LineConnection) -> None: ...

    def lost(self, connection: LineConnection) -> None: ...


class LineConnection(asyncio.Protocol):
    """Calls from `httptools` come between `data_received` and its return, one for each part of the answer."""

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines
        self.is_made = False
        """Whether it was open at any time: then it says when it is lost."""
        self._exchange: Exchange | None = None

    def send(self, exchange: Exchange) -> None:
        self._exchange, exchange.connection = exchange, self
        self._parser = httptools.HttpResponseParser(self)
        self._body = bytearray()
        self._begun = self._came_bytes = 0
        self._has_head = self._is_framed = self._is_whole = False
        self._wrong = ""
        self._transport.write(exchange.data)

    def give_up(self) -> None:
        """Its time is over."""
        self._fail("the answer did not end in time" if self._has_head else "no answer in time")

    def close(self) -> None:
        self._transport.abort()

    # --- from the loop --------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.is_made = True

    def data_received(self, data: bytes) -> None:
        if self._exchange is None:  # nobody has asked: whatever came next would be taken for an answer
            self.close()
            return
        self._came_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._wrong = self._wrong or "the answer is no HTTP"
        except httptools.HttpParserUpgrade:
            self._wrong = "the answer is another protocol"
        if self._is_whole and not self._wrong:
            self._heard(may_go_on=self._begun == 1 and self._is_kept)
        elif self._wrong or len(self._body) > ANSWER_BYTES_MAX or self._came_bytes > ALL_BYTES_MAX:
            self._fail(self._wrong or "the answer is longer than any wallet's")

    def connection_lost(self, exc: Exception | None) -> None:
        if self._exchange is not None:
            if exc is None and self._has_head and not self._is_framed:  # it ends where the connection does
                self._heard(may_go_on=False)
            else:
                self._fail(type(exc).__name__ if exc else "the connection was closed before the answer was whole")
        self._lines.lost(self)

    # --- from the parser ------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if not self._is_whole:
            self._body.clear()
            self._has_head = self._is_framed = False
        self._begun += 1

    def on_header(self, name: bytes, value: bytes) -> None:
        kind = name.lower()
        self._is_framed = self._is_framed or kind in _FRAMED_BY
        if kind == b"content-encoding" and value.lower() != b"identity":
            self._wrong = "the answer is packed, and the request asks for none that is"

    def on_headers_complete(self) -> None:
        self._has_head = True

    def on_body(self, body: bytes) -> None:
        if not self._is_whole:
            self._body += body

    def on_message_complete(self) -> None:
        if self._parser.get_status_code() < _FINAL:
            self._begun -= 1
        elif not self._is_whole:
            self._is_whole, self._is_kept = True, self._parser.should_keep_alive()

    # --- the end --------------------------------------------------------------------------------------

    def _heard(self, *, may_go_on: bool) -> None:
        exchange, self._exchange = self._exchange, None
        assert exchange is not None
        reply = Reply(self._parser.get_status_code(), bytes(self._body))
        if may_go_on:
            self._lines.free(self)
        else:
            self.close()
        exchange.end(reply)

    def _fail(self, why: str) -> None:
        exchange, self._exchange = self._exchange, None
        self.close()
        if exchange is not None:
            exchange.end(NoReply(why))
