"""A media server as small as one can be: WHEP and HLS by the letter, and no picture behind them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Final

from patience import LOOK_S, PATIENCE_S

WHEP: Final = "/t1/whep"
HLS: Final = "/t1/live.m3u8"
MADE: Final = "/t1/sessions/7"
_CORS: Final = {
    "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "POST, DELETE",
    "Access-Control-Allow-Headers": "Content-Type", "Access-Control-Expose-Headers": "Location",
}  # fmt: skip

Asked = tuple[str, str, str]
"""The method, the path, and of what type the body is."""


def usable(offer: str) -> str:
    """The answer of one who would send what is wanted: it can be taken, and no picture ever comes of it."""
    turned = offer.replace("a=recvonly", "a=sendonly").replace("a=setup:actpass", "a=setup:active")
    return re.sub(r"a=ssrc.*\r\n", "", turned)


def unusable(offer: str) -> str:
    return "this is no session description"


class MediaServer:
    """`asked` holds what was asked of it, in order; while `speaks` is not set it keeps its answer to an offer back."""

    def __init__(self) -> None:
        self.answer, self.status = usable, 201
        self.asked: Queue[Asked] = Queue()
        self.speaks = threading.Event()
        self.speaks.set()
        self._port = ThreadingHTTPServer(("127.0.0.1", 0), self._door())
        self.address = f"http://127.0.0.1:{self._port.server_port}"
        self._thread = threading.Thread(target=self._port.serve_forever, args=(LOOK_S,))
        self._thread.start()

    def next(self) -> Asked:
        return self.asked.get(timeout=PATIENCE_S)

    def close(self) -> None:
        self.speaks.set()
        self._port.shutdown()
        self._thread.join()
        self._port.server_close()

    def _door(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Door(BaseHTTPRequestHandler):
            def do_OPTIONS(self) -> None:
                self._say(204)

            def do_GET(self) -> None:
                self._note()
                self._say(404)

            def do_DELETE(self) -> None:
                self._note()
                self._say(200)

            def do_POST(self) -> None:
                offer = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._note()
                server.speaks.wait(PATIENCE_S)
                made = [("Location", "sessions/7"), ("Content-Type", "application/sdp")] if server.status == 201 else ()
                self._say(server.status, made, server.answer(offer) if server.status == 201 else "")

            def _note(self) -> None:
                server.asked.put((self.command, self.path, self.headers.get("Content-Type", "")))

            def _say(self, status: int, headers: Iterable[tuple[str, str]] = (), body: str = "") -> None:
                self.send_response(status)
                for name, value in (*_CORS.items(), *headers, ("Content-Length", str(len(body)))):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, format: str, *args: object) -> None:
                """The test itself reads what was asked."""

        return Door
