"""What another process has done is done: nobody is told to try again because a desk here is busy just then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from nats_server import NatsServer, needs_nats
from patience import PATIENCE_S
from wire_house import DESK, WireHouse

from dealer_ui.desk.book import DeskLock

pytestmark = needs_nats


@pytest.fixture
def house(tmp_path: Path) -> Iterator[WireHouse]:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, hosts=(DESK,)) as made:
        yield made


@contextmanager
def busy(lock: DeskLock) -> Iterator[None]:
    """Another's act is under way at that desk, for longer than anybody waits."""
    lock._wait_s, held, over = 0.05, threading.Event(), threading.Event()

    def act() -> None:
        with lock:
            held.set()
            over.wait(PATIENCE_S)

    thread = threading.Thread(target=act)
    thread.start()
    assert held.wait(PATIENCE_S)
    try:
        yield
    finally:
        over.set()
        thread.join(PATIENCE_S)


def test_a_bettor_who_was_launched_is_not_refused(house: WireHouse) -> None:
    with busy(house.web.floor.bettors._lock):
        told = house.post("/bettors/ann/pages", {"table": "t1", "plays": True})
        assert told.status_code == 200, told.text


def test_a_sign_in_that_is_kept_counts_though_another_desk_of_its_host_is_busy(house: WireHouse) -> None:
    with busy(house.hosts[DESK].floor.pit.lock):
        told = house.web.app.test_client().post("/sign-in", data={"badge": "1001", "pin": "4826"})
        assert told.status_code == 303
