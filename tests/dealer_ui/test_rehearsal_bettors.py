"""The simulated bettors: they bet in each window, and nothing the studio does brings them down."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from api_fake_floor import NORTH_KEY, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient
from patience import PATIENCE_S
from studio_process import free_port
from waitress import create_server, wasyncore

from dealer_ui.api.door import blueprint
from dealer_ui.rehearsal.person.bettors import BettorCrowd, CrowdPlan
from dealer_ui.rehearsal.person.interface import Interface, InterfaceError
from studio.errors import StorageError


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    yield floor
    floor.close()


class ShortWire(Interface):
    """The interface without a network; `broken` fails before, `lost` after the studio has acted."""

    def __init__(self, client: FlaskClient) -> None:
        super().__init__("nowhere", 1, NORTH_KEY)
        self._client = client
        self.broken = False
        self.lost = False

    def _exchange(self, method: str, path: str, payload: bytes | None) -> tuple[int, bytes]:
        if self.broken:
            raise ConnectionRefusedError("no studio")
        response = self._client.open(f"/api/v1{path}", method=method, data=payload, headers=self._headers)
        if self.lost and method == "POST":
            raise ConnectionResetError("the answer was lost")
        return response.status_code, response.data


@pytest.fixture
def wire(floor: FakeFloor) -> ShortWire:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(4, floor)))
    return ShortWire(app.test_client())


def crowd_of(wire: Interface, seed: int = 7, **plan: Any) -> BettorCrowd:
    return BettorCrowd(wire, CrowdPlan(table="t1", run="x1", **plan), random.Random(seed))


def play_window(floor: FakeFloor, crowd: BettorCrowd, number: int = 1) -> None:
    floor.open_bets(f"t1-r{number}", number)
    for _ in range(15):
        crowd.step()
        floor.now += 1_000
    floor.close_bets()
    crowd.step()


def test_each_bettor_is_funded_once_and_bets_in_the_window(floor: FakeFloor, wire: ShortWire) -> None:
    crowd = crowd_of(wire, absent_chance=0.0, again_chance=0.0, over_limit_chance=0.0)
    play_window(floor, crowd)
    tally = crowd.tally
    assert (tally.deposits, tally.rounds, tally.failures) == (20, 1, 0)
    bets = list(floor.reader().bets("t1-r1"))
    assert {bet.bettor for bet in bets} == {f"bettor{n}" for n in range(1, 21)}
    assert len(bets) == tally.accepted >= 20
    assert not tally.refused
    assert 1 < tally.batches <= 15


def test_equal_seeds_place_equal_bets(floor: FakeFloor, wire: ShortWire) -> None:
    play_window(floor, crowd_of(wire))
    other = FakeFloor()
    app = Flask("test")
    app.register_blueprint(blueprint(other, Seats(4, other)))
    play_window(other, crowd_of(ShortWire(app.test_client())))
    assert list(other.reader().bets("t1-r1")) == list(floor.reader().bets("t1-r1"))
    other.close()


def test_some_bets_come_twice_and_some_above_the_limit(floor: FakeFloor, wire: ShortWire) -> None:
    crowd = crowd_of(wire, again_chance=0.3, over_limit_chance=0.3)
    for number in range(1, 6):
        play_window(floor, crowd, number)
        floor.settle({})
    assert crowd.tally.duplicate > 0
    assert crowd.tally.refused["over_limit"] > 0
    assert crowd.tally.accepted == sum(len(list(floor.reader().bets(f"t1-r{n}"))) for n in range(1, 6))


def test_an_empty_purse_is_filled_again(floor: FakeFloor, wire: ShortWire) -> None:
    crowd = crowd_of(wire, bettors=3, deposit_minor=300)
    for number in range(1, 12):
        play_window(floor, crowd, number)
        floor.settle({})
    assert crowd.tally.refused["insufficient_balance"] > 0
    assert crowd.tally.deposits > 3


def test_nobody_bets_while_the_table_is_held(floor: FakeFloor, wire: ShortWire) -> None:
    crowd = crowd_of(wire)
    floor.show(now={"held": True})
    play_window(floor, crowd)
    assert crowd.tally.batches == 0
    floor.show(now={"held": False})
    play_window(floor, crowd, 2)
    assert crowd.tally.accepted > 0


def test_a_studio_that_is_away_is_asked_again_less_and_less_often(floor: FakeFloor, wire: ShortWire) -> None:
    crowd = crowd_of(wire)
    wire.broken = True
    waits = [crowd.step() for _ in range(7)]
    assert waits == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]
    wire.broken = False
    assert crowd.step() == 0.25
    assert crowd.tally.failures == 7
    play_window(floor, crowd)
    assert crowd.tally.accepted > 0


def test_a_batch_whose_answer_was_lost_is_sent_again_and_counts_once(floor: FakeFloor, wire: ShortWire) -> None:
    crowd = crowd_of(wire, again_chance=0.0, over_limit_chance=0.0)
    crowd.step()
    floor.open_bets()
    crowd.step()
    floor.now += 14_000
    wire.lost = True
    crowd.step()
    wire.lost = False
    floor.close_bets()
    crowd.step()
    placed = len(list(floor.reader().bets("t1-r1")))
    assert placed == crowd.tally.duplicate > 0
    assert crowd.tally.accepted == 0
    assert crowd.tally.failures == 1


def test_a_studio_in_trouble_brings_no_bettor_down(floor: FakeFloor, wire: ShortWire) -> None:
    crowd = crowd_of(wire)
    floor.fail = StorageError("The disk is full.")
    crowd.step()
    floor.fail = KeyError("a bug")
    crowd.step()
    assert crowd.tally.failures == 2


# --- over a real server -------------------------------------------------------------------------------


@contextmanager
def served(floor: FakeFloor, port: int = 0) -> Iterator[int]:
    """The interface behind waitress, on a port of its own."""
    app = Flask("test")
    closing = threading.Event()
    app.register_blueprint(blueprint(floor, Seats(2, floor), closing=closing))
    sockets: dict[int, Any] = {}
    server = create_server(app, host="127.0.0.1", port=port, threads=4, map=sockets)
    stopping = threading.Event()

    def serve() -> None:
        while not stopping.is_set():
            wasyncore.loop(timeout=0.05, map=sockets, count=1)
        wasyncore.close_all(sockets)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield server.effective_port
    finally:
        closing.set()
        floor.show()
        server.task_dispatcher.shutdown()
        stopping.set()
        thread.join()


def until(condition: Callable[[], bool], floor: FakeFloor) -> None:
    pause = threading.Event()
    for _ in range(int(PATIENCE_S / 0.02)):
        if condition():
            return
        floor.now += 100
        pause.wait(0.02)
    raise AssertionError("it never came")


def test_a_crowd_bets_over_http_and_outlives_a_restart(floor: FakeFloor) -> None:
    stop = threading.Event()
    with served(floor, free_port()) as port:  # it comes back at the same one
        crowd = crowd_of(Interface("127.0.0.1", port, NORTH_KEY), poll_s=0.01)
        thread = threading.Thread(target=crowd.run, args=(stop,))
        thread.start()
        floor.open_bets("t1-r1", 1)
        until(lambda: crowd.tally.accepted > 5, floor)
        floor.settle({})
    until(lambda: crowd.tally.failures > 0, floor)
    before = crowd.tally.accepted
    with served(floor, port):
        floor.open_bets("t1-r2", 2)
        until(lambda: crowd.tally.accepted > before, floor)
        stop.set()
        thread.join()
    assert crowd.tally.rounds == 2


def test_one_connection_serves_many_requests_and_a_wrong_key_none(floor: FakeFloor) -> None:
    with served(floor) as port:
        interface = Interface("127.0.0.1", port, NORTH_KEY)
        interface.table("t1")
        first = interface._connection.sock
        assert interface.deposit("ann", "d1", 500) == 500
        assert interface.deposit("ann", "d1", 500) == 500
        assert interface._connection.sock is first
        interface.close()
        stranger = Interface("127.0.0.1", port, "wrong")
        with pytest.raises(InterfaceError, match="401"):
            stranger.table("t1")
        stranger.close()


def test_a_stream_over_http_tells_a_change_at_once(floor: FakeFloor) -> None:
    with served(floor) as port:
        interface = Interface("127.0.0.1", port, NORTH_KEY)
        interface._connection.request("GET", "/api/v1/tables/t1/stream", headers=interface._headers)
        response = interface._connection.getresponse()
        lines = iter(response.readline, b"")
        assert next(line for line in lines if line.startswith(b"id:")) == b"id: 1\n"
        floor.open_bets()
        assert next(line for line in lines if line.startswith(b"id:")) == b"id: 2\n"
        response.close()
        interface.close()
