"""Streams held open at a running studio's own port, from whatever address of this machine a test likes."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from collections.abc import Iterator, Sequence

from open_port import OpenPort
from patience import PATIENCE_S
from running_studio import API_KEY, TABLE, House

from dealer_ui.serving.proxy import Proxies
from dealer_ui.serving.tls import ServedTls

DISPLAY = f"/stream/display/{TABLE}"
FEED = f"/api/v1/tables/{TABLE}/stream"
KEY = f"Authorization: Bearer {API_KEY}"


class OpenStream:
    """One stream as bytes on a wire."""

    def __init__(self, port: int, path: str, header: str = "X-Nothing: here", *, address: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S, source_address=(address, 0))
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{header}\r\n\r\n".encode())
        self.heard = b""

    @property
    def status(self) -> int:
        return int(self.until(b"\r\n\r\n").split(b" ", 2)[1])

    def until(self, said: bytes) -> bytes:
        """All that was heard, once that was said."""
        while said not in self.heard:
            more = self.socket.recv(65_536)
            assert more, f"the stream ended before {said!r}: {self.heard[-300:]!r}"
            self.heard += more
        return self.heard

    def end(self) -> bytes:
        """All that was heard, once the studio has closed the stream."""
        with contextlib.suppress(ConnectionResetError):
            while more := self.socket.recv(65_536):
                self.heard += more
        return self.heard

    def forget(self) -> None:
        self.heard = b""

    def close(self) -> None:
        self.socket.close()


class Opened:
    """A running studio on a port of its own, and the streams a test holds open at it."""

    def __init__(self, house: House, trusted: Sequence[str] = (), tls: ServedTls | None = None) -> None:
        house.staff()
        house.open()
        self.house = house
        house.studio.app.extensions["proxies"] = Proxies(trusted)
        house.studio.app.extensions["tls"] = tls
        self.port = OpenPort(house.studio.app, threads=house.floor.config.server.threads)
        self.lanes = house.studio.app.extensions["console"].lanes
        self._streams: list[OpenStream] = []

    def stream(self, path: str, header: str = "X-Nothing: here", *, address: str = "127.0.0.1") -> OpenStream:
        found = OpenStream(self.port.number, path, header, address=address)
        self._streams.append(found)
        return found

    def cookie(self) -> str:
        """Dana's, signed in."""
        client = self.house.api
        assert client.post("/sign-in", data={"badge": "1001", "pin": "4826"}).status_code == 303
        kept = client.get_cookie("studio_session")
        assert kept is not None
        return f"Cookie: studio_session={kept.value}"

    def close(self) -> None:
        for one in self._streams:
            one.close()
        self.house.studio.close_streams()
        self.port.close()


@contextlib.contextmanager
def opened(house: House, trusted: Sequence[str] = (), tls: ServedTls | None = None) -> Iterator[Opened]:
    found = Opened(house, trusted, tls)
    try:
        yield found
    finally:
        found.close()


def next_event(answer: http.client.HTTPResponse, told: bytes) -> dict[str, int]:
    """The data of the next event of that name."""
    while not answer.readline().startswith(told):
        pass
    while not (line := answer.readline()).startswith(b"data: "):
        pass
    found: dict[str, int] = json.loads(line.removeprefix(b"data: "))
    return found
