"""A bettor's page asks whether he goes on, when his operator wants that: what he is told, what waits for him."""

from __future__ import annotations

import re
from typing import Any

import pytest
from api_fake_floor import NORTH
from flask import Flask
from flask.testing import FlaskClient
from test_play_bets import Bettor, client  # noqa: F401 - fixtures
from test_play_page import Floor, app, clock, floor  # noqa: F401 - fixtures

from studio.journal import Unit
from studio.money import Transfer

MINUTE = 60_000
HOME = "https://north.example/lobby?of=ann"


def launched(app: Flask, client: FlaskClient, **more: Any) -> Bettor:  # noqa: F811
    told = client.post(
        "/api/v1/bettors/ann/pages", headers=NORTH, json={"table": "t1", "plays": True, "valid_s": 43_200, **more}
    )
    assert told.status_code == 200, told.text
    page = Bettor(app, told.get_json()["page"])
    page.open()
    return page


def asked(page: Bettor) -> dict[str, Any]:
    told = page.client.get(f"{page.path}/check")
    assert told.status_code == 200
    return dict(told.get_json())


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"\{#.*?#\}", "", html)).split())


@pytest.fixture
def ann(app: Flask, client: FlaskClient, floor: Floor) -> Bettor:  # noqa: F811
    floor.open_bets()
    return launched(app, client, terms={"check_min": 60}, returns_to=HOME)


def test_he_is_asked_after_that_time_and_told_what_he_played(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    assert asked(ann)["due_in_ms"] == 60 * MINUTE
    for number, (stake, returned) in enumerate(((1_000, 0), (2_000, 3_000)), 1):
        floor.open_bets(f"t1-r{number}", number)
        assert ann.bet(f"b000000{number}", stake=stake, round=f"t1-r{number}")["status"] == "accepted"
        floor.settle({"shark": returned})
    floor.now += 60 * MINUTE
    told = asked(ann)
    assert told["due_in_ms"] == 0
    assert words(told["html"]) == (
        "Do you want to go on? You have played for 60 minutes Rounds 2 Staked €30.00 Came back €30.00 "
        "You have won €0.00 Leave Go on"
    )


def test_no_bet_is_placed_until_he_has_answered_and_what_stands_is_told(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    assert ann.bet("b0000001")["status"] == "accepted"
    floor.now += 60 * MINUTE
    told = ann.bet("b0000002")
    assert (told["status"], told["reason"], told["sentence"]) == (
        "refused",
        "check_due",
        "Say first whether you go on.",
    )
    assert ann.bet("b0000001")["status"] == "duplicate", "what was taken before is told as it was"
    assert ann.send("goes-on", {}).get_json()["due_in_ms"] == 60 * MINUTE
    assert ann.bet("b0000002")["status"] == "accepted"
    floor.now += 59 * MINUTE
    assert asked(ann)["due_in_ms"] == MINUTE


@pytest.mark.parametrize(("act", "taken"), [
    ("sit", False), ("buy", False), ("post", False), ("back", False), ("away", True), ("leave", True), ("look", True),
])  # fmt: skip
def test_no_more_comes_on_a_poker_table_until_he_has_answered(
    ann: Bettor, floor: Floor, act: str, taken: bool  # noqa: F811
) -> None:  # fmt: skip
    order = {"client_id": "s0000001", "act": act, "seat": "seat3", "amount": 5_000}
    floor.now += 60 * MINUTE
    [told] = ann.send("seats", order).get_json()["answers"]
    assert told["reason"] == (None if taken else "check_due")
    assert bool(floor.seats_asked) == taken
    ann.send("goes-on", {})
    assert ann.send("seats", {**order, "client_id": "s0000002"}).get_json()["answers"][0]["status"] == "accepted"


def test_chips_that_were_bought_before_he_was_asked_are_told_as_they_were(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    order = {"client_id": "s0000001", "act": "buy", "seat": "seat3", "amount": 5_000}
    assert ann.send("seats", order).get_json()["answers"][0]["status"] == "accepted"
    [asked_for] = floor.seats_asked
    bought = Transfer(
        "room:t1", f"north/{asked_for.client_id}", "buy_in", "bettor:north:ann", "bettor:north:ann/t1", 5_000, "EUR"
    )
    floor._keep(Unit(transfers=(bought,)))
    floor.now += 60 * MINUTE
    others: tuple[dict[str, object], ...] = ({}, {"amount": 6_000}, {"client_id": "s0000002"})
    told = [ann.send("seats", {**order, **other}).get_json()["answers"][0] for other in others]
    assert [one["status"] for one in told] == ["duplicate", "refused", "refused"]
    assert len(floor.seats_asked) == 1


def test_another_table_goes_on_counting(ann: Bettor, app: Flask, client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    floor.now += 50 * MINUTE
    assert asked(launched(app, client))["due_in_ms"] == 10 * MINUTE
    floor.now += 10 * MINUTE
    ann.send("goes-on", {})
    assert asked(launched(app, client))["due_in_ms"] == 60 * MINUTE


def test_whoever_leaves_has_ended_his_play_and_goes_where_his_operator_says(
    ann: Bettor, client: FlaskClient, floor: Floor  # noqa: F811
) -> None:  # fmt: skip
    other = client.post("/api/v1/bettors/ann/pages", headers=NORTH, json={"table": "t1"}).get_json()["page"]
    assert ann.send("leave", {}).get_json()["returns_to"] == HOME
    assert client.get(ann.path).status_code == client.get(other).status_code == 410
    assert client.get("/api/v1/bettors/ann/standing", headers=NORTH).get_json()["logged_out"]


def test_a_new_visit_counts_anew(ann: Bettor, app: Flask, client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    floor.now += 60 * MINUTE
    ann.send("leave", {})
    assert asked(launched(app, client))["due_in_ms"] == 60 * MINUTE


def test_nobody_is_asked_whose_operator_does_not_want_it(app: Flask, client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    floor.open_bets()
    page = launched(app, client)
    floor.now += 30 * MINUTE
    assert asked(page)["due_in_ms"] is None
    assert page.bet("b0000001")["status"] == "accepted"


def test_only_the_browser_that_plays_is_asked(ann: Bettor, app: Flask, floor: Floor) -> None:  # noqa: F811
    floor.now += 60 * MINUTE
    looks_on = app.test_client()
    assert looks_on.get(f"{ann.path}/check").get_json()["due_in_ms"] is None
    assert looks_on.post(f"{ann.path}/leave", json={}).status_code == 403
    assert ann.client.post(f"{ann.path}/goes-on", json={}).status_code == 403, "not without the page's own key"


@pytest.mark.parametrize(
    ("language", "said"), [("ja", "続けますか？ プレイ時間 60 分"), ("id", "Ingin melanjutkan? Lama bermain 60 menit")]
)
def test_it_is_asked_in_his_language(
    app: Flask, client: FlaskClient, floor: Floor, language: str, said: str  # noqa: F811
) -> None:  # fmt: skip
    page = launched(app, client, language=language, terms={"check_min": 60})
    floor.now += 60 * MINUTE
    assert words(asked(page)["html"]).startswith(said)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "north.example", "https://a b", "https://x" * 100])
def test_an_address_to_return_to_is_one_of_the_web(client: FlaskClient, address: str) -> None:  # noqa: F811
    wanted = {"table": "t1", "returns_to": address}
    told = client.post("/api/v1/bettors/ann/pages", headers=NORTH, json=wanted)
    assert (told.status_code, told.get_json()["error"]["key"]) == (400, "bad_returns_to")
