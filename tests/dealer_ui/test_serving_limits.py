"""Who connects and says nothing, or says it slowly, stops nobody; and each kind of request has threads of its own."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask, request
from open_port import OpenPort
from patience import PATIENCE_S, wait_until

from dealer_ui.access.auth import COOKIE
from dealer_ui.serving.crew import Crew, Turns
from dealer_ui.serving.limit import ServingLimit
from dealer_ui.serving.proxy import Origin
from dealer_ui.serving.usher import LanePlace, Usher

HALF = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Le"
HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
WITHOUT_END = HEAD.replace(b"100", b"1000000")

LONG = 900_000
"""Bytes of one answer: with what the systems on both sides keep of it, more than who reads little has read."""

Open = Callable[..., "Port"]


class Port:
    """A small application behind the studio's own server."""

    def __init__(self, limit: ServingLimit, usher: Usher | None = None) -> None:
        app = Flask("limits")
        app.extensions["usher"] = usher or Usher()
        app.add_url_rule("/", "root", lambda: request.get_data() or b"here", methods=["GET", "POST"])
        app.add_url_rule("/cookies", "cookies", lambda: ",".join(request.cookies))
        app.add_url_rule("/long", "long", lambda: b"x" * LONG)
        self._port = OpenPort(app, threads=8, limit=limit)
        self._held: list[socket.socket] = []

    def connect(self, said: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
        found = socket.create_connection(("127.0.0.1", self._port.number), PATIENCE_S, source_address=(address, 0))
        self._held.append(found)
        found.sendall(said)
        return found

    def ask(self, address: str = "127.0.0.1") -> bytes:
        asking = http.client.HTTPConnection("127.0.0.1", self._port.number, PATIENCE_S, source_address=(address, 0))
        with contextlib.closing(asking):
            asking.request("GET", "/")
            return asking.getresponse().read()

    @property
    def connections(self) -> int:
        return self._port.connections

    def close(self) -> None:
        for one in self._held:
            one.close()
        self._port.close()


@pytest.fixture
def open_port() -> Iterator[Open]:
    opened: list[Port] = []

    def open(limit: ServingLimit, usher: Usher | None = None) -> Port:
        opened.append(Port(limit, usher))
        return opened[-1]

    yield open
    for one in opened:
        one.close()


def is_closed(connection: socket.socket) -> bool:
    """Once the server closes it; fails while it does not."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("said", [b"", HALF, HEAD], ids=["nothing", "half a head", "no body"])
def test_eight_hundred_half_open_connections_stop_nobody(open_port: Open, said: bytes) -> None:
    port = open_port(ServingLimit(connections=200))
    for number in range(800):
        with contextlib.suppress(ConnectionError):
            port.connect(said, f"127.0.1.{1 + number // 100}")
    assert port.ask() == b"here"
    assert port.ask("127.0.2.1") == b"here"


@pytest.mark.parametrize("said", [b"", HALF, HEAD], ids=["nothing", "half a head", "no body"])
def test_who_does_not_come_to_an_end_is_cut_off(open_port: Open, said: bytes) -> None:
    port = open_port(ServingLimit(head_s=0.2, body_s=0.2))
    assert is_closed(port.connect(said))


def test_who_sends_his_body_byte_by_byte_is_cut_off_however_busy_he_looks(open_port: Open) -> None:
    port = open_port(ServingLimit(body_s=1.0))
    slow = port.connect(WITHOUT_END)
    slow.settimeout(0.01)

    def is_cut_off() -> bool:
        with contextlib.suppress(TimeoutError):
            return is_closed(slow)
        with contextlib.suppress(ConnectionError, TimeoutError):
            slow.sendall(b"x")
        return False

    wait_until(is_cut_off, look_s=0.05)


def test_a_body_in_time_is_answered(open_port: Open) -> None:
    port = open_port(ServingLimit())
    asking = port.connect(HEAD)
    asking.sendall(b"x" * 100)
    assert asking.recv(4096).startswith(b"HTTP/1.1 200")


def test_who_has_most_idle_connections_loses_one_of_them_and_not_who_came_before_him(open_port: Open) -> None:
    port = open_port(ServingLimit(connections=12))
    first = port.connect(HALF, "127.0.1.1")
    wait_until(lambda: port.connections == 1)
    for _ in range(30):
        with contextlib.suppress(ConnectionError):
            port.connect(address="127.0.1.2")
    assert port.ask("127.0.1.3") == b"here"
    first.sendall(b"ngth: 1\r\n\r\nx")
    assert first.recv(4096).startswith(b"HTTP/1.1 200")


def test_one_address_has_so_many_connections_and_another_is_let_in(open_port: Open) -> None:
    port = open_port(ServingLimit(an_address=3))
    held = [port.connect(address="127.0.1.1") for _ in range(3)]
    assert is_closed(port.connect(address="127.0.1.1"))
    assert port.ask("127.0.1.2") == b"here"
    assert port.ask() == b"here", "many share this one"
    held[0].close()

    def let_in() -> bool:
        with contextlib.suppress(OSError, http.client.HTTPException):
            return port.ask("127.0.1.1") == b"here"
        return False

    wait_until(let_in)


# --- lanes ------------------------------------------------------------------------------------------


class Held:
    """A request that takes until it is let go."""

    def __init__(self, name: str = "", order: list[str] | None = None) -> None:
        self.name, self.order = name, order if order is not None else []
        self.begun, self.go = threading.Event(), threading.Event()
        self.cancelled = False

    def service(self) -> None:
        self.begun.set()
        self.order.append(self.name)
        self.go.wait(PATIENCE_S)

    def cancel(self) -> None:
        self.cancelled = True


def test_a_full_lane_of_strangers_holds_no_other_lane() -> None:
    crew, stranger = Crew(20), LanePlace("public", "192.0.2.7")
    crowd = [Held() for _ in range(100)]
    for one in crowd:
        crew.put(stranger, one)
    for lane in ("staff", "operators", "bettors"):
        mine = Held()
        crew.put(LanePlace(lane, "x"), mine)  # type: ignore[arg-type]
        assert mine.begun.wait(PATIENCE_S)
        mine.go.set()
    for one in crowd[:6]:
        wait_until(one.begun.is_set)
    assert not crowd[6].begun.is_set()
    closing = threading.Thread(target=crew.shutdown)
    closing.start()
    wait_until(lambda: crowd[-1].cancelled)
    for one in crowd:
        one.go.set()
    closing.join(PATIENCE_S)


def test_in_a_lane_the_holders_take_turns() -> None:
    turns = Turns()
    for holder, count in (("north", 5), ("south", 2), ("east", 1)):
        for number in range(count):
            turns.put(holder, Held(f"{holder}{number}"))
    served = [turns.take() for _ in range(8)]
    order = [one.name for one in served if isinstance(one, Held)]
    assert order == ["north0", "south0", "east0", "north1", "south1", "north2", "north3", "north4"]


USHER = Usher(
    has_session=lambda token: token == "dana", operator_of={"k1": "north"}.get, has_ticket=lambda token: token == "ann"
)


@pytest.mark.parametrize(
    ("path", "headers", "place"),
    [
        ("/pit", {"COOKIE": "studio_session=dana"}, LanePlace("staff", "dana")),
        ("/pit", {"COOKIE": "studio_session=nobody"}, LanePlace("public", "192.0.2.7")),
        ("/display/t1", {}, LanePlace("public", "192.0.2.7")),
        ("/api/v1/tables", {"AUTHORIZATION": "Bearer k1"}, LanePlace("operators", "north")),
        ("/api/v1/tables", {"AUTHORIZATION": "Bearer k2"}, LanePlace("public", "192.0.2.7")),
        ("/api/v1/tables", {"COOKIE": "studio_session=dana"}, LanePlace("public", "192.0.2.7")),
        ("/play/ann/stream", {}, LanePlace("bettors", "ann")),
        ("/play/bob", {}, LanePlace("public", "192.0.2.7")),
    ],
)
def test_each_request_waits_in_its_own_lane(path: str, headers: dict[str, str], place: LanePlace) -> None:
    assert USHER.place(path, headers, Origin("192.0.2.7")) == place


BAD_COOKIE = b"GET /cookies HTTP/1.1\r\nHost: x\r\nCookie: a=\xff; b=1\r\nConnection: close\r\n\r\n"


def told(connection: socket.socket) -> bytes:
    """All that is told until the server closes the connection; fails while it does not."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def test_a_cookie_that_is_no_text_is_answered_like_any_other(open_port: Open) -> None:
    answer = told(open_port(ServingLimit()).connect(BAD_COOKIE))
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"a,b")


def test_of_requests_sent_all_at_once_the_first_is_answered_and_the_connection_ends(open_port: Open) -> None:
    port = open_port(ServingLimit())
    answer = told(port.connect(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 190))
    assert 1 <= answer.count(b"HTTP/1.1 200") <= 2
    assert port.ask() == b"here"


def test_nothing_is_answered_before_all_that_came_with_it_was_read(
    open_port: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[list[str | None]] = []
    put = Crew.put

    def watched(crew: Crew, place: LanePlace, task: Any) -> None:
        given.append([one.headers.get("CONNECTION") for one in task.requests])
        put(crew, place, task)

    monkeypatch.setattr(Crew, "put", watched)
    told(open_port(ServingLimit()).connect(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 190))
    assert given[0] == ["close"]
    assert all(len(one) == 1 for one in given)


def test_who_reads_nothing_of_his_answers_holds_no_thread_for_long(open_port: Open) -> None:
    port = open_port(ServingLimit(body_s=1, idle_s=1))
    for _ in range(40):
        held = port.connect()
        held.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        held.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
    wait_until(lambda: port.connections == 0)
    assert port.ask() == b"here"


def test_a_task_that_fails_on_its_thread_lets_its_connection_go() -> None:
    class Failing:
        cancelled = threading.Event()

        def service(self) -> None:
            raise RuntimeError("lost")

        def cancel(self) -> None:
            self.cancelled.set()

    crew = Crew(8)
    try:
        crew.put(LanePlace("public", "here"), Failing())
        assert Failing.cancelled.wait(PATIENCE_S)
    finally:
        crew.shutdown()


def test_an_usher_that_fails_leaves_the_asker_with_the_public(open_port: Open) -> None:
    def fails(token: str) -> bool:
        raise RuntimeError("lost")

    port = open_port(ServingLimit(), Usher(has_session=fails))
    asked = f"GET / HTTP/1.1\r\nHost: x\r\nCookie: {COOKIE}=t\r\nConnection: close\r\n\r\n"
    assert told(port.connect(asked.encode())).startswith(b"HTTP/1.1 200")
