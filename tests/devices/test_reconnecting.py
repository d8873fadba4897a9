"""Cables pulled and plugged in, again and again, under another name each time: nothing leaks, nothing spins."""

from __future__ import annotations

import os
import random
import socket
import struct
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

import pytest

from devices.catalogue import DriverSpec, build_driver
from devices.link import LineSettings, Link, LinkLostError, open_link
from devices.shoe.angel_eye_codec import encode_report
from devices.supervisor import LinkPace, Supervisor
from devices.wire import PatchBay, Wire
from studio.cards import Sealer
from studio.ports import LinkDown, LinkUp, Observation, ShoeDrewCard

CARD = encode_report(0x32, "D", b"\x81\xb8")
T0 = 1_700_000_000_000
LATER_MS = 6_000
"""Longer than a supervisor ever waits before it opens a link again."""


class Cable(Protocol):
    """A cable that can be pulled."""

    @property
    def url(self) -> str: ...

    @property
    def bay(self) -> PatchBay | None: ...

    def plug(self) -> None: ...

    def connect(self) -> None:
        """The host has opened its end."""
        ...

    def send(self, data: bytes) -> None: ...

    def pull(self) -> None: ...

    def close(self) -> None: ...


class SimCable:
    url = "sim://dev"

    def __init__(self, folder: Path) -> None:
        self._wire, self.bay = Wire(), PatchBay()
        self.bay.plug("dev", self._wire)
        self.send = self._wire.machine_write
        self.plug, self.pull = self._wire.plug, self._wire.unplug

    def connect(self) -> None:
        pass

    def close(self) -> None:
        pass


class PtyCable:
    """A pseudo-terminal behind a name that stays, as udev gives it: a new one each time, and so another port."""

    bay = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ends: list[int] = []
        self._times = 0
        self.url = str(folder / "usb-FTDI_FT232_A5*")
        self.ports: set[str] = set()

    def plug(self) -> None:
        self._times += 1
        other = os.openpty() if self._times % 2 else ()  # every other time the first free name is taken already
        self._ends = [*os.openpty(), *other]
        tty.setraw(self._ends[1])
        port = os.ttyname(self._ends[1])
        self.ports.add(port)
        (self._folder / f"usb-FTDI_FT232_A5-{self._times}").symlink_to(port)

    def connect(self) -> None:
        pass

    def send(self, data: bytes) -> None:
        os.write(self._ends[0], data)

    def pull(self) -> None:
        for end in self._ends:
            os.close(end)
        self._ends = []
        for link in self._folder.iterdir():
            link.unlink()

    def close(self) -> None:
        self.pull()


class SocketCable:
    """A device server that throws its clients out."""

    bay = None

    def __init__(self, folder: Path) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._client: socket.socket | None = None
        self.url = f"socket://127.0.0.1:{self._server.getsockname()[1]}"

    def plug(self) -> None:
        pass

    def connect(self) -> None:
        self._client, _ = self._server.accept()
        self._client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def send(self, data: bytes) -> None:
        assert self._client is not None
        self._client.sendall(data)

    def pull(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def close(self) -> None:
        self.pull()
        self._server.close()


CABLES: dict[str, Callable[[Path], Cable]] = {"sim": SimCable, "pty": PtyCable, "socket": SocketCable}


def supervisor_on(cable: Cable) -> Supervisor:
    sealer = Sealer(random.Random(1).randbytes)
    return Supervisor(
        "dev1",
        cable.url,
        open_link=partial(open_link, bay=cable.bay, read_timeout_s=0.05),
        driver=build_driver("angel_eye", DriverSpec("dev1", sealer)),
        sealer=sealer,
        pace=LinkPace(down_wait_s=0),
    )


def reconnect(supervisor: Supervisor, cable: Cable, at_ms: int) -> list[Observation]:
    """Plug in, hear a card, pull out; all that is seen of it."""
    cable.plug()
    seen = list(supervisor.step(at_ms))
    cable.connect()
    cable.send(CARD)
    while not any(isinstance(one, ShoeDrewCard) for one in seen):
        seen += supervisor.step(at_ms + 1)
    cable.pull()
    while not any(isinstance(one, LinkDown) for one in seen):
        seen += supervisor.step(at_ms + 2)
    return seen


@contextmanager
def nothing_leaks() -> Iterator[None]:
    """No more descriptors afterwards than before, and no other threads. What another test left may end meanwhile."""

    def held() -> tuple[int, set[threading.Thread]]:
        return len(os.listdir("/proc/self/fd")), set(threading.enumerate())

    descriptors, threads = held()
    yield
    left = held()
    assert left[0] <= descriptors
    assert left[1] <= threads


def plug_and_pull(kind: str, folder: Path, times: int) -> None:
    with nothing_leaks(), closing(CABLES[kind](folder)) as cable:
        supervisor = supervisor_on(cable)
        for time in range(times):
            seen = reconnect(supervisor, cable, T0 + time * LATER_MS)
            kinds = [type(one) for one in seen]
            assert (kinds.count(LinkUp), kinds.count(ShoeDrewCard), kinds.count(LinkDown)) == (1, 1, 1)
        supervisor.close()


@pytest.mark.parametrize("kind", CABLES)
def test_a_cable_may_be_pulled_again_and_again(kind: str, tmp_path: Path) -> None:
    plug_and_pull(kind, tmp_path, 20)


@pytest.mark.long
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("kind", CABLES)
def test_a_cable_may_be_pulled_ten_thousand_times(kind: str, tmp_path: Path) -> None:
    plug_and_pull(kind, tmp_path, 10_000)


def test_a_device_is_found_again_under_another_name_and_waited_for_while_two_fit(tmp_path: Path) -> None:
    with closing(PtyCable(tmp_path)) as cable:
        supervisor = supervisor_on(cable)
        for time in range(3):
            reconnect(supervisor, cable, T0 + time * LATER_MS)
        assert len(cable.ports) > 1, "the port came back under its old name: nothing was tried"
        cable.plug()
        twin = tmp_path / "usb-FTDI_FT232_A5-twin"
        twin.symlink_to("/dev/null")
        (down,) = supervisor.step(T0 + 3 * LATER_MS)
        assert isinstance(down, LinkDown)
        assert "must fit exactly one port" in down.reason
        twin.unlink()
        assert [type(one) for one in supervisor.step(T0 + 4 * LATER_MS)] == [LinkUp]
        supervisor.close()


# --- never spinning -----------------------------------------------------------------------------------


class Flapping:
    """A link that opens, says what it has, and is gone."""

    def __init__(self, says: bytes) -> None:
        self._says = says

    def read(self, max_bytes: int) -> bytes:
        said, self._says = self._says, b""
        if not said:
            raise LinkLostError("It is gone again; look at the plug.")
        return said

    def wait(self, most_s: float) -> None:
        pass

    def wake(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("says", "opened_max"), [pytest.param(b"", 27, id="mute"), pytest.param(CARD, 250, id="with a card each time")]
)
def test_a_link_that_comes_and_goes_is_opened_no_faster_than_its_pace_allows(says: bytes, opened_max: int) -> None:
    opened: list[int] = []

    def opening(url: str, settings: LineSettings) -> Link:
        opened.append(1)
        return Flapping(says)

    sealer = Sealer(random.Random(1).randbytes)
    driver = build_driver("angel_eye", DriverSpec("dev1", sealer))
    supervisor = Supervisor(
        "dev1", "/dev/x", open_link=opening, driver=driver, sealer=sealer, pace=LinkPace(down_wait_s=0)
    )
    told = [one for ms in range(0, 120_000, 20) for one in supervisor.step(T0 + ms)]
    assert len(opened) <= opened_max
    assert len(told) <= 6 * opened_max


def test_a_missing_device_costs_one_pause_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    sealer = Sealer(random.Random(1).randbytes)
    driver = build_driver("angel_eye", DriverSpec("dev1", sealer))
    supervisor = Supervisor("dev1", "/dev/ttyUSB99", open_link=open_link, driver=driver, sealer=sealer)
    pauses: list[float] = []
    monkeypatch.setattr(supervisor, "_stopped", Pausing(pauses))
    steps = [supervisor.step(T0 + ms) for ms in range(0, 5_000, 20)]
    opened = len(steps) - len(pauses)
    assert opened <= 5
    assert set(pauses) == {LinkPace().down_wait_s}


class Pausing:
    """Counts how often and how long was waited."""

    def __init__(self, pauses: list[float]) -> None:
        self._pauses = pauses

    def wait(self, wait_s: float) -> bool:
        self._pauses.append(wait_s)
        return False
