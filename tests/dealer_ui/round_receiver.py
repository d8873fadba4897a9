"""An operator's server that is told of rounds: real HTTP, and it does what a test has it do."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from patience import PATIENCE_S


@dataclass(frozen=True)
class Heard:
    """One telling as it came."""

    id: str
    at: str
    signature: str
    body: bytes
    path: str

    @property
    def round(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.body)
        return told


class Receiver:
    """Answers yes unless the test says otherwise: `does` is asked for each telling what to do.

    ok · error · redirect · half · close · silent · garbage, and slow: yes, but only once `release` is set
    """

    def __init__(self, does: Callable[[Heard], str] = lambda heard: "ok") -> None:
        self.does = does
        self.heard: list[Heard] = []
        self.release = threading.Event()
        self._closing = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                receiver._post(self)

            def do_GET(self) -> None:
                raise AssertionError("nobody follows a redirection")

            def log_message(self, format: str, *args: object) -> None:
                """Not on the test's output."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/rounds"

    def close(self) -> None:
        self._closing.set()
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE_S)

    def _post(self, asked: BaseHTTPRequestHandler) -> None:
        body = asked.rfile.read(int(asked.headers["Content-Length"]))
        head = asked.headers
        heard = Heard(head["webhook-id"], head["webhook-timestamp"], head["webhook-signature"], body, asked.path)
        assert head["Content-Type"] == "application/json"
        self.heard.append(heard)
        match self.does(heard):
            case "ok":
                self._say(asked, 200)
            case "slow":
                self.release.wait(PATIENCE_S)
                self._say(asked, 204)
            case "error":
                self._say(asked, 500)
            case "redirect":
                asked.send_response(302)
                asked.send_header("Location", "/elsewhere")
                asked.send_header("Content-Length", "0")
                asked.end_headers()
            case "half":
                asked.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{")
                asked.close_connection = True
            case "garbage":
                asked.wfile.write(b"good evening\r\n\r\n")
                asked.close_connection = True
            case "close":
                asked.close_connection = True
            case "silent":
                self._closing.wait(PATIENCE_S)
                asked.close_connection = True

    def _say(self, asked: BaseHTTPRequestHandler, status: int) -> None:
        asked.send_response(status)
        asked.send_header("Content-Length", "0")
        asked.end_headers()
