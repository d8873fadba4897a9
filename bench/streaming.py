"""Measures live screens: how many are held, what one takes, and how soon the last hears."""

from __future__ import annotations

import contextlib
import json
import re
import select
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

from bench.figure import Figure
from bench.serving_studio import PIT_BADGE, PIT_PIN, TABLE, running
from bench.sign_in import cookie_of
from dealer_ui.live.seats import AN_ADDRESS, Capacity, open_files

MOST: Final = 4_000
PATIENCE_S: Final = 60
_VIEW: Final = b"event: view"


def measure() -> Sequence[Figure]:
    count = min(MOST, Capacity.of_files(open_files()).public, open_files() // 4)
    with contextlib.ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory())
        port, process = opened.enter_context(running(Path(folder)))
        act = opened.enter_context(_freezing(port))
        before, began = memory_kb(process), time.perf_counter()
        screens = [opened.enter_context(_display(port, number)) for number in range(count)]
        _hear(screens, _VIEW)
        opened_s, each_kb = time.perf_counter() - began, (memory_kb(process) - before) / count
        spent_s, began = cpu_s(process), time.perf_counter()
        _rest(screens, 10)
        idle = (cpu_s(process) - spent_s) / (time.perf_counter() - began) * 100
        began = time.perf_counter()
        act()
        event_bytes = _hear(screens, b'"html"')
        told_ms = (time.perf_counter() - began) * 1e3
        raw_ms = _raw_ms(count, event_bytes)
    return [
        Figure(name="displays held at once", value=count, unit="streams"),
        Figure(name="opened and drawn", value=count / opened_s, unit="streams/s"),
        Figure(name="memory of the studio", value=each_kb, unit="KB a stream"),
        Figure(name="of a processor while nothing happens", value=idle, unit="%"),
        Figure(
            name=f"from an act to the last screen, {event_bytes / 1024:.0f} KB each", value=told_ms, unit="ms",
            raw=raw_ms, raw_name="bare sockets",
        ),
    ]  # fmt: skip


@contextlib.contextmanager
def _display(port: int, number: int) -> Iterator[socket.socket]:
    """One display, from as few addresses as may have them all."""
    place = number // AN_ADDRESS
    here = f"127.1.{place // 250}.{1 + place % 250}"
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S, source_address=(here, 0)) as line:
        line.sendall(f"GET /stream/display/{TABLE} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
        line.setblocking(False)
        yield line


def _hear(lines: Sequence[socket.socket], word: bytes) -> int:
    """Read until each line has said an event with that word, whole; gives the length of the longest heard."""
    heard = {line.fileno(): b"" for line in lines}
    by_number = {line.fileno(): line for line in lines}
    longest = 0
    with select.epoll() as poll:
        for line in lines:
            poll.register(line.fileno(), select.EPOLLIN)
        while by_number:
            ready = poll.poll(PATIENCE_S)
            assert ready, f"{len(by_number)} screens heard nothing"
            for number, _ in ready:
                more = by_number[number].recv(1 << 20)
                assert more, "a screen was let go"
                heard[number] += more
                if word in heard[number] and heard[number].endswith(b"\n\n"):
                    longest = max(longest, len(heard[number]))
                    poll.unregister(number)
                    del by_number[number]
    return longest


def _rest(lines: Sequence[socket.socket], for_s: float) -> None:
    """Read the beats and forget them."""
    until_s = time.perf_counter() + for_s
    by_number = {line.fileno(): line for line in lines}
    with select.epoll() as poll:
        for line in lines:
            poll.register(line.fileno(), select.EPOLLIN)
        while time.perf_counter() < until_s:
            for number, _ in poll.poll(0.1):
                assert by_number[number].recv(1 << 20), "a screen was let go"


@contextlib.contextmanager
def _freezing(port: int) -> Iterator[Callable[[], None]]:
    """What a pit boss taps, ready to be tapped."""
    cookie = cookie_of(port, PIT_BADGE, PIT_PIN)
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as asking:
        asking.request("GET", "/pit", headers={"Cookie": cookie, "Accept": "text/html"})
        found = re.search(r'data-csrf="([^"]+)"', asking.getresponse().read().decode())
        assert found is not None
        headers = {"Cookie": cookie, "X-CSRF-Token": found[1], "Content-Type": "application/json"}

        def freeze() -> None:
            body = json.dumps({"command": "freeze_table", "id": "freeze"})
            asking.request("POST", f"/table/{TABLE}/command", body, headers)
            answer = asking.getresponse()
            assert answer.status == 200, answer.read()

        yield freeze


def _raw_ms(count: int, size: int) -> float:
    """The same bytes to as many bare connections, written and read in one process."""
    event = b"x" * (size - 2) + b"\n\n"
    with contextlib.ExitStack() as opened:
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        far = []
        near = []
        for _ in range(count):
            far.append(opened.enter_context(socket.create_connection(listening.getsockname())))
            near.append(opened.enter_context(listening.accept()[0]))
        began = time.perf_counter()
        for line in near:
            line.sendall(event)
        for line in far:
            _read(line, size)
        return (time.perf_counter() - began) * 1e3


def _read(line: socket.socket, size: int) -> None:
    while size:
        size -= len(line.recv(size))


def memory_kb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4.0


def cpu_s(process: int) -> float:
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / 100
