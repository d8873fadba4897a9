"""Measures how long a card takes from the last byte on the shoe's line to a live screen.

The shoe is this process, at the far end of a pseudo-terminal that carries a frame in no time; the studio is another
process, and commits the card before the screen hears of it.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import tempfile
import time
import tty
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles

from bench.figure import Figure
from bench.serving_studio import TABLE, serving
from bench.sign_in import cookie_of
from devices.shoe.angel_eye_codec import card_byte, encode_report
from studio.cards import DECK

CARDS = 200
PAUSE_S = 0.06
"""Between two cards, so that the screen's own limit of twenty drawings a second is not what is measured."""
MEDIAN_MS_MAX, P99_MS_MAX = 10.0, 50.0
_SEQ = re.compile(rb"^id: (\d+)$", re.M)


def measure() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory() as name, _line() as (master, path), serving(Path(name), path) as port:
        with live_screen(port) as screen:
            took = [_card_ms(master, screen, number) for number in range(CARDS + 10)][10:]
        raw = [_raw_ms(Path(name) / "raw", number) for number in range(CARDS)]
    p99, raw_p99 = (quantiles(values, n=100)[98] for values in (took, raw))
    name = "pty, fsync, loopback"
    return [
        Figure(
            name="card on the line → live screen, median", value=median(took), unit="ms", raw=median(raw),
            raw_name=name, target=f"≤ {MEDIAN_MS_MAX:.0f} ms", holds=median(took) <= MEDIAN_MS_MAX,
        ),
        Figure(
            name="card on the line → live screen, p99", value=p99, unit="ms", raw=raw_p99, raw_name=name,
            target=f"≤ {P99_MS_MAX:.0f} ms", holds=p99 <= P99_MS_MAX,
        ),
    ]  # fmt: skip


@contextlib.contextmanager
def _line() -> Iterator[tuple[int, str]]:
    """The shoe's end of a pseudo-terminal, and the path of the studio's."""
    master, slave = os.openpty()
    tty.setraw(slave)
    try:
        yield master, os.ttyname(slave)
    finally:
        os.close(slave)
        os.close(master)


class LiveScreen:
    """A live screen's stream, read event by event."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._unread = b""

    def next_seq(self) -> int:
        """The journal number of the next drawing."""
        while True:
            while b"\n\n" not in self._unread:
                self._unread += self._connection.recv(1 << 20)
            event, _, self._unread = self._unread.partition(b"\n\n")
            if b"event: view" in event and (found := _SEQ.search(event)):
                return int(found[1])

    def quiet(self) -> None:
        """Read what was told meanwhile."""
        self._connection.settimeout(PAUSE_S)
        with contextlib.suppress(TimeoutError):
            while True:
                self._connection.recv(1 << 20)
        self._unread = b""
        self._connection.settimeout(10)


@contextlib.contextmanager
def live_screen(port: int) -> Iterator[LiveScreen]:
    """A dealer's, of the bench's table, drawn once."""
    cookie = cookie_of(port)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(f"GET /stream/dealer/{TABLE} HTTP/1.1\r\nHost: bench\r\nCookie: {cookie}\r\n\r\n".encode())
        screen = LiveScreen(connection)
        screen.next_seq()
        yield screen


def _card_ms(master: int, screen: LiveScreen, number: int) -> float:
    screen.quiet()
    frame = encode_report(0x31 + number % 9, "D", bytes((0x81, card_byte(DECK[number % len(DECK)]))))
    began = time.perf_counter()
    os.write(master, frame)
    screen.next_seq()
    return (time.perf_counter() - began) * 1e3


def _raw_ms(path: Path, number: int) -> float:
    """The same bytes through a pseudo-terminal, one page written and synced, one word over a loopback socket."""
    with _line() as (master, name), path.open("ab", buffering=0) as file, loopback_pair() as (here, there):
        slave = os.open(name, os.O_RDWR | os.O_NOCTTY)
        try:
            began = time.perf_counter()
            os.write(master, b"x" * 9)
            os.read(slave, 9)
            file.write(bytes(4096))
            os.fsync(file.fileno())
            here.sendall(b"x" * 200)
            there.recv(200)
            return (time.perf_counter() - began) * 1e3
        finally:
            os.close(slave)


@contextlib.contextmanager
def loopback_pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two ends of one connection."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as here:
        there, _ = server.accept()
        with there:
            yield here, there
