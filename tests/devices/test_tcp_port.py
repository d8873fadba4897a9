"""A simulated device behind a TCP port, with the links and supervisors of hosts at the other end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import pytest
from patience import wait_until

from devices.catalogue import DriverSpec, build_driver
from devices.link import LinkLostError, SocketLink, open_link
from devices.sim.wire.shoe import SimShoe
from devices.sim.wire.tcp import TcpPort
from devices.supervisor import LinkPace, Supervisor
from devices.wire import Wire
from studio.cards import Sealer, parse_cards
from studio.errors import BadInputError
from studio.ports import LinkDown, LinkUp, Observation, ShoeDrewCard


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def port(wire: Wire) -> Iterator[TcpPort]:
    made = TcpPort(wire)
    yield made
    made.close()


def connected(port: TcpPort) -> SocketLink:
    before = port.taken
    link = SocketLink(port.url, read_timeout_s=0.01)
    wait_until(lambda: port.pump(0) or port.taken > before)
    return link


def heard(port: TcpPort, link: SocketLink, count: int) -> bytes:
    found = bytearray()

    def come() -> bool:
        port.pump(0)
        found.extend(link.read(100))
        return len(found) >= count

    wait_until(come)
    return bytes(found)


def test_bytes_go_both_ways(wire: Wire, port: TcpPort) -> None:
    link = connected(port)
    wire.machine_write(b"card")
    assert heard(port, link, 4) == b"card"
    link.write(b"lock")
    wait_until(lambda: port.pump(0) or wire.machine_read() == b"lock")
    link.close()


def test_what_is_said_while_nobody_is_connected_is_lost(wire: Wire, port: TcpPort) -> None:
    wire.machine_write(b"nobody hears this")
    port.pump(0)
    link = connected(port)
    wire.machine_write(b"this")
    assert heard(port, link, 4) == b"this"
    link.close()


def test_the_host_that_came_last_has_the_line_and_the_one_before_is_hung_up(wire: Wire, port: TcpPort) -> None:
    first = connected(port)
    second = connected(port)
    wire.machine_write(b"card")
    assert heard(port, second, 4) == b"card"
    with pytest.raises(LinkLostError):
        heard(port, first, 1)
    first.close()
    port.pump(0)
    wire.machine_write(b"next")
    assert heard(port, second, 4) == b"next"
    second.close()


def test_a_port_that_is_taken_is_told(port: TcpPort) -> None:
    number = int(port.url.rpartition(":")[2])
    with pytest.raises(BadInputError, match=f"No device can answer at port {number}: Address already in use"):
        TcpPort(Wire(), number)


def test_an_unplugged_device_hangs_up_and_answers_again_once_it_is_plugged_in(wire: Wire, port: TcpPort) -> None:
    link = connected(port)
    wire.unplug()
    port.pump(0)
    assert not port.connected
    link.close()
    wire.plug()
    again = connected(port)
    assert port.connected
    again.close()


def supervisor_at(port: TcpPort) -> Supervisor:
    sealer = Sealer(random.Random(1).randbytes)
    driver = build_driver("angel_eye", DriverSpec("shoe", sealer))
    return Supervisor(
        "shoe", port.url, open_link=partial(open_link, read_timeout_s=0.0), driver=driver, sealer=sealer,
        pace=LinkPace(down_wait_s=0),
    )  # fmt: skip


class Line:
    """A simulated shoe at one end of a TCP line, the supervisor of a host at the other, and a clock stepped by hand."""

    def __init__(self, wire: Wire, port: TcpPort) -> None:
        self.shoe, self.port = SimShoe(wire, random.Random(1)), port
        self.now_ms = 0

    def seen(self, host: Supervisor, kind: type[Observation]) -> Observation:
        """The first observation of that kind that comes from here on."""
        found: list[Observation] = []

        def come() -> bool:
            self.now_ms += 10
            self.shoe.step(self.now_ms)
            self.port.pump(0)
            found.extend(one for one in host.step(self.now_ms) if isinstance(one, kind))
            return bool(found)

        wait_until(come, look_s=0.001)
        return found[0]


def drawn(line: Line, host: Supervisor) -> str:
    line.shoe.draw()
    seen = line.seen(host, ShoeDrewCard)
    assert isinstance(seen, ShoeDrewCard)
    assert seen.card is not None
    return str(seen.card.card())


def test_a_cut_line_is_told_and_made_again_and_the_shoe_goes_on_with_its_next_card(wire: Wire, port: TcpPort) -> None:
    line, host = Line(wire, port), supervisor_at(port)
    line.shoe.load(parse_cards("2h 6c 9d"))
    line.seen(host, LinkUp)
    assert drawn(line, host) == "2h"
    port.hang_up()
    line.seen(host, LinkDown)
    line.seen(host, LinkUp)
    assert drawn(line, host) == "6c"
    host.close()


def test_another_host_at_the_same_line_goes_on_with_the_same_shoe_in_the_same_order(wire: Wire, port: TcpPort) -> None:
    line, host, other = Line(wire, port), supervisor_at(port), supervisor_at(port)
    line.shoe.load(parse_cards("2h 6c 9d Js"))
    line.seen(host, LinkUp)
    assert [drawn(line, host), drawn(line, host)] == ["2h", "6c"]
    host.close()  # as when it is killed
    line.seen(other, LinkUp)
    assert [drawn(line, other), drawn(line, other)] == ["9d", "Js"]
    other.close()


def test_a_host_that_may_not_have_the_line_never_takes_it_from_the_one_that_has(wire: Wire, port: TcpPort) -> None:
    line, late, host = Line(wire, port), supervisor_at(port), supervisor_at(port)
    line.shoe.load(parse_cards("2h 6c"))
    held = [""]
    late.open_unless(lambda: held[0])
    line.seen(late, LinkUp)
    line.seen(host, LinkUp)  # it has the table by now, and the line with it
    held[0] = "This host has not held the table on."
    told = line.seen(late, LinkDown)
    assert isinstance(told, LinkDown)
    for _ in range(2_000):
        line.now_ms += 10
        late.step(line.now_ms)
    assert drawn(line, host) == "2h"
    late.close()
    host.close()
