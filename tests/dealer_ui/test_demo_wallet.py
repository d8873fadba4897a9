"""The demo of an operator who keeps his bettors' money: another process, his own till, and he may die and come back."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import wait_until

from dealer_ui.rehearsal.demo.demo import Demo, DemoOptions, build_demo
from dealer_ui.rehearsal.demo.own_operator import WELCOME_MINOR, OwnOperator
from dealer_ui.verbs.wallet import operator_command
from studio.money import operator_account
from studio.proof.audit.database import verify

TABLE = "three-card-poker-1"


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    options = DemoOptions(("three_card_poker",), tmp_path / "demo.db", seed=3, speed=20, auto=True, wallet="hmac")
    built = build_demo(options)
    try:
        built.start()
        yield built
    finally:
        built.stop()


def at_till(folder: Path, sql: str) -> int:
    with closing(sqlite3.connect(f"file:{folder / 'operator.db'}?mode=ro", uri=True)) as till:
        return int(till.execute(sql).fetchone()[0] or 0)


def control(address: str, **wanted: list[str]) -> list[str]:
    request = urllib.request.Request(address, json.dumps(wanted).encode(), method="POST")
    with urllib.request.urlopen(request) as answer:
        return list(json.loads(answer.read())["on"])


@pytest.mark.long
def test_a_demo_takes_its_bettors_stakes_from_another_process(demo: Demo, tmp_path: Path) -> None:
    operator, till = demo.operator, tmp_path / "demo.db.operator"
    assert operator is not None
    assert operator.pid != os.getpid()
    client = demo.studio.app.test_client()
    page = client.get(f"/bettor/{TABLE}")
    assert page.status_code == 303
    headers = {"Authorization": f"Bearer {demo.api_key}"}
    serial = iter(range(1, 10_000))

    def bet() -> bool:
        one = {"client_id": f"g{next(serial)}", "bettor": "guest", "bet": "ante", "stake": 500}
        told = client.post(f"/api/v1/tables/{TABLE}/bets", json={"bets": [one]}, headers=headers)
        return told.status_code == 200 and told.get_json()["answers"][0]["status"] == "accepted"

    wait_until(bet)
    assert at_till(till, "SELECT sum(change) FROM movement WHERE kind = 'bet'") == -500
    assert control(operator.control, on=["silent_after"]) == ["silent_after"]
    assert control(operator.control, off=["silent_after"]) == []
    os.kill(operator.pid, signal.SIGKILL)
    wait_until(bet)

    def told_all() -> bool:
        teller = demo.studio.floor.tellers.of("demo")
        assert teller is not None
        taken_minor = demo.studio.floor.reader().balance(operator_account("demo"), "EUR")
        return not teller.desk.owed() and at_till(till, "SELECT sum(change) FROM movement") == taken_minor

    wait_until(told_all)
    assert at_till(till, "SELECT balance FROM bettor WHERE name = 'guest'") != WELCOME_MINOR
    demo.studio.stop()
    found = verify(tmp_path / "demo.db")
    assert found.ok, found.first_wrong


def test_an_operator_who_ends_comes_back_at_his_address(tmp_path: Path) -> None:
    operator, stop = OwnOperator(tmp_path / "north", "rsa"), threading.Event()
    keeper = threading.Thread(target=operator.keep, args=(stop,))
    keeper.start()
    try:
        address, first = operator.control, operator.pid
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: operator.pid != first)
        assert control(address, on=["down"]) == ["down"]
    finally:
        stop.set()
        keeper.join()
        operator.close()


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "north").write_text("a file")
    told = CliRunner().invoke(operator_command, [str(tmp_path / "north" / "deeper"), "--dialect", "rsa"])
    assert told.exit_code != 0
    assert "Choose another folder or port." in told.output
    assert "Traceback" not in told.output
