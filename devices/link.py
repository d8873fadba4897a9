"""Opens the link to a device. No other file imports pyserial.

| URL | opens |
|---|---|
| `/dev/ttyUSB0`, `/dev/pts/3` | a serial port or pseudo-terminal |
| `/dev/serial/by-id/*FT232*` | the one port that fits the pattern: it survives coming back under another name |
| `socket://host:4001` | a serial device server over TCP |
| `tls://host:4001#ca=FILE` | the same by TLS, checked as `devices.tls` says |
| `sim://NAME` | a wire of the patch bay, in memory |
"""

from __future__ import annotations

import contextlib
import glob
import os
import select
import socket
import ssl
import termios
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import urlsplit

import serial

from devices.bell import Bell, HasNumber
from devices.tls import secured, why_refused
from devices.wire import PatchBay, Wire
from studio.device_address import trust_in, without_password
from studio.errors import BadInputError

READ_TIMEOUT_S: Final = 0.02
CONNECT_TIMEOUT_S: Final = 2.0
WRITE_TIMEOUT_S: Final = 1.0
KEEPALIVE_S: Final = 2
"""A device server that lost its power sends no goodbye: ask after 2 s of silence, every 2 s, three times."""


class LinkLostError(Exception):
    """The link cannot be opened or is gone; `sentence` says which cable and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class LineSettings:
    """How the bits of a serial line are set. A TCP device server keeps its own."""

    baud: int = 9600
    data_bits: int = 8
    parity: str = "N"
    stop_bits: int = 1

    @property
    def byte_ms(self) -> float:
        """How long one byte takes on the wire."""
        return 1000 * (1 + self.data_bits + (self.parity != "N") + self.stop_bits) / self.baud


class Link(Protocol):
    """An open line. One thread owns it; every method may raise `LinkLostError`, and only that."""

    def read(self, max_bytes: int) -> bytes:
        """What has come, as soon as a byte is there; empty when none came within the link's read time-out."""
        ...

    def wait(self, most_s: float) -> None:
        """Until there is something to read, somebody calls `wake`, or so long. Of a lost line the next read tells."""
        ...

    def wake(self) -> None:
        """End the wait that is under way, or else the next one. From any thread, also once the link is closed."""
        ...

    def write(self, data: bytes) -> None: ...

    def close(self) -> None:
        """Let go of the line; may be called twice, raises nothing."""
        ...


OpenLink = Callable[[str, LineSettings], Link]
"""What a supervisor opens its link with: `functools.partial(open_link, bay=…, read_timeout_s=…)`."""


def open_link(
    url: str, settings: LineSettings, *, bay: PatchBay | None = None, read_timeout_s: float | None = None
) -> Link:
    """Open `url`; `LinkLostError` when nothing answers there.

    `read_timeout_s` bounds every read: 0.02 unless told, and 0 for `sim://`, where the caller pumps.
    """
    if not url:
        raise LinkLostError("No link is configured; write a device path, socket://host:port or sim://name.")
    scheme, _, rest = url.partition("://")
    if not rest:
        return SerialLink(url, settings, READ_TIMEOUT_S if read_timeout_s is None else read_timeout_s)
    match scheme:
        case "socket":
            return SocketLink(url, READ_TIMEOUT_S if read_timeout_s is None else read_timeout_s)
        case "tls":
            return TlsLink(url, READ_TIMEOUT_S if read_timeout_s is None else read_timeout_s)
        case "sim":
            return _open_sim(url, rest.split("?")[0], bay, read_timeout_s or 0.0)
        case _:
            raise LinkLostError(
                f"The link {url} cannot be opened: write a device path, socket://host:port, tls://host:port#ca=FILE or "
                "sim://name."
            )


class _Port(serial.Serial):
    """A serial port that keeps what came before it was opened: no byte is thrown away unseen."""

    def _reset_input_buffer(self) -> None:
        pass


class SerialLink:
    """A serial port or pseudo-terminal, held exclusively."""

    def __init__(self, url: str, settings: LineSettings, read_timeout_s: float) -> None:
        self._url = url
        self._timeout_s = read_timeout_s
        path = _one_path(url)
        try:
            self._port = _Port(
                path,
                baudrate=settings.baud,
                bytesize=settings.data_bits,
                parity=settings.parity,
                stopbits=settings.stop_bits,
                exclusive=True,
            )
        except (OSError, ValueError, termios.error) as error:
            raise LinkLostError(_why_not_opened(url, error)) from None
        self._bell = Bell()

    def wait(self, most_s: float) -> None:
        self._bell.wait_beside(self._port, most_s)

    def wake(self) -> None:
        self._bell.ring()

    def read(self, max_bytes: int) -> bytes:
        # Not pyserial's own read and write: those ask select.
        try:
            if not _ready(self._port, select.POLLIN, self._timeout_s):
                return b""
            data = os.read(self._port.fileno(), max_bytes)
        except (OSError, ValueError, TypeError):
            data = b""
        if not data:
            raise LinkLostError(_unplugged(self._url))
        return data

    def write(self, data: bytes) -> None:
        try:
            while data and _ready(self._port, select.POLLOUT, WRITE_TIMEOUT_S):
                data = data[os.write(self._port.fileno(), data) :]
        except (OSError, ValueError, TypeError):
            raise LinkLostError(_unplugged(self._url)) from None
        if data:
            raise LinkLostError(f"The device on {self._url} takes no bytes; check its cable and its power.")

    def close(self) -> None:
        with contextlib.suppress(OSError, termios.error):  # the adaptor may be gone already
            self._port.close()
        self._bell.close()


class SocketLink:
    """A TCP connection to a serial device server.

    Not pyserial's `socket://`: that one throws away what the server sends first, waits out the time-out of
    every read, sleeps on close, and leaks the socket when the peer is gone.
    """

    def __init__(self, url: str, read_timeout_s: float) -> None:
        self._url = without_password(url)
        self._timeout_s = read_timeout_s
        try:
            parts = urlsplit(url)
            if not parts.hostname or parts.port is None:
                raise ValueError("no host or port")
            self._socket = self._connected(url, parts.hostname, parts.port)
        except ValueError:
            scheme = url.partition("://")[0]
            raise LinkLostError(f"The link {self._url} cannot be opened: write it as {scheme}://host:port.") from None
        except OSError as error:
            sentence = f"The device server at {self._url} does not answer ({_short(error)})"
            raise LinkLostError(f"{sentence}; check its power, network and port.") from None
        self._socket.settimeout(WRITE_TIMEOUT_S)
        _keep_alive(self._socket)
        self._bell = Bell()

    def wait(self, most_s: float) -> None:
        self._bell.wait_beside(self._socket, most_s)

    def wake(self) -> None:
        self._bell.ring()

    def _connected(self, url: str, host: str, port: int) -> socket.socket:
        return socket.create_connection((host, port), timeout=CONNECT_TIMEOUT_S)

    def read(self, max_bytes: int) -> bytes:
        try:
            if not _ready(self._socket, select.POLLIN, self._timeout_s):
                return b""
            data = self._socket.recv(max_bytes)
        except (OSError, ValueError):
            data = b""
        if not data:
            raise self._closed()
        return data

    def _closed(self) -> LinkLostError:
        return LinkLostError(f"The device server at {self._url} closed the connection; check its power and network.")

    def write(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise LinkLostError(
                f"The device server at {self._url} takes no bytes ({_short(error)}); check its power and network."
            ) from None

    def close(self) -> None:
        self._socket.close()
        self._bell.close()


class TlsLink(SocketLink):
    """The same by TLS, with whoever answers checked before a byte of his is read."""

    _socket: ssl.SSLSocket

    def _connected(self, url: str, host: str, port: int) -> socket.socket:
        try:
            trust = trust_in(url)
            return secured(super()._connected(url, host, port), host, trust)
        except BadInputError as error:
            raise self._refused(error.sentence) from None

    def wait(self, most_s: float) -> None:
        if not self._socket.pending():  # what is unsealed already, the socket does not tell of
            super().wait(most_s)

    def read(self, max_bytes: int) -> bytes:
        try:
            if not self._socket.pending() and not _ready(self._socket, select.POLLIN, self._timeout_s):
                return b""
            return self._received(max_bytes)
        except ssl.SSLWantReadError:
            return b""  # a part of a record, or what TLS says of its own
        except ssl.SSLError as error:
            raise self._refused(why_refused(error)) from None
        except (OSError, ValueError):
            raise self._closed() from None

    def _received(self, max_bytes: int) -> bytes:
        self._socket.settimeout(0)
        try:
            data = self._socket.recv(max_bytes)
        finally:
            self._socket.settimeout(WRITE_TIMEOUT_S)
        if not data:
            raise self._closed()
        return data

    def _refused(self, sentence: str) -> LinkLostError:
        return LinkLostError(f"The device server at {self._url} is not spoken to. {sentence}")


class WireLink:
    """The host's end of a wire in memory."""

    def __init__(self, url: str, wire: Wire, read_timeout_s: float) -> None:
        self._url = url
        self._wire = wire
        self._timeout_s = read_timeout_s
        self._open = True
        self._check()

    def read(self, max_bytes: int) -> bytes:
        self._check()
        data = self._wire.host_read(max_bytes, self._timeout_s)
        self._check()
        return data

    def wait(self, most_s: float) -> None:
        if self._open:
            self._wire.host_wait(most_s)

    def wake(self) -> None:
        self._wire.wake_host()

    def write(self, data: bytes) -> None:
        self._check()
        self._wire.host_write(data)

    def close(self) -> None:
        self._open = False

    def _check(self) -> None:
        if not self._open or not self._wire.plugged:
            raise LinkLostError(_unplugged(self._url))


def _ready(line: HasNumber, event: int, within_s: float) -> bool:
    """Whether the line may be read, or written to, or is gone, within so long. By poll, for select knows no number
    beyond 1023, and a studio of many screens has them.
    """
    poll = select.poll()
    poll.register(line, event)
    return bool(poll.poll(within_s * 1000))


def _open_sim(url: str, name: str, bay: PatchBay | None, read_timeout_s: float) -> Link:
    wire = bay.wire(name) if bay is not None else None
    if wire is None:
        known = ", ".join(sorted(bay)) if bay is not None else ""
        raise LinkLostError(f"No simulated device answers at {url}; plugged in are: {known or 'none'}.")
    return WireLink(url, wire, read_timeout_s)


def _one_path(url: str) -> str:
    if not any(sign in url for sign in "*?["):
        return url
    paths = sorted(glob.glob(url))
    if len(paths) == 1:
        return paths[0]
    found = ", ".join(paths) or "none"
    raise LinkLostError(
        f"The pattern {url} must fit exactly one port, and fits {found}; plug the cable in or narrow it."
    )


def _why_not_opened(url: str, error: Exception) -> str:
    match getattr(error, "errno", None):
        case 2 | 6 | 19:  # ENOENT, ENXIO, ENODEV
            return f"The cable at {url} is not there; plug it in, or correct the path in the configuration."
        case 13:  # EACCES
            return f"The port {url} may not be opened by this user; add the user to the group that owns it."
        case 11 | 16:  # EAGAIN (another holds the lock), EBUSY
            return f"The port {url} is in use by another program; close that program."
        case 21 | 25 | None:  # EISDIR, ENOTTY; pyserial gives no number where the settings are not taken
            return f"The port {url} cannot be opened: it is no serial port, or does not take the speed that is set."
        case _:
            return f"The port {url} cannot be opened ({_short(error)}); check the cable and the settings."


def _unplugged(url: str) -> str:
    return f"The cable at {url} was unplugged, or its device lost power; plug it in again."


def _short(error: Exception) -> str:
    number = getattr(error, "errno", None)  # pyserial's own text repeats the path and the number
    if isinstance(number, int) and number > 0:
        return os.strerror(number)
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _keep_alive(connection: socket.socket) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_KEEPIDLE, KEEPALIVE_S),
        (socket.TCP_KEEPINTVL, KEEPALIVE_S),
        (socket.TCP_KEEPCNT, 3),
    ):
        connection.setsockopt(socket.IPPROTO_TCP, option, value)
