"""Cuts a network camera's MJPEG stream into its pictures, which stay as they came: JPEG.

    --boundary CR LF
    Content-Type: image/jpeg CR LF          a part: headers, an empty line, one JPEG
    Content-Length: 41873 CR LF
    CR LF
    FF D8 … FF D9 CR LF
    --boundary …

What is never looked at need not be decoded, and most of a picture's cost is its decoding.

What has waited in the socket is older than it looks. Only of what had to be waited for is it known that it came just
now; what is read at once may have lain since the reader last waited, and is taken to be as old as that.
"""

from __future__ import annotations

import base64
import contextlib
import io
import select
import socket
import ssl
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import unquote, urlsplit

from devices.tls import secured
from studio.device_address import trust_in

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_PORTS: Final = {"http": 80, "https": 443}
PICTURE_BYTES_MAX: Final = 16_000_000
LINE_BYTES_MAX: Final = 1_000
HEADERS_MAX: Final = 50
WAITING_BYTES: Final = 1 << 19
"""So much may wait in the socket, a few pictures: more would be old before it is read."""
WAITED_S: Final = 0.002
"""A shorter wait is one within a burst: whoever sends may still be sending what is old."""

_BEGIN: Final = b"\xff\xd8"
_END: Final = b"\xff\xd9"
_PADDING_BYTES: Final = 64


class NoStreamError(Exception):
    """This address serves no MJPEG stream that is read here; `reason` says why not. `denied`: not to who asks so."""

    def __init__(self, reason: str, *, denied: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.denied = denied


class BrokenStreamError(Exception):
    """The stream has ended, or what comes is no stream of pictures."""


class PictureStream:
    """One open stream; one thread opens, reads and closes it, any thread may stop it."""

    def __init__(
        self, url: str, *, open_s: float, read_s: float, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        """Open it; `NoStreamError` when something else is served there, `OSError` when nothing is, `TlsError` when who
        answers by TLS is not known.
        """
        self._clock_s = clock_s
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not parts.hostname:
            raise NoStreamError(f"{parts.scheme} is no HTTP")
        self._host, self._trust = parts.hostname, trust_in(url) if parts.scheme == "https" else None
        self._connection = HTTPConnection(parts.hostname, parts.port or _PORTS[parts.scheme], timeout=open_s)
        try:
            self._response = self._ask(f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}", _login(url))
            self._socket.settimeout(read_s)
            self._boundary = _boundary_of(self._response)
        except BaseException:
            self._connection.close()
            raise

    def read(self) -> bytes:
        """The next picture; `BrokenStreamError` or `OSError` when none comes any more."""
        try:
            length = self._headers()
            picture = self._sized(length) if length is not None else self._delimited()
        except HTTPException as error:
            raise BrokenStreamError(str(error)) from error
        if not picture.startswith(_BEGIN) or _END not in picture[-_PADDING_BYTES:]:
            raise BrokenStreamError("a part of the stream is no whole JPEG")
        return picture

    @property
    def taken_s(self) -> float:
        """The picture that was read last had not come before then, by the stream's clock."""
        return self._line_in.waited_s

    @property
    def dated(self) -> bool:
        """Always: what was waited for came just now."""
        return True

    def stop(self) -> None:
        """Shut the stream down, from any thread; a thread that is reading it wakes and finds it broken."""
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # by TLS its own would take the line from the reader

    def close(self) -> None:
        self._response.close()
        self._connection.close()

    def _ask(self, path: str, headers: dict[str, str]) -> HTTPResponse:
        try:
            self._connection.connect()
            if self._trust is not None:
                self._connection.sock = secured(self._connection.sock, self._host, self._trust)
            self._socket: socket.socket = self._connection.sock
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WAITING_BYTES)
            self._line_in = _Line(self._socket, self._clock_s)
            self._connection.request("GET", path, headers=headers)
            response = HTTPResponse(cast(socket.socket, self._line_in), method="GET")
            response.begin()
            return response
        except HTTPException as error:
            raise NoStreamError("what answers there speaks no HTTP") from error

    def _headers(self) -> int | None:
        """Read up to a part's first byte; gives its length, where it is told."""
        while (line := self._line()).strip(b"-") != self._boundary:
            if line:
                raise BrokenStreamError("no part begins where one should")
        length: int | None = None
        for _ in range(HEADERS_MAX):
            if not (line := self._line()):
                return length
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value) if value.strip().isdigit() else None
        raise BrokenStreamError("a part has no end of headers")

    def _line(self) -> bytes:
        line = self._response.readline(LINE_BYTES_MAX)
        if not line.endswith(b"\n"):
            raise BrokenStreamError("the stream is at its end")
        return line.rstrip(b"\r\n")

    def _sized(self, length: int) -> bytes:
        if length > PICTURE_BYTES_MAX:
            raise BrokenStreamError("a part is larger than any picture")
        picture = self._response.read(length)
        if len(picture) < length:
            raise BrokenStreamError("the stream is at its end")
        return picture

    def _delimited(self) -> bytes:
        """A part whose length is not told: up to the JPEG's own end, at the end of a line."""
        picture = bytearray()
        while len(picture) < PICTURE_BYTES_MAX:
            line = self._response.readline(PICTURE_BYTES_MAX)
            if not line:
                raise BrokenStreamError("the stream is at its end")
            picture += line
            if line.endswith(_END + b"\r\n"):
                return bytes(picture[:-2])
        raise BrokenStreamError("a part is larger than any picture")


class _Line(io.RawIOBase):
    """What comes from a socket, and when it was last waited for; of a socket an answer is read through no more."""

    def __init__(self, line: socket.socket, clock_s: Callable[[], float]) -> None:
        self._line, self._clock_s = line, clock_s
        self._poll = select.poll()
        self._poll.register(line, select.POLLIN)
        self.waited_s = clock_s()

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        began_s, bare = self._clock_s(), not self._has_some()
        length = self._line.recv_into(buffer)
        if bare and (now_s := self._clock_s()) - began_s >= WAITED_S:
            self.waited_s = now_s
        return length

    def _has_some(self) -> bool:
        unpacked = self._line.pending() if isinstance(self._line, ssl.SSLSocket) else 0
        return unpacked > 0 or bool(self._poll.poll(0))


def _boundary_of(response: HTTPResponse) -> bytes:
    if response.status != 200:
        raise NoStreamError(f"the answer is {response.status}", denied=response.status in (401, 403))
    if response.headers.get_content_type() != "multipart/x-mixed-replace":
        raise NoStreamError(f"{response.headers.get_content_type()} is served there")
    boundary = response.headers.get_param("boundary")
    if not isinstance(boundary, str) or not boundary:
        raise NoStreamError("the stream names no boundary")
    return boundary.strip("-").encode("latin-1", "replace")


def _login(url: str) -> dict[str, str]:
    parts = urlsplit(url)
    if parts.username is None:
        return {}
    word = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": f"Basic {base64.b64encode(word.encode()).decode()}"}
