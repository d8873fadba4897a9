"""The simulated operator over HTTP: his answers, and his faults.

Beside the wallet's own addresses there is `/control`: GET says which faults are on, POST `{"on": […], "off": […]}`
switches them; and `/books.csv`, his own list of what moved. Both are for this machine alone, as the whole server is.
"""

from __future__ import annotations

import csv
import io
import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from dealer_ui.rehearsal.operator.fault import FAULTS, Faults
from dealer_ui.rehearsal.operator.till import Till
from dealer_ui.rehearsal.operator.voice import OperatorVoice, Spoken
from studio.errors import BadInputError

BODY_BYTES_MAX: Final = 64 * 1024
SILENT_S: Final = 60.0
_LOOK_S: Final = 0.05
"""So often it looks whether it is to close: whoever closes it waits for that."""
CONTROL: Final = "control"
BOOKS: Final = "books.csv"


class OperatorServer(ThreadingHTTPServer):
    """A wallet at `address`, on threads of its own from `start` to `close`."""

    daemon_threads = True

    def __init__(self, till: Till, voice: OperatorVoice, faults: Faults, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Desk)
        self.till, self.voice, self.faults = till, voice, faults
        self._asked: set[bytes] = set()
        self._before: Spoken = (500, b"")
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, args=(_LOOK_S,), name="simulated operator", daemon=True).start()

    def close(self) -> None:
        self.faults.close()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever does not wait for an answer hangs up; that is no error of the operator's."""

    def answer(self, path: str, headers: Any, body: bytes) -> Spoken | None:
        """The status and body that answer one request, falsified as the faults say; None when no answer is sent."""
        on = self.faults.on
        if "silent" in on:
            self.faults.wait_while("silent", SILENT_S)
            return None
        if "error_first" in on and self._is_new(body):
            return 500, b"Internal Server Error"
        if "wrong_signature" in on or not self.voice.signed(headers, body):
            return self.voice.unsigned()
        if "late" in on:
            spoken = self.faults.hold_back("late", SILENT_S, lambda: self.voice.answer(self.till, path, body))
        else:
            spoken = self.voice.answer(self.till, path, body)
        if "twice" in on:
            spoken = self.voice.answer(self.till, path, body)
        return self._bent(spoken, on)

    def _bent(self, spoken: Spoken, on: frozenset[str]) -> Spoken | None:
        """How an answer leaves after the act."""
        with self._lock:
            spoken, before, self._before = spoken, self._before, spoken
        if "slow" in on:
            self.faults.wait_while("slow", self.faults.slow_s)
        if "silent_after" in on:
            self.faults.wait_while("silent_after", SILENT_S)
            return None
        for name, bend in _BENDS.items():
            if name in on:
                spoken = bend(spoken, before)
        return spoken

    def _is_new(self, body: bytes) -> bool:
        """Whether this movement is asked for the first time, whatever the request is called."""
        asked = json.loads(body)
        key = json.dumps([asked.get("transaction_uuid"), asked.get("actions"), asked.get("user")]).encode()
        with self._lock:
            new = key not in self._asked
            self._asked.add(key)
        return new


_BENDS: Final[dict[str, Callable[[Spoken, Spoken], Spoken]]] = {
    "half": lambda spoken, before: (spoken[0], spoken[1][: len(spoken[1]) // 2]),
    "nonsense": lambda spoken, before: (200, b"<html>It works!</html>"),
    "error_after": lambda spoken, before: (500, b"Internal Server Error"),
    "out_of_order": lambda spoken, before: before,
}


class _Desk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: OperatorServer

    def do_GET(self) -> None:
        if self.path.strip("/") == CONTROL:
            self._say((200, _told(self.server.faults.on)))
        elif self.path.strip("/") == BOOKS:
            self._say((200, _books(self.server.till)), kind="text/csv")
        else:
            self._say((404, b"{}"))

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", "0")), BODY_BYTES_MAX))
        path = self.path.strip("/")
        if path == CONTROL:
            self._say(self._switched(body))
        elif "down" in self.server.faults.on or (spoken := self.server.answer(path, self.headers, body)) is None:
            self._hang_up()
        else:
            self._say(spoken, whole="half" not in self.server.faults.on)

    def _switched(self, body: bytes) -> Spoken:
        try:
            asked = json.loads(body)
            return 200, _told(self.server.faults.switch(asked.get("on", ()), asked.get("off", ())))
        except (ValueError, TypeError, AttributeError, BadInputError) as error:
            return 400, json.dumps({"sentence": str(error)}).encode()

    def _say(self, spoken: Spoken, *, whole: bool = True, kind: str = "application/json") -> None:
        status, body = spoken
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if whole else 2 * len(body)))
        self.end_headers()
        self.wfile.write(body)
        if not whole:
            self._hang_up()

    def _hang_up(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed for each request."""


def _told(on: frozenset[str]) -> bytes:
    return json.dumps({"on": sorted(on), "faults": FAULTS}).encode()


def _books(till: Till) -> bytes:
    told = io.StringIO(newline="")
    writer = csv.writer(told, lineterminator="\r\n")
    writer.writerow(("kind", "id", "bettor", "amount_minor", "currency"))
    writer.writerows(till.lines())
    return told.getvalue().encode()
