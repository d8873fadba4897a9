"""TLS spoken by the studio itself, before the web server: Waitress knows none.

A connection that was accepted is split: the browser's end is decrypted here, on one thread with an event loop, and the
web server gets one end of a pair of sockets, with the browser's address, as if it had come plain. So limits, lanes and
streams are those of a plain connection, and nothing of a request is read or written here. Each connection costs three
open files and about 0.4 MB.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog

from dealer_ui.config.server import TlsSection
from studio.errors import BadInputError
from studio.proof.machine.served_certificate import SOON, ServedCertificate, read_served_certificate

_LOG: Final = structlog.get_logger("dealer_ui.serving.tls")
FILES_EACH: Final = 3
"""Open files that a connection takes: the browser's end, and both ends of the pair."""
CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""Of TLS 1.2: forward secret and authenticated. Those of TLS 1.3 all are."""
HANDSHAKE_S: Final = 10.0
GOODBYE_S: Final = 20.0
"""So long a browser may take over the last bytes."""
VANISHED_MS: Final = 20_000
PIECE_BYTES: Final = 32 * 1024
LOOK_S: Final = 30.0
END_S: Final = 2.0

Today = Callable[[], datetime]
"""The world's clock, which browsers hold a certificate against too."""


def _now() -> datetime:
    return datetime.now(UTC)


class ServedTls:
    """A certificate and its key, as they lie in their files; a renewed pair is taken without a stop.

    `BadInputError` at once where the pair cannot be used. `now` is the world's clock.
    """

    def __init__(self, certificate: Path, key: Path, name: str = "", now: Today = _now) -> None:
        self._certificate, self._key, self._name, self._now = certificate, key, name, now
        self._lock = threading.Lock()
        self._stamp = self._stamped()
        self.context, self.served = self._load()
        self._warned_days = -1
        self._told = ""
        """Why it was not renewed, as it was told last."""

    def renew(self) -> str:
        """Read both files again, where they changed; says what counts now. `BadInputError`: the old pair still does."""
        with self._lock:
            stamp = self._stamped()
            if stamp != self._stamp:
                self.context, self.served = self._load()
                self._stamp = stamp  # what could not be used is tried again: its rights, or the day, may change
                return f"A renewed certificate counts from now on, good until {self.served.until:%Y-%m-%d}."
        return ""

    def watch(self, stopping: threading.Event) -> None:
        """Take renewed files until the studio stops, and warn of the end of what is there, once a day."""
        while not stopping.wait(LOOK_S):
            self.look()

    def look(self) -> None:
        try:
            if said := self.renew():
                _LOG.warning(said)
            self._told = ""
        except BadInputError as error:
            if self._told != (told := str(error)):
                self._told = told
                _LOG.error(f"The certificate was not renewed, the one before counts still: {told}")
        now = self._now()
        days = self.served.days_left(now)
        if self.served.until - now < SOON and days != self._warned_days:
            self._warned_days = days
            _LOG.warning("the certificate has to be renewed", days_left=days, until=f"{self.served.until:%Y-%m-%d}")

    def _load(self) -> tuple[ssl.SSLContext, ServedCertificate]:
        served = read_served_certificate(self._certificate, self._key, self._now(), self._name)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers(CIPHERS)
        context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(self._certificate, self._key)
        except (ssl.SSLError, OSError) as error:
            sentence = "The certificate and its key cannot be used together: have both made anew."
            raise BadInputError(sentence, where=str(self._certificate)) from error
        return context, served

    def _stamped(self) -> tuple[object, ...]:
        with contextlib.suppress(OSError):
            found = [path.stat() for path in (self._certificate, self._key)]
            return tuple((one.st_mtime_ns, one.st_size, one.st_ino) for one in found)
        return ()


def tls_of(section: TlsSection | None) -> ServedTls | None:
    """What this part of the configuration wants; `BadInputError` where its files cannot be used."""
    return ServedTls(Path(section.certificate), Path(section.key), section.name) if section else None


class TlsFront:
    """The thread on which browsers' connections are decrypted and encrypted. `take` from any thread."""

    def __init__(self, tls: ServedTls) -> None:
        self._tls = tls
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_say)
        self._carried: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name="tls", daemon=True)
        self._thread.start()

    def take(self, come: socket.socket) -> socket.socket:
        """The plain end of a connection that was just accepted; the front closes `come`. `OSError` without files."""
        ours, plain = socket.socketpair()
        try:
            self._loop.call_soon_threadsafe(self._begin, come, ours)
        except RuntimeError:  # it is over
            for one in (come, ours):
                one.close()
        return plain

    def close(self) -> None:
        """Drop every connection, and end the thread."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(END_S)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._drop_all())
        finally:
            self._loop.close()

    async def _drop_all(self) -> None:
        for task in self._carried:
            task.cancel()
        await asyncio.gather(*self._carried, return_exceptions=True)
        for _ in range(3):
            await asyncio.sleep(0)  # what was aborted is closed at the loop's next turns

    def _begin(self, come: socket.socket, ours: socket.socket) -> None:
        task = self._loop.create_task(self._carry(come, ours))
        self._carried.add(task)
        task.add_done_callback(self._carried.discard)

    async def _carry(self, come: socket.socket, ours: socket.socket) -> None:
        """One connection from its handshake to its end. Whoever breaks it, it is over for both."""
        try:
            for one in (come, ours):
                one.setblocking(False)
            come.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED_MS)
            from_server, to_server = await asyncio.open_connection(sock=ours)
        except OSError:
            for one in (come, ours):
                one.close()
            return
        try:
            await self._talk(come, from_server, to_server)
        except OSError:  # what TLS makes of a bad handshake is one too
            pass
        finally:
            to_server.transport.abort()

    async def _talk(
        self, come: socket.socket, from_server: asyncio.StreamReader, to_server: asyncio.StreamWriter
    ) -> None:
        reader = asyncio.StreamReader(loop=self._loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=self._loop)
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol, come, ssl=self._tls.context, ssl_handshake_timeout=HANDSHAKE_S,
            ssl_shutdown_timeout=GOODBYE_S,
        )  # fmt: skip
        writer = asyncio.StreamWriter(transport, protocol, reader, self._loop)
        ways = [
            self._loop.create_task(_pass_on(reader, to_server)),
            self._loop.create_task(_pass_on(from_server, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            writer.close()
            await writer.wait_closed()
        finally:
            transport.abort()
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)


async def _pass_on(read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
    """Bytes from one end to the other, no faster than they are taken."""
    while piece := await read.read(PIECE_BYTES):
        write.write(piece)
        await write.drain()


def _say(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """What breaks off is everyday; our own mistake is for the log."""
    error = context.get("exception")
    if isinstance(error, Exception) and not isinstance(error, OSError):
        _LOG.error("a connection broke at the TLS front", exc_info=error)
