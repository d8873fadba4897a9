"""Strangers hold hundreds of streams, and staff and operators have theirs at once; a stream holds no thread."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from open_streams import DISPLAY, FEED, KEY, Opened, opened
from patience import PATIENCE_S, wait_until
from running_studio import PIT, TABLE, House, threads

from dealer_ui.live.fan import StreamFan
from dealer_ui.live.reader import SEND_BYTES
from dealer_ui.live.seats import AN_ADDRESS
from dealer_ui.live.telling import Rest, Telling
from studio.tables import command as c

HUNDREDS = 300


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Opened]:
    with House(tmp_path) as house, opened(house) as found:
        yield found


def strangers(studio: Opened, count: int) -> list[int]:
    """So many streams of the display, from as few addresses as may have them."""
    held = [studio.stream(DISPLAY, address=f"127.0.1.{1 + number // AN_ADDRESS}") for number in range(count)]
    return [one.status for one in held]


def test_hundreds_of_strangers_leave_dealer_and_operator_their_streams(studio: Opened) -> None:
    before = len(threads())
    assert strangers(studio, HUNDREDS) == [200] * HUNDREDS
    dealer, feed = studio.stream(f"/stream/dealer/{TABLE}", studio.cookie()), studio.stream(FEED, KEY)
    assert (dealer.status, feed.status) == (200, 200)
    dealer.until(b"event: view")
    feed.until(b"event: state")
    assert len(threads()) - before <= 4, "a thread for each lane, whatever the number of streams"
    for one in (dealer, feed):
        one.forget()
    studio.house.do(c.FreezeTable, PIT)
    dealer.until(b"event: view")
    feed.until(b'"held":true')


def test_every_one_of_hundreds_hears_what_happens(studio: Opened) -> None:
    held = [studio.stream(DISPLAY, address=f"127.0.1.{1 + number // AN_ADDRESS}") for number in range(HUNDREDS)]
    for one in held:
        one.until(b"event: view")
        one.forget()
    studio.house.do(c.FreezeTable, PIT)
    for one in held:
        one.until(b"event: view")


def test_one_address_has_its_share_and_no_more(studio: Opened) -> None:
    held = [studio.stream(DISPLAY, address="127.0.1.9") for _ in range(AN_ADDRESS)]
    assert {one.status for one in held} == {200}
    assert studio.stream(DISPLAY, address="127.0.1.9").status == 503
    assert studio.stream(DISPLAY, address="127.0.1.10").status == 200


def test_a_stream_that_goes_gives_its_seat_back(studio: Opened) -> None:
    held = [studio.stream(DISPLAY) for _ in range(3)]
    for one in held:
        one.until(b"event: view")
    assert studio.lanes.public.seats.taken == 3
    for one in held:
        one.close()
    wait_until(lambda: studio.lanes.public.seats.taken == 0)


def test_who_signs_out_is_told_to_leave_and_his_stream_ends(studio: Opened) -> None:
    dealer = studio.stream(f"/stream/dealer/{TABLE}", studio.cookie())
    dealer.until(b"event: view")
    for viewer in studio.house.studio.app.extensions["console"].sessions.of("d1"):
        studio.house.studio.app.extensions["console"].sessions.close(viewer.token)
    assert b"event: leave" in dealer.end()


@pytest.mark.parametrize(
    ("path", "status"), [(f"/stream/dealer/{TABLE}", 401), (FEED, 401), ("/stream/display/t9", 404)]
)
def test_a_stream_is_refused_as_its_page_is(studio: Opened, path: str, status: int) -> None:
    assert studio.stream(path).status == status


def test_every_stream_ends_when_the_studio_closes(studio: Opened) -> None:
    held = [studio.stream(DISPLAY), studio.stream(FEED, KEY), studio.stream(f"/stream/dealer/{TABLE}", studio.cookie())]
    for one in held:
        assert one.status == 200
    studio.house.studio.close_streams()
    for one in held:
        one.end()
    taken = (studio.lanes.public, studio.lanes.operators, studio.lanes.staff)
    wait_until(lambda: [lane.seats.taken for lane in taken] == [0, 0, 0])


def test_a_head_is_asked_for_without_a_stream(studio: Opened) -> None:
    with socket.create_connection(("127.0.0.1", studio.port.number)) as asking:
        asking.sendall(f"HEAD {DISPLAY} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert asking.recv(4096).startswith(b"HTTP/1.1 200")
    assert studio.lanes.public.seats.taken == 0


# --- the fan alone ----------------------------------------------------------------------------------


class Numbers:
    """Publishes a number."""

    def __init__(self) -> None:
        self.newest = 0
        self.moved: list[object] = []

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        return self.newest

    def follow(self, moved: object) -> None:
        self.moved.append(moved)

    def publish(self) -> None:
        self.newest += 1
        for moved in self.moved:
            moved()  # type: ignore[operator]


def joined() -> tuple[socket.socket, socket.socket]:
    """Both ends of one connection."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        far = socket.create_connection(listening.getsockname())
        near, _ = listening.accept()
    return near, far


def telling_numbers(numbers: Numbers, told: list[int], size: int) -> Telling:
    while True:
        told.append(numbers.newest)
        yield json.dumps(numbers.newest).encode() + b" " * size + b"\n"
        yield Rest(60, "t1", told[-1])


def test_who_reads_nothing_is_told_nothing_more_and_then_the_newest() -> None:
    numbers, told, left = Numbers(), [], threading.Event()
    fan = StreamFan("test", numbers)
    here, there = joined()
    size = 16 * SEND_BYTES
    fan.take(here, b"", telling_numbers(numbers, told, size), left.set)
    wait_until(lambda: told)
    for _ in range(200):
        numbers.publish()
    lines = there.makefile("rb")
    heard = [json.loads(lines.readline())]
    while heard[-1] != 200:
        heard.append(json.loads(lines.readline()))
    assert len(heard) < 100, "what was published while he read nothing was left out"
    fan.close()
    assert left.wait(PATIENCE_S)
    for one in (lines, there):
        one.close()


def asking(got: list[object]) -> Telling:
    yield b"one"
    got.append((yield Rest(60, "t1", -1)))
    yield Rest(60, "t1", numbers_seen(got))


def numbers_seen(got: list[object]) -> int:
    return int(str(got[-1]))


def test_a_table_that_moved_while_nobody_followed_it_is_asked_anew() -> None:
    numbers, fan_got, left = Numbers(), list[object](), threading.Event()
    fan = StreamFan("test", numbers)
    first, gone = joined()
    fan.take(first, b"", asking(fan_got), left.set)
    wait_until(lambda: fan_got == [0])
    gone.close()
    wait_until(left.is_set)
    for _ in range(5):
        numbers.publish()
    second, reading = joined()
    fan.take(second, b"", asking(fan_got), lambda: None)
    wait_until(lambda: len(fan_got) == 2)
    fan.close()
    reading.close()
    assert fan_got == [0, 5]


class Shaky(Numbers):
    """Cannot be asked about one table."""

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        if table is None and self.newest:
            raise ValueError("a mistake of our own")
        return self.newest


def test_neither_a_table_nor_a_stream_that_fails_ends_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    numbers, told = Shaky(), list[int]()
    fan = StreamFan("test", numbers)

    def leave() -> None:
        raise ValueError("left with a mistake")

    (here, there), (good, reading) = joined(), joined()
    fan.take(good, b"", telling_numbers(numbers, told, 1), lambda: None)
    fan.take(here, b"", follow_any(), leave)
    assert there.recv(10) == b"one"
    numbers.publish()
    wait_until(lambda: told == [0, 1])
    logged = ""

    def is_logged(sentence: str) -> bool:
        nonlocal logged
        logged += "".join(capfd.readouterr())
        return sentence in logged

    wait_until(lambda: is_logged("a table could not be asked"))
    there.close()
    wait_until(lambda: is_logged("left with an error"))
    numbers.publish()
    wait_until(lambda: told == [0, 1, 2])
    fan.close()
    reading.close()


def follow_any() -> Telling:
    yield b"one"
    while True:
        yield Rest(60)


def test_a_telling_that_fails_ends_its_own_stream_alone(capfd: pytest.CaptureFixture[str]) -> None:
    numbers, told, left = Numbers(), [], threading.Event()
    fan = StreamFan("test", numbers)

    def failing() -> Telling:
        yield b"one"
        raise ValueError("a mistake of our own")

    (here, there), (good, reading) = joined(), joined()
    fan.take(good, b"", telling_numbers(numbers, told, 1), lambda: None)
    fan.take(here, b"", failing(), left.set)
    wait_until(left.is_set)
    numbers.publish()
    wait_until(lambda: told == [0, 1])
    fan.close()
    for one in (there, reading):
        one.close()
    assert "a stream failed" in "".join(capfd.readouterr())
