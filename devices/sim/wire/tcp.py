"""Puts a simulated device behind a TCP port, as a serial device server does."""

from __future__ import annotations

import select
import socket
import ssl
from typing import Final

from devices.wire import Wire
from studio.errors import BadInputError

CHUNK_BYTES: Final = 4096
_NOT_NOW: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class TcpPort:
    """The host's end of a wire, laid on a port of this machine. Pumped by its caller, one thread.

    One host has the line, the one that connected last: the one before is hung up, as by a device server that is told to
    let an old user go. With nobody connected, what the machine sends is lost. The wire unplugged: whoever is connected
    is hung up, and so is whoever comes until it is plugged in. With `tls` it is reached by TLS alone.
    """

    def __init__(self, wire: Wire, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        """Port 0 takes any free one; `BadInputError` where it cannot be had."""
        self._wire = wire
        self._tls = tls
        self._host: socket.socket | None = None
        self.taken = 0
        """How often a host took the line."""
        try:
            self._server = socket.create_server(("127.0.0.1", port))
        except OSError as error:
            sentence = f"No device can answer at port {port}: {error.strerror}. Stop what has it, or name another."
            raise BadInputError(sentence) from error
        self._server.setblocking(False)

    @property
    def url(self) -> str:
        return f"{'tls' if self._tls else 'socket'}://127.0.0.1:{self._server.getsockname()[1]}"

    @property
    def connected(self) -> bool:
        return self._host is not None

    def pump(self, wait_s: float) -> None:
        """Carry bytes both ways; waits up to `wait_s` for some from the host, or for a host."""
        self._let_in()
        self._to_host()
        if not self._wire.plugged:
            self.hang_up()
        waiting = select.poll()  # select itself knows no file above the 1,023rd
        for line in (self._server, self._host):
            if line is not None:
                waiting.register(line, select.POLLIN)
        come = {number for number, _ in waiting.poll(wait_s * 1000)}
        if self._host is not None and self._host.fileno() in come:
            self._from_host()

    def hang_up(self) -> None:
        """Cut the line of whoever is connected; he may connect anew."""
        if self._host is not None:
            self._host.close()
            self._host = None

    def close(self) -> None:
        self.hang_up()
        self._server.close()

    def _let_in(self) -> None:
        try:
            newest, _ = self._server.accept()
        except OSError:
            return  # nobody has come, or he is gone again
        self.hang_up()
        newest.setblocking(False)
        newest.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is not None:
            newest = self._tls.wrap_socket(newest, server_side=True, do_handshake_on_connect=False)
        self._host = newest
        self.taken += 1

    def _to_host(self) -> None:
        while data := self._wire.host_read(CHUNK_BYTES, 0):
            if self._host is None:
                continue
            try:
                self._host.send(data)
            except _NOT_NOW:
                continue  # nobody has read for long: the rest is lost, as in the buffer of a real server
            except OSError:
                self.hang_up()

    def _from_host(self) -> None:
        assert self._host is not None
        try:
            data = self._host.recv(CHUNK_BYTES)
        except _NOT_NOW:
            return
        except OSError:
            data = b""
        if not data:
            return self.hang_up()
        self._wire.host_write(data)
        if isinstance(self._host, ssl.SSLSocket) and self._host.pending():
            self._from_host()
