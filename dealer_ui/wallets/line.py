"""The line to an operator, over HTTP: one POST, one deadline, no second try, no redirect.

Whatever happens is told as a value: a whole reply, or a sentence that says why there is none. A second try would be
a second call, and only the keeper of the record of calls may decide on that.

    any thread ── send ──► the line's one thread: waiting ──► a free connection, or a new one ──► heard
"""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

from dealer_ui.wallets.connection import Exchange, LineConnection
from dealer_ui.wallets.dialect import NoReply, Reply, Request
from studio.errors import BadInputError

LINES: Final = 16
"""So many calls to one operator are under way at most; the next waits, within its deadline."""
CLOSED: Final = NoReply("the line is closed", sent=False)
NO_LINE: Final = NoReply("no line was free", sent=False)


class WalletLine:
    """The connections to one operator's wallet, kept open between calls. Any thread may send, and none waits."""

    def __init__(self, address: str, *, lines: int = LINES) -> None:
        self._place = _place(address.rstrip("/"))
        self._lines = lines
        self._lock = threading.Lock()
        self._asked: list[Exchange] = []
        self._board: _Switchboard | None = None
        self._closed = False

    def send(self, request: Request, wait_s: float, heard: Callable[[Reply | NoReply], None]) -> None:
        """Have it sent. `heard` is called once, on the line's thread, when `wait_s` is over at the latest."""
        exchange = Exchange(self._place.written(request), time.monotonic() + wait_s, heard)
        with self._lock:
            closed, first = self._closed, not self._asked
            if not closed:
                self._asked.append(exchange)
                self._board = self._board or _begun(self._place, self._lines)
        if closed:
            heard(CLOSED)
        elif first:
            assert self._board is not None
            self._board.loop.call_soon_threadsafe(self._hand_over)

    def reply(self, request: Request, wait_s: float) -> Reply | NoReply:
        """Send it and wait for what is heard."""
        found: Future[Reply | NoReply] = Future()
        self.send(request, wait_s, found.set_result)
        return found.result()

    def close(self) -> None:
        """Nothing more goes out; what is under way ends by its own deadline."""
        with self._lock:
            if self._board is not None and not self._closed:
                self._board.loop.call_soon_threadsafe(self._board.close)
            self._closed = True

    def _hand_over(self) -> None:
        """All that has gathered."""
        with self._lock:
            asked, self._asked = self._asked, []
        assert self._board is not None
        for exchange in asked:
            self._board.begin(exchange)


class _Place(NamedTuple):
    """Where an operator is asked."""

    host: str
    port: int
    root: str
    name: str
    tls: ssl.SSLContext | None

    def written(self, request: Request) -> bytes:
        """POSTed below the address; at the address itself where there is no path."""
        path = f"{self.root}/{request.path}" if request.path else self.root or "/"
        lines = [f"POST {path} HTTP/1.1", f"Host: {self.name}", "Accept-Encoding: identity"]
        lines += [f"Content-Length: {len(request.body)}", *(f"{name}: {value}" for name, value in request.headers)]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + request.body


def _place(address: str) -> _Place:
    wrong = BadInputError(f"'{address}' is no address of a wallet: write it as in https://wallet.example/v1.")
    try:
        found = urlsplit(address)
        port, host = found.port, (found.hostname or "").encode("idna").decode()
    except ValueError:
        raise wrong from None
    if found.scheme not in ("http", "https") or not host or found.query or found.fragment or "@" in found.netloc:
        raise wrong
    tls = ssl.create_default_context() if found.scheme == "https" else None
    shown = f"[{host}]" if ":" in host else host
    name = shown if port is None else f"{shown}:{port}"
    return _Place(host, port or (443 if tls else 80), quote(found.path, safe="/%:@!$&'()*+,;=~"), name, tls)


class _Switchboard:
    """The connections of a line. On the line's thread alone."""

    def __init__(self, place: _Place, lines: int, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._place = place
        self._lines = lines
        self._open = 0
        self._free: list[LineConnection] = []
        self._waiting: deque[Exchange] = deque()
        self._closing = False

    def begin(self, exchange: Exchange) -> None:
        exchange.timer = self.loop.call_at(exchange.until, self._expire, exchange)
        self._waiting.append(exchange)
        self._go_on()

    def free(self, connection: LineConnection) -> None:
        self._free.append(connection)
        self._go_on()

    def lost(self, connection: LineConnection) -> None:
        if connection in self._free:
            self._free.remove(connection)
        self._open -= 1
        self._go_on()

    def close(self) -> None:
        self._closing = True
        self._go_on()

    def _go_on(self) -> None:
        """Whoever waits goes out, as far as there are lines; of a line that closes, nobody, and it ends with the
        last."""
        while self._closing and self._waiting:
            self._waiting.popleft().end(CLOSED)
        while self._closing and self._free:
            self._free.pop().close()
        if self._closing and not self._open:
            self.loop.stop()
        while self._waiting and (self._free or self._open < self._lines):
            exchange = self._waiting.popleft()
            if exchange.over:
                continue
            if self._free:
                self._free.pop().send(exchange)
            else:
                self._open += 1
                exchange.connection = self.loop.create_task(self._connect(exchange))

    async def _connect(self, exchange: Exchange) -> None:
        """A connection that was made, and lost before anybody learned of it, says so itself."""
        place, connection = self._place, LineConnection(self)
        try:
            await self.loop.create_connection(lambda: connection, place.host, place.port, ssl=place.tls)
        except (OSError, ValueError) as error:
            exchange.end(NoReply(type(error).__name__))
        except asyncio.CancelledError:
            exchange.end(NoReply("nobody answered in time"))
        else:
            connection.send(exchange)
            return
        if not connection.is_made:
            self._open -= 1
        self._go_on()

    def _expire(self, exchange: Exchange) -> None:
        match exchange.connection:
            case LineConnection() as connection:
                connection.give_up()
            case asyncio.Task() as connecting:
                connecting.cancel()
            case None:
                exchange.end(NO_LINE)


def _begun(place: _Place, lines: int) -> _Switchboard:
    """A switchboard on a thread of its own, which ends when it is closed."""
    loop = asyncio.new_event_loop()

    def run() -> None:
        try:
            loop.run_forever()
        finally:
            loop.close()

    threading.Thread(target=run, name=f"line {place.name}", daemon=True).start()
    return _Switchboard(place, lines, loop)
