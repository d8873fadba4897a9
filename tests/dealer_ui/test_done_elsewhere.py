"""What another process has done is done: nobody is told to try again because a desk here is busy just then."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from nats_server import NatsServer, needs_nats
from patience import PATIENCE_S
from wire_house import DESK, WireHouse

from dealer_ui.assembly import on_wire
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


@pytest.mark.parametrize("end", ["blocked", "logout"])
def test_whoever_is_dismissed_stakes_nothing_at_any_host_from_the_answer_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(on_wire, "CATCH_UP_S", PATIENCE_S)  # nobody looks by himself
    bet = {"client_id": "b1", "bettor": "ann", "bet": "shark", "stake": 100}
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats) as house:
        assert house.post("/bettors/ann/deposits", {"client_id": "d", "amount": 1_000}).status_code == 200
        assert house.post(f"/bettors/ann/{end}", {}).status_code == 200
        for table in ("t2", "t3"):
            [answer] = house.post(f"/tables/{table}/bets", {"bets": [bet]}).json["answers"]
            assert answer["reason"] in ("bettor_blocked", "logged_out"), table


def test_terms_that_are_laid_down_anew_hold_at_every_host_from_the_answer_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_wire, "CATCH_UP_S", PATIENCE_S)
    bet = {"client_id": "b1", "bettor": "ann", "bet": "shark", "stake": 200}
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats) as house:
        page = {"table": "t2", "plays": True, "terms": {"most": 100}}
        assert house.post("/bettors/ann/pages", page).status_code == 200
        [answer] = house.post("/tables/t3/bets", {"bets": [bet]}).json["answers"]
        assert answer["reason"] == "over_own_limit"


def test_whoever_acts_at_a_web_node_is_led_back_to_a_page_that_shows_it(tmp_path: Path) -> None:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats) as house:
        client = house.web.app.test_client()
        assert client.post("/sign-in", data={"badge": "2001", "pin": "730162"}).status_code == 303

        def ask(table: str, command: str, times: int, **fields: str) -> str:
            csrf = re.search(r'data-csrf="([^"]+)"', client.get(f"/pit/{table}").text)
            assert csrf is not None
            told = {"command": command, "csrf": csrf[1], "back": f"/pit/{table}", "id": f"{command}{times}", **fields}
            answer = client.post(f"/table/{table}/command", data=told, headers={"Accept": "text/html"})
            assert answer.status_code == 303
            return client.get(answer.location).text

        shown: list[bool] = []
        because = {"reason_code": "drill", "words": "", "pin": "730162"}
        for times in range(6):
            shown.append("form-release_table" in ask("t1", "freeze_table", times))
            shown.append("form-release_table" not in ask("t1", "release_table", times, **because))
        assert all(shown), shown


def test_a_pin_typed_at_a_web_node_whose_clock_is_ahead_counts_at_its_host(house: WireHouse) -> None:
    clock = house.web.floor.now_ms
    begun = clock()
    house.web.floor.use_clock(lambda: begun + 4_000)
    client = house.web.app.test_client()
    assert client.post("/sign-in", data={"badge": "2001", "pin": "730162"}).status_code == 303
    csrf = re.search(r'data-csrf="([^"]+)"', client.get("/pit/t1").text)
    assert csrf is not None
    told = {"csrf": csrf[1], "reason_code": "drill", "pin": "730162"}
    for command in ("freeze_table", "release_table"):
        answer = client.post("/table/t1/command", data={**told, "command": command}, headers={"Accept": "text/html"})
        assert answer.status_code == 303, answer.text
