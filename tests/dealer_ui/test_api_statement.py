"""An operator's day over the interface: the very file the command line writes, of days that are over, his alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from api_fake_floor import NORTH_KEY, SOUTH, SOUTH_KEY, FakeFloor, Seats
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from dealer_ui.desk.operator_key import OperatorKeys, digest_of_key
from studio.cli.statement import command
from studio.journal import Reader
from studio.operators import Operator
from tests.studio.report_night import play

NIGHT = "2025-12-31"
"""The gaming day of a simulated night, which begins at midnight of the new year: it began at six."""
DAY_MS = 24 * 60 * 60 * 1000
HEADS = b"kind,id,bettor,round,state,amount_minor,currency,at,free_bet\r\n"


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("night"), rounds=3, seed=5)


class NightFloor(FakeFloor):
    """The books of a simulated night, at a moment of one's own."""

    def __init__(self, night: Path) -> None:
        super().__init__()
        with closing(sqlite3.connect(night)) as connection:
            ((self.operator,),) = connection.execute("SELECT DISTINCT operator FROM bet").fetchall()
            ((self.now,),) = connection.execute("SELECT max(at) FROM journal").fetchall()
        keys = {self.operator: NORTH_KEY, "south": SOUTH_KEY}
        self.operators = OperatorKeys({name: Operator({digest_of_key(key): None}) for name, key in keys.items()})
        self.books = Reader.open(night)

    def reader(self) -> Reader:
        return self.books

    def close(self) -> None:
        self.books.close()
        super().close()


@pytest.fixture
def floor(night: Path) -> Iterator[NightFloor]:
    floor = NightFloor(night)
    yield floor
    floor.close()


@pytest.fixture
def client(floor: NightFloor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(1)))
    return app.test_client()


MINE = {"Authorization": f"Bearer {NORTH_KEY}"}


def asked(client: FlaskClient, day: str, headers: Any = MINE) -> bytes:
    answer = client.get(f"/api/v1/statements/{day}", headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, "text/csv"), answer.get_json()
    return answer.data


def error(client: FlaskClient, day: str) -> tuple[int, str, str]:
    answer = client.get(f"/api/v1/statements/{day}", headers=MINE)
    told = answer.get_json()["error"]
    return answer.status_code, told["key"], told["sentence"]


def test_a_day_is_told_when_it_is_over(client: FlaskClient, floor: NightFloor) -> None:
    status, key, sentence = error(client, NIGHT)
    assert (status, key) == (409, "day_not_over")
    assert "2026-01-01T06:00" in sentence
    floor.now += DAY_MS
    assert len(asked(client, NIGHT).splitlines()) > 10


def test_it_is_byte_for_byte_what_the_command_line_writes(
    client: FlaskClient, floor: NightFloor, night: Path, tmp_path: Path
) -> None:
    floor.now += DAY_MS
    file = tmp_path / "day.csv"
    options = ["--operator", floor.operator, "--day", NIGHT, "--day-begins", "06:00", "--csv", str(file)]
    done = CliRunner().invoke(command, [str(night), *options])
    assert done.exit_code == 0, done.output
    assert asked(client, NIGHT) == file.read_bytes()


def test_nobody_reads_of_another_operator_and_a_day_of_nothing_has_its_heads(
    client: FlaskClient, floor: NightFloor
) -> None:
    floor.now += DAY_MS
    assert asked(client, NIGHT, SOUTH) == HEADS
    assert asked(client, "2025-12-30") == HEADS
    assert client.get(f"/api/v1/statements/{NIGHT}").status_code == 401


@pytest.mark.parametrize("day", ["yesterday", "2023-02-30", "20231114", "2023-11-14T06:00", "1969-12-31"])
def test_what_is_no_day_is_said_so(client: FlaskClient, day: str) -> None:
    assert error(client, day) == (404, "bad_day", "Name a gaming day of the studio as in 2026-01-31.")


@pytest.mark.parametrize("day", ["2026-01-01", "9999-12-31"])
def test_a_day_to_come_is_not_over(client: FlaskClient, day: str) -> None:
    assert error(client, day)[:2] == (409, "day_not_over")
