"""The desk of operators and its door, in one process: who is refused while what is open goes on."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
from running_studio import API_KEY, House

from dealer_ui.assembly.operators_door import Door, ask_running
from dealer_ui.assembly.operators_order import Order, carry_out
from dealer_ui.config.file import OperatorSection
from dealer_ui.desk.operator import OperatorDesk
from dealer_ui.desk.operator_call import CallTerms
from dealer_ui.desk.operator_key import OperatorKeys, digest_of_key
from studio.journal import Reader
from studio.money import bettor_account
from studio.operators import Operator
from studio.operators.changing import Why, resume_operator, suspend_operator
from studio.operators.operator_event import AnyOperatorEvent
from studio.tables import command as c

SECTIONS = {"north": OperatorSection(key_sha256=digest_of_key(API_KEY))}


def suspending(desk: OperatorDesk, now_ms: int) -> AnyOperatorEvent:
    return suspend_operator(desk.in_force(), "north", Why("root at the machine", "it leaked", now_ms))


def test_the_bets_of_a_suspended_operator_are_settled_and_paid_and_he_places_no_more(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.betting()
        assert house.bet("one").json["answers"][0]["status"] == "accepted"
        house.floor.operator_desk.change(suspending)
        assert (house.bet("two").status_code, house.bet("two").json["error"]["key"]) == (403, "key_suspended")
        house.do(c.CloseBetting)
        house.deal_all()
        house.finish()
        paid = house.floor.reader().balance(bettor_account("north", "ann"), "EUR")
        house.floor.operator_desk.change(resuming)
        assert house.get("/bets/one").json["status"] == "posted"
        assert paid == house.get("/bettors/ann/balance").json["balance"]


def resuming(desk: OperatorDesk, now_ms: int) -> AnyOperatorEvent:
    return resume_operator(desk.in_force(), "north", Why("root at the machine", "found", now_ms), desk.file)


def no_books() -> Reader:
    raise AssertionError("nobody here asks the books")


def desk_of(keys: OperatorKeys) -> OperatorDesk:
    desk = OperatorDesk(lambda unit: 1, lambda: 1_000, keys, no_books)
    desk.take_file(SECTIONS)
    return desk


def test_the_file_may_suspend_and_may_leave_the_key_to_the_record() -> None:
    keys = OperatorKeys({})
    desk = desk_of(keys)
    assert keys.lets_in(API_KEY)
    desk.take_file({"north": OperatorSection(key_sha256=digest_of_key(API_KEY), suspended=True)})
    assert (keys.operator_of(API_KEY), keys.lets_in(API_KEY)) == ("north", False)
    desk.take_file({"north": OperatorSection()})
    assert (list(keys), keys.operator_of(API_KEY), keys.operator_of("")) == (["north"], None, None)


class Interrupted(OperatorKeys):
    """Somebody else comes to the desk while the next result is being put here."""

    def __init__(self) -> None:
        super().__init__({})
        self.other: threading.Thread | None = None

    def put(self, operators: Mapping[str, Operator], calls: Mapping[str, CallTerms]) -> None:
        other, self.other = self.other, None
        if other is not None:
            other.start()
            other.join(0.1)  # he waits for his turn; where he need not, he is done by now, and overwritten below
        super().put(operators, calls)


def test_a_file_that_is_read_again_does_not_let_in_who_is_suspended_at_that_moment() -> None:
    keys = Interrupted()
    desk = desk_of(keys)
    keys.other = other = threading.Thread(target=desk.change, args=(suspending,))
    desk.take_file(SECTIONS)
    other.join()
    assert not keys.lets_in(API_KEY)


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], Path]]:
    """A door of a studio, opened in a thread; gives the socket."""
    stopping, threads = threading.Event(), list[threading.Thread]()
    answer = partial(carry_out, desk_of(OperatorKeys({})))

    def open_door() -> Path:
        door = Door(tmp_path / "studio.db")
        threads.append(threading.Thread(target=door.keep, args=(answer, stopping)))
        threads[-1].start()
        return tmp_path / "studio.db.door"

    yield open_door
    stopping.set()
    for thread in threads:
        thread.join()


def test_the_door_is_its_owners_alone_whatever_the_umask(opened: Callable[[], Path], open_umask: None) -> None:
    assert f"{opened().stat().st_mode & 0o777:o}" == "600"


def test_a_socket_that_a_killed_studio_left_is_replaced(opened: Callable[[], Path], tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "studio.db.door"))
    assert ask_running(tmp_path / "studio.db", Order("list")) is None
    opened()
    there = ask_running(tmp_path / "studio.db", Order("list"))
    assert there is not None
    assert [one.operator for one in there.standings] == ["north"]


def test_what_is_no_order_is_answered_in_a_sentence(opened: Callable[[], Path]) -> None:
    door = opened()
    for line in (b"\n", b"{}\n", b"[1]\n", b'{"verb":"add","hours":null}\n', b'{"verb":"dance"}\n', b"\xff\xff\n"):
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(door))
            asking.sendall(line)
            said = asking.recv(4096)
        assert json.loads(said)["refused"].endswith(("?", ")", ".")), said
