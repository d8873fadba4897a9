"""One contract for every kind of link: pseudo-terminal, device server, wire in memory."""

from __future__ import annotations

import os
import random
import resource
import socket
import threading
import tty
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Protocol

import pytest
from patience import PATIENCE_S

from devices.catalogue import DriverSpec, build_driver
from devices.link import LineSettings, Link, LinkLostError, open_link
from devices.shoe.angel_eye_codec import card_byte, encode_report
from devices.supervisor import LinkPace, Supervisor
from devices.wire import QUEUE_BYTES_MAX, PatchBay, Wire
from studio.cards import DECK, Sealer
from studio.ports import LineBytes, LinkUp, ShoeDrewCard

SETTINGS = LineSettings(baud=4800)


class FarSide(Protocol):
    """The device's end of the line under test."""

    url: str
    bay: PatchBay | None

    def send(self, data: bytes) -> None: ...
    def receive(self, count: int) -> bytes: ...
    def vanish(self) -> None: ...
    def close(self) -> None: ...


class PtySide:
    bay = None

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.url = os.ttyname(self._slave)

    def send(self, data: bytes) -> None:
        os.write(self._master, data)

    def receive(self, count: int) -> bytes:
        return os.read(self._master, count)

    def vanish(self) -> None:
        self.close()

    def close(self) -> None:
        for end in (self._master, self._slave):
            if end >= 0:
                os.close(end)
        self._master = self._slave = -1


class ServerSide:
    bay = None

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(PATIENCE_S)
        self.url = f"socket://127.0.0.1:{self._server.getsockname()[1]}"
        self._peer: socket.socket | None = None

    @property
    def peer(self) -> socket.socket:
        if self._peer is None:
            self._peer, _ = self._server.accept()
            self._peer.settimeout(PATIENCE_S)
        return self._peer

    def send(self, data: bytes) -> None:
        self.peer.sendall(data)

    def receive(self, count: int) -> bytes:
        return self.peer.recv(count)

    def vanish(self) -> None:
        self.peer.close()

    def close(self) -> None:
        if self._peer is not None:
            self._peer.close()
        self._server.close()


class WireSide:
    url = "sim://shoe"

    def __init__(self) -> None:
        self.bay = PatchBay()
        self._wire = Wire()
        self.bay.plug("shoe", self._wire)

    def send(self, data: bytes) -> None:
        self._wire.machine_write(data)

    def receive(self, count: int) -> bytes:
        return self._wire.machine_read()[:count]

    def vanish(self) -> None:
        self._wire.unplug()

    def close(self) -> None:
        pass


@pytest.fixture(params=[PtySide, ServerSide, WireSide], ids=["pty", "socket", "sim"])
def far(request: pytest.FixtureRequest) -> Iterator[FarSide]:
    side = request.param()
    yield side
    side.close()


@pytest.fixture
def link(far: FarSide) -> Iterator[Link]:
    opened = open_link(far.url, SETTINGS, bay=far.bay, read_timeout_s=0.05)
    yield opened
    opened.close()


def read_until(link: Link, count: int) -> bytes:
    got = b""
    for _ in range(int(PATIENCE_S / 0.05)):
        got += link.read(4096)
        if len(got) >= count:
            break
    return got


EVERY_BYTE = bytes(range(256))


def test_every_byte_passes_unchanged_both_ways(far: FarSide, link: Link) -> None:
    far.send(EVERY_BYTE)
    assert read_until(link, 256) == EVERY_BYTE
    link.write(EVERY_BYTE)
    heard = b""
    while len(heard) < 256:
        heard += far.receive(256 - len(heard))
    assert heard == EVERY_BYTE


def test_a_read_gives_no_more_than_was_asked_for_and_keeps_the_rest(far: FarSide, link: Link) -> None:
    far.send(b"0123456789")
    first = link.read(4)
    assert 1 <= len(first) <= 4
    assert first + read_until(link, 10 - len(first)) == b"0123456789"


def test_a_silent_line_reads_as_nothing(link: Link) -> None:
    assert link.read(4096) == b""


def test_a_device_that_vanishes_is_a_lost_link_that_names_the_cable(far: FarSide, link: Link) -> None:
    far.send(b"x")
    assert read_until(link, 1) == b"x"
    far.vanish()
    with pytest.raises(LinkLostError) as lost:
        read_until(link, 1)
    assert far.url in lost.value.sentence
    assert lost.value.sentence.endswith(".")


# --- waiting at a line on which nothing goes on --------------------------------------------------------

TOO_LONG_S = 20 * PATIENCE_S


def waiting(link: Link) -> threading.Thread:
    """A thread that waits at the line for far longer than anybody waits for it."""
    thread = threading.Thread(target=link.wait, args=(TOO_LONG_S,), daemon=True)
    thread.start()
    return thread


def ended(thread: threading.Thread) -> bool:
    thread.join(PATIENCE_S)
    return not thread.is_alive()


def test_a_wait_ends_with_the_first_byte(far: FarSide, link: Link) -> None:
    wait = waiting(link)
    far.send(b"x")
    assert ended(wait)
    assert read_until(link, 1) == b"x"


def test_a_wait_ends_at_once_where_something_is_left_to_read(far: FarSide, link: Link) -> None:
    far.send(b"xyz")
    first = link.read(1)
    assert ended(waiting(link))
    assert first + read_until(link, 2) == b"xyz"


def test_a_wait_ends_when_the_line_is_gone(far: FarSide, link: Link) -> None:
    far.send(b"x")
    assert read_until(link, 1) == b"x"
    wait = waiting(link)
    far.vanish()
    assert ended(wait)
    with pytest.raises(LinkLostError):
        read_until(link, 1)


def test_a_wait_ends_when_somebody_wakes_the_line_also_just_before(link: Link) -> None:
    for _ in range(2):
        wait = waiting(link)
        link.wake()
        assert ended(wait)
    link.wake()
    assert ended(waiting(link))


def test_a_wait_at_a_silent_line_comes_to_its_end(link: Link) -> None:
    link.wait(0.001)
    assert link.read(1) == b""


@pytest.fixture
def many_open() -> Iterator[None]:
    """The next thing that is opened has a number beyond 1023, as where a thousand screens are open."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(2_048, limits[0]), limits[1]))
    with ExitStack() as stack:
        while stack.enter_context(open(os.devnull, "rb")).fileno() < 1_024:
            pass
        yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.usefixtures("many_open")
def test_a_line_is_waited_for_read_and_written_whatever_its_number(far: FarSide) -> None:
    with closing(open_link(far.url, SETTINGS, bay=far.bay, read_timeout_s=0.05)) as link:
        wait = waiting(link)
        wait.join(0.01)
        assert wait.is_alive()
        far.send(b"card")
        assert ended(wait)
        assert read_until(link, 4) == b"card"
        link.write(b"lock")
        assert far.receive(4) == b"lock"


def test_a_closed_link_is_woken_and_waited_for_in_vain(link: Link) -> None:
    link.close()
    link.wake()
    assert ended(waiting(link))


def test_a_link_may_be_closed_twice(link: Link) -> None:
    link.close()
    link.close()


def test_reading_a_closed_link_is_a_lost_link(link: Link) -> None:
    link.close()
    with pytest.raises(LinkLostError):
        link.read(1)


@pytest.mark.parametrize("side", [PtySide, WireSide], ids=["pty", "sim"])
def test_what_the_device_sent_before_the_link_was_opened_is_not_thrown_away(side: Callable[[], FarSide]) -> None:
    far = side()
    far.send(b"early")
    link = open_link(far.url, SETTINGS, bay=far.bay, read_timeout_s=0.05)
    assert read_until(link, 5) == b"early"
    link.close()
    far.close()


def test_a_supervisor_hears_the_same_cards_over_every_link(far: FarSide) -> None:
    sealer = Sealer(random.Random(1).randbytes)
    supervisor = Supervisor(
        "shoe1",
        far.url,
        open_link=partial(open_link, bay=far.bay, read_timeout_s=0.05),
        driver=build_driver("angel_eye", DriverSpec("shoe1", sealer)),
        sealer=sealer,
        pace=LinkPace(down_wait_s=0),
    )
    seen = [*supervisor.step(1)]
    for card in DECK:
        far.send(encode_report(0x31 + card.index % 9, "D", bytes((0x81, card_byte(card)))) * 3)
    for now_ms in range(2, 400):
        seen += supervisor.step(now_ms)
        if sum(isinstance(one, ShoeDrewCard) for one in seen) == 52:
            break
    supervisor.close()
    assert isinstance(seen[0], LinkUp)
    assert [one.card.card() for one in seen if isinstance(one, ShoeDrewCard)] == list(DECK)
    assert {type(one) for one in seen} == {LinkUp, LineBytes, ShoeDrewCard}


# --- what cannot be opened ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def held_port() -> Iterator[int]:
    """One that nobody listens at, and nobody else can take meanwhile."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


@pytest.mark.parametrize(
    ("url", "says"),
    [
        pytest.param("/dev/ttyUSB99", "The cable at /dev/ttyUSB99 is not there", id="missing path"),
        pytest.param("/dev/serial/none-*", "fits none", id="pattern that fits nothing"),
        pytest.param("socket://127.0.0.1:{held}", "does not answer", id="nobody listens"),
        pytest.param("socket://nowhere", "write it as socket://host:port", id="no port"),
        pytest.param("socket://host:port", "write it as socket://host:port", id="port that is no number"),
        pytest.param("sim://ghost", "plugged in are: none", id="no such simulated device"),
        pytest.param("ftp://host", "write a device path", id="unknown kind"),
        pytest.param("/dev/null", "is no serial port", id="not a serial port"),
        pytest.param("/tmp", "is no serial port", id="a folder"),
        pytest.param("/dev/tty\0", "cannot be opened", id="a name that cannot be"),
        pytest.param("socket://..:1", "write it as socket://host:port", id="a host that cannot be"),
        pytest.param("", "No link is configured", id="empty"),
    ],
)
def test_what_cannot_be_opened_says_why_in_a_sentence(url: str, says: str, held_port: int) -> None:
    with pytest.raises(LinkLostError, match=says) as lost:
        open_link(url.replace("{held}", str(held_port)), SETTINGS, bay=PatchBay())
    assert lost.value.sentence.endswith(".")


def test_a_port_in_use_by_another_program_says_so() -> None:
    side = PtySide()
    first = open_link(side.url, SETTINGS)
    with pytest.raises(LinkLostError, match="in use by another program"):
        open_link(side.url, SETTINGS)
    first.close()
    side.close()


def test_a_pattern_follows_the_device_that_comes_back_under_another_name(tmp_path: Path) -> None:
    side = PtySide()
    (tmp_path / "usb-FTDI-7").symlink_to(side.url)
    link = open_link(str(tmp_path / "usb-*"), SETTINGS, read_timeout_s=0.05)
    side.send(b"x")
    assert read_until(link, 1) == b"x"
    link.close()
    (tmp_path / "usb-other").symlink_to(side.url)
    with pytest.raises(LinkLostError, match="must fit exactly one port"):
        open_link(str(tmp_path / "usb-*"), SETTINGS)
    side.close()


def test_a_device_server_that_speaks_first_is_heard() -> None:
    side = ServerSide()
    link = open_link(side.url, SETTINGS, read_timeout_s=0.05)
    side.send(b"hello")
    assert read_until(link, 5) == b"hello"
    link.close()
    side.close()


# --- the wire -----------------------------------------------------------------------------------------


def test_a_pulled_cable_loses_what_was_under_way_and_what_is_sent_meanwhile() -> None:
    wire = Wire()
    wire.machine_write(b"lost")
    wire.unplug()
    wire.machine_write(b"lost too")
    wire.plug()
    wire.machine_write(b"heard")
    assert wire.host_read(100, 0) == b"heard"


def test_a_wire_that_nobody_reads_does_not_hoard() -> None:
    wire = Wire()
    for _ in range(20):
        wire.machine_write(bytes(QUEUE_BYTES_MAX // 8))
    assert len(wire.host_read(10 * QUEUE_BYTES_MAX, 0)) == QUEUE_BYTES_MAX


def test_a_waiting_reader_wakes_with_the_first_byte() -> None:
    wire = Wire()
    with ThreadPoolExecutor(1) as far:
        sent = far.submit(wire.machine_write, b"x")
        assert wire.host_read(10, timeout_s=PATIENCE_S) == b"x"
        sent.result()


def test_a_byte_takes_its_time_on_the_line() -> None:
    assert LineSettings(baud=4800).byte_ms == pytest.approx(10 / 4.8)
