"""Whoever is turned away at a door is counted, and told in a line of JSON that holds nothing secret."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from running_studio import API_KEY, TABLE, House
from sealed_search import STAFF, sign_up

from dealer_ui.access.turned_away import KEYS_A_DAY, TurnedAway
from dealer_ui.assembly.metrics import metrics_routes
from dealer_ui.desk.operator_key import digest_of_key

WRONG_KEY, WRONG_PIN = "lds_a-key-that-nobody-has-123", "84620175"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("doors")) as house:
        sign_up(house)
        yield house


def lines(house: House) -> list[dict[str, Any]]:
    file = house.database.with_name("studio.db.access")
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def newest(house: House) -> dict[str, str]:
    line = lines(house)[-1]
    assert line.pop("at").endswith("Z")
    assert line.pop("count") > 0
    return line


def ask(house: House, authorization: str) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    assert house.api.get("/api/v1/tables", headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("authorization", "reason"),
    [("", "key_missing"), (f"Bearer {WRONG_KEY}", "key_unknown"), ("Basic bm9ydGg6eA==", "key_missing")],
)
def test_a_failed_key_is_told_without_the_key(house: House, authorization: str, reason: str) -> None:
    ask(house, authorization)
    assert newest(house) == {"door": "interface", "reason": reason, "address": "127.0.0.1", "who": ""}


def test_a_refused_sign_in_names_a_badge_only_where_somebody_wears_it(house: House) -> None:
    for badge, who in (("1001", "1001"), ("1111", ""), (WRONG_PIN, "")):
        answer = house.api.post("/sign-in", data={"badge": badge, "pin": WRONG_PIN})
        assert answer.status_code in (401, 429)
        line = newest(house)
        assert (line["door"], line["who"], line["address"]) == ("sign_in", who, "127.0.0.1")
        assert line["reason"] in ("sign_in_refused", "sign_in_too_often", "wrong_sign_in")


def test_a_sign_in_at_the_table_that_is_refused_is_told_too(house: House) -> None:
    before = len(lines(house))
    house.api.post(f"/dealer/{TABLE}/relief", data={"badge": "2001", "pin": WRONG_PIN})
    assert (len(lines(house)), newest(house)["who"]) == (before + 1, "2001")


def test_no_secret_is_in_the_file_and_it_is_its_owners_alone(house: House) -> None:
    ask(house, f"Bearer {WRONG_KEY}")
    house.api.post("/sign-in", data={"badge": "2001", "pin": WRONG_PIN})
    file = house.database.with_name("studio.db.access")
    told = file.read_text()
    assert all(secret not in told for secret in (WRONG_KEY, WRONG_PIN, API_KEY, *(pin for _, _, pin, _ in STAFF)))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_each_is_counted_in_the_metrics(house: House) -> None:
    doors, key = house.studio.app.extensions["console"].turned_away, "a-key-of-the-metrics"
    app = Flask(__name__)
    routes = metrics_routes(lambda: [], lambda: 0, dict, lambda: doors.counts, key_sha256=digest_of_key(key))
    app.register_blueprint(routes)

    def count() -> float:
        wanted = 'studio_turned_away_total{door="interface",reason="key_unknown"} '
        told = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {key}"}).text.splitlines()
        return sum(float(line.removeprefix(wanted)) for line in told if line.startswith(wanted))

    before = count()
    for _ in range(3):
        ask(house, f"Bearer {WRONG_KEY}")
    assert count() == before + 3


DAY_MS = 86_400_000


def told_by(doors: TurnedAway, tmp_path: Path, addresses: Iterable[str], who: str = "") -> list[dict[str, Any]]:
    file = tmp_path / "studio.db.access"
    doors.keep_in(file)
    for address in addresses:
        doors.note("interface", "key_unknown", address, who)
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_hundred_thousand_from_one_address_are_seventeen_lines_that_say_how_many(tmp_path: Path) -> None:
    told = told_by(TurnedAway(lambda: DAY_MS), tmp_path, ["10.0.0.7"] * 100_000)
    assert [line["count"] for line in told[:5]] == [1, 1, 2, 4, 8]
    assert (len(told), sum(line["count"] for line in told)) == (17, 65_536)
    assert {line["address"] for line in told} == {"10.0.0.7"}


@pytest.mark.long
def test_a_hundred_thousand_addresses_are_a_bounded_number_of_lines_and_leave_the_past_where_it_is(
    tmp_path: Path,
) -> None:
    doors = TurnedAway(lambda: DAY_MS)
    told_by(doors, tmp_path, ["10.0.0.7"], who="north")
    told = told_by(doors, tmp_path, (f"2001:db8:{n >> 16:x}:{n & 0xFFFF:x}::1" for n in range(100_000)))
    assert len(told) < KEYS_A_DAY + 20
    assert told[0]["who"] == "north"
    assert told[-1]["address"] == "many"
    assert [path.name for path in tmp_path.iterdir()] == ["studio.db.access"]


def test_neighbours_count_together_and_each_day_begins_anew(tmp_path: Path) -> None:
    now_ms = DAY_MS
    doors = TurnedAway(lambda: now_ms)
    told = told_by(doors, tmp_path, (f"2001:db8::{n:x}" for n in range(1, 9)))
    assert [line["count"] for line in told] == [1, 1, 2, 4]
    now_ms += DAY_MS
    assert [line["count"] for line in told_by(doors, tmp_path, ["2001:db8::1"])] == [1, 1, 2, 4, 1]


def test_a_disk_that_takes_no_line_turns_nobody_away_otherwise(tmp_path: Path) -> None:
    doors = TurnedAway(lambda: 0)
    doors.keep_in(tmp_path / "no-such-folder" / "studio.db.access")
    doors.note("interface", "key_unknown", "10.0.0.7")
    assert doors.counts == {("interface", "key_unknown"): 1}


def test_a_full_file_begins_another_and_few_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer_ui.access.turned_away.FILE_BYTES_MAX", 300)
    doors = TurnedAway(lambda: 0)
    doors.keep_in(tmp_path / "studio.db.access")
    for number in range(50):
        doors.note("sign_in", "sign_in_refused", f"10.0.0.{number}", "1001")
    kept = sorted(tmp_path.iterdir())
    assert [file.name for file in kept] == ["studio.db.access", *(f"studio.db.access.{n}" for n in range(1, 5))]
    assert all(file.stat().st_size <= 300 for file in kept)
