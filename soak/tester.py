"""Who stands outside and measures: a bettor who remembers every answer, and a dealer's live screen."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections import deque
from http.client import HTTPConnection
from itertools import count
from urllib.parse import urlencode

import msgspec

from dealer_ui.rehearsal.person.interface import Bet, Interface, InterfaceError
from soak.line_file import LineFile
from soak.process import RunningStudio

BETTOR = "soak-tester"
OPERATOR = "demo"
DEPOSIT_MINOR = 1_000_000
PAUSE_S = 1.0
TIMES_MAX = 20_000
_SEQ = re.compile(rb"^id: (\d+)$", re.M)
BADGE, PIN = "1002", "4829"
"""The demo's second dealer, who deals at no table and may look at every dealer's screen."""


class Promise(msgspec.Struct, frozen=True):
    """One thing the studio was asked for. `kept`: it said yes, and has to stand by it; else nobody heard an answer."""

    kind: str
    client_id: str
    bet: str
    amount_minor: int
    kept: bool


class Tester:
    """Bets at one table, a bet a second, and times the answers. `run` is for a thread of its own."""

    def __init__(self, studio: RunningStudio, table: str, promises: LineFile[Promise], run: str) -> None:
        self.times_ms = deque[float](maxlen=TIMES_MAX)
        self._interface = Interface("127.0.0.1", studio.options.port, studio.api_key)
        self._table, self._promises = table, promises
        self._ids = (f"{run}-{number}" for number in count())
        self._rich = False

    def run(self, over: threading.Event) -> None:
        while not over.wait(PAUSE_S):
            with contextlib.suppress(InterfaceError):
                self._act()
        self._interface.close()

    def _act(self) -> None:
        if not self._rich:
            self._deposit()
        now = self._interface.table(self._table)
        if now.window.open and (terms := next((one for one in now.bets if one.needs is None), None)):
            self._bet(Bet(next(self._ids), BETTOR, terms.bet, terms.least))

    def _deposit(self) -> None:
        asked = next(self._ids)
        try:
            self._interface.deposit(BETTOR, asked, DEPOSIT_MINOR)
        except InterfaceError:
            self._promises.add(Promise("deposit", asked, "", DEPOSIT_MINOR, kept=False))
            raise
        self._promises.add(Promise("deposit", asked, "", DEPOSIT_MINOR, kept=True))
        self._rich = True

    def _bet(self, bet: Bet) -> None:
        began_s = time.monotonic()
        try:
            [answer] = self._interface.place(self._table, [bet])
        except InterfaceError:
            self._promises.add(Promise("bet", bet.client_id, bet.bet, bet.stake, kept=False))
            raise
        if answer.status == "accepted":
            self.times_ms.append((time.monotonic() - began_s) * 1000)
            self._promises.add(Promise("bet", bet.client_id, bet.bet, bet.stake, kept=True))
        self._rich = answer.reason != "balance"


class Screen:
    """A dealer's live screen: when each number of the journal came to it. `run` is for a thread of its own."""

    def __init__(self, port: int, table: str) -> None:
        self._port, self._table = port, table
        self._drawn = deque[tuple[int, float]](maxlen=TIMES_MAX)
        self._line: socket.socket | None = None

    def run(self, over: threading.Event) -> None:
        while not over.wait(PAUSE_S):
            with contextlib.suppress(OSError):
                self._watch(over)

    def take(self) -> list[tuple[int, float]]:
        """What was drawn since the last look: the number, and the machine's steady clock in milliseconds."""
        return [self._drawn.popleft() for _ in range(len(self._drawn))]

    def close(self) -> None:
        if self._line is not None:
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)

    def _watch(self, over: threading.Event) -> None:
        with socket.create_connection(("127.0.0.1", self._port), timeout=30) as self._line:
            asked = f"GET /stream/dealer/{self._table} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            self._line.sendall(f"{asked}Cookie: {cookie_of(self._port)}\r\n\r\n".encode())
            unread = b""
            while not over.is_set() and (data := self._line.recv(1 << 20)):
                at_ms, unread = time.monotonic() * 1000, unread + data
                *events, unread = unread.split(b"\n\n")
                self._drawn.extend((int(found[1]), at_ms) for one in events if (found := _SEQ.search(one)))


def cookie_of(port: int) -> str:
    """The cookie of the demo's second dealer at a console."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        form = urlencode({"badge": BADGE, "pin": PIN})
        connection.request("POST", "/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        answer.read()
        return (answer.getheader("Set-Cookie") or "").partition(";")[0]
