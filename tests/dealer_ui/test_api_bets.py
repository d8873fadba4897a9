"""Bets over the operators' interface: batches, retries, refusals, and who may ask after which bet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from studio.errors import RefusedError


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    floor.deposit("north", "ann", "seed", 100_000)
    floor.open_bets()
    yield floor
    floor.close()


@pytest.fixture
def client(floor: FakeFloor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(4)))
    return app.test_client()


def bet(client_id: str = "c1", **changes: Any) -> dict[str, Any]:
    return {"client_id": client_id, "bettor": "ann", "bet": "player1_win", "stake": 500, **changes}


def place(client: FlaskClient, *bets: Any, headers: dict[str, str] = NORTH, **more: Any) -> Any:
    return client.post("/api/v1/tables/t1/bets", headers=headers, json={"bets": list(bets), **more})


def answers(response: Any) -> list[tuple[str, str, str | None]]:
    assert response.status_code == 200, response.get_json()
    return [(told["client_id"], told["status"], told["reason"]) for told in response.get_json()["answers"]]


def test_a_batch_is_answered_bet_by_bet_in_its_order(client: FlaskClient) -> None:
    response = place(client, bet("c1"), bet("c2", bet="banker_pair_plus"), bet("c3", stake=100_000_000))
    assert answers(response) == [("c1", "accepted", None), ("c2", "accepted", None), ("c3", "refused", "over_limit")]
    told = response.get_json()
    assert told["round"] == "t1-r1"
    assert told["answers"][0]["bet_id"]
    assert told["answers"][2]["bet_id"] is None
    assert told["answers"][2]["sentence"]


def test_a_bet_sent_twice_is_one_bet(client: FlaskClient, floor: FakeFloor) -> None:
    first = place(client, bet()).get_json()["answers"][0]
    again = place(client, bet()).get_json()["answers"][0]
    assert (again["status"], again["bet_id"]) == ("duplicate", first["bet_id"])
    assert floor.reader().balance("bettor:north:ann") == 99_500


def test_a_bet_twice_in_one_batch_is_one_bet(client: FlaskClient, floor: FakeFloor) -> None:
    assert answers(place(client, bet(), bet())) == [("c1", "accepted", None), ("c1", "duplicate", None)]
    assert floor.reader().balance("bettor:north:ann") == 99_500


def test_an_id_that_names_two_bets_in_one_batch_is_the_first_of_them(client: FlaskClient, floor: FakeFloor) -> None:
    told = answers(place(client, bet(), bet(stake=10**9), bet(stake=600)))
    assert told == [
        ("c1", "accepted", None),
        ("c1", "refused", "client_id_reused"),
        ("c1", "refused", "client_id_reused"),
    ]
    assert client.get("/api/v1/bets/c1", headers=NORTH).get_json()["stake"] == 500


def test_a_refused_bet_that_comes_twice_in_one_batch_is_refused_twice(client: FlaskClient) -> None:
    assert answers(place(client, bet(stake=1), bet(stake=1))) == [("c1", "refused", "over_limit")] * 2


def test_a_retry_that_comes_after_the_window_is_a_duplicate_and_not_late(client: FlaskClient, floor: FakeFloor) -> None:
    first = place(client, bet()).get_json()["answers"][0]
    floor.close_bets()
    again = place(client, bet(), bet("c2")).get_json()["answers"]
    assert (again[0]["status"], again[0]["bet_id"]) == ("duplicate", first["bet_id"])
    assert (again[1]["status"], again[1]["reason"]) == ("refused", "bets_closed")


def test_a_retry_that_comes_in_a_later_round_is_a_duplicate(client: FlaskClient, floor: FakeFloor) -> None:
    place(client, bet())
    floor.settle({})
    floor.open_bets("t1-r2", 2)
    assert answers(place(client, bet())) == [("c1", "duplicate", None)]


@pytest.mark.parametrize("change", [{"stake": 501}, {"bettor": "bob"}, {"bet": "player2_win"}])
def test_an_id_used_again_for_another_bet_is_refused(
    client: FlaskClient, floor: FakeFloor, change: dict[str, Any]
) -> None:
    place(client, bet())
    assert answers(place(client, bet(**change))) == [("c1", "refused", "client_id_reused")]
    floor.close_bets()
    assert answers(place(client, bet(**change))) == [("c1", "refused", "bets_closed")]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"bet": "player9_win"}, "unknown_bet"),
        ({"stake": 99}, "over_limit"),
        ({"stake": 5_001, "bet": "player1_tie"}, "over_limit"),
        ({"bettor": "bob"}, "insufficient_balance"),
    ],
)
def test_the_house_refuses_a_bet_with_a_sentence(client: FlaskClient, change: dict[str, Any], reason: str) -> None:
    response = place(client, bet(**change))
    assert answers(response) == [("c1", "refused", reason)]
    assert response.get_json()["answers"][0]["sentence"].endswith(".")


def test_a_refused_bet_may_be_sent_again_once_there_is_money(client: FlaskClient, floor: FakeFloor) -> None:
    assert answers(place(client, bet(bettor="bob"))) == [("c1", "refused", "insufficient_balance")]
    floor.deposit("north", "bob", "d2", 500)
    assert answers(place(client, bet(bettor="bob"))) == [("c1", "accepted", None)]


def test_a_held_table_takes_no_bet(client: FlaskClient, floor: FakeFloor) -> None:
    floor.show(now={"held": True})
    assert answers(place(client, bet())) == [("c1", "refused", "bets_closed")]


def test_a_house_that_refuses_the_whole_batch_refuses_each_bet(
    client: FlaskClient, floor: FakeFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise RefusedError("table_closed", "The table is closed; wait until it opens.")

    monkeypatch.setattr(floor, "place_bets", refuse)
    assert answers(place(client, bet(), 7)) == [("c1", "refused", "table_closed"), ("", "refused", "malformed")]


@pytest.mark.parametrize(
    ("wrong", "client_id", "reason"),
    [
        (17, "", "malformed"),
        (None, "", "malformed"),
        ([], "", "malformed"),
        ({}, "", "missing_field"),
        (bet("c2", stake="500"), "c2", "bad_stake"),
        (bet("c2", stake=5.5), "c2", "bad_stake"),
        (bet("c2", stake=True), "c2", "bad_stake"),
        (bet("c2", stake=0), "c2", "bad_stake"),
        (bet("c2", stake=-500), "c2", "bad_stake"),
        (bet("c2", stake=10**15 + 1), "c2", "bad_stake"),
        (bet("c2", stake=10**40), "c2", "bad_stake"),
        (bet("c2", stake=None), "c2", "bad_stake"),
        (bet("c2", bettor=""), "c2", "bad_bettor"),
        (bet("c2", bettor="an\nn"), "c2", "bad_bettor"),
        (bet("c2", bettor=["ann"]), "c2", "bad_bettor"),
        (bet("c2", bet=""), "c2", "bad_bet"),
        (bet("c2", odds=9), "c2", "unknown_field"),
        (bet("c/2"), "c/2", "bad_client_id"),
        (bet("c" * 65), "", "bad_client_id"),
        (bet("../tables"), "../tables", "bad_client_id"),
        ({"client_id": "c2", "bettor": "ann", "bet": "player1_win"}, "c2", "missing_field"),
    ],
)
def test_one_malformed_bet_spoils_no_other(client: FlaskClient, wrong: Any, client_id: str, reason: str) -> None:
    response = place(client, bet("c1"), wrong, bet("c3"))
    assert answers(response) == [("c1", "accepted", None), (client_id, "refused", reason), ("c3", "accepted", None)]
    assert response.get_json()["answers"][1]["sentence"].endswith((".", "EUR."))


@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b'{"bets": [' + b"[" * 5_000, "not_json"),
        (b'{"bets": "\xff"}', "not_json"),
        (b"[]", "malformed"),
        (b"17", "malformed"),
        (b"{}", "missing_field"),
        (b'{"bets": []}', "bad_bets"),
        (b'{"bets": {}}', "bad_bets"),
        (b'{"bets": [1], "tip": 3}', "unknown_field"),
        (b'{"bets": [1], "currency": 3}', "bad_currency"),
        (b'{"bets": [1], "currency": "USD"}', "wrong_currency"),
        (json.dumps({"bets": [{}] * 1001}).encode(), "bad_bets"),
    ],
)
def test_a_body_that_is_no_batch_is_refused_whole(client: FlaskClient, body: bytes, key: str) -> None:
    response = client.post("/api/v1/tables/t1/bets", headers=NORTH, data=body, content_type="application/json")
    assert (response.status_code, response.get_json()["error"]["key"]) == (400, key)


def test_a_thousand_bets_go_in_one_batch(client: FlaskClient, floor: FakeFloor) -> None:
    floor.deposit("north", "ann", "more", 100_000)
    response = place(client, *(bet(f"{'c' * 50}{n}", stake=100) for n in range(1_000)), currency="EUR")
    assert {status for _, status, _ in answers(response)} == {"accepted"}


def test_a_bet_is_pending_then_posted_with_what_it_returned(client: FlaskClient, floor: FakeFloor) -> None:
    place(client, bet())
    pending = client.get("/api/v1/bets/c1", headers=NORTH).get_json()
    assert (pending["status"], pending["returns"], pending["round"]) == ("pending", None, "t1-r1")
    assert (pending["bettor"], pending["bet"], pending["stake"], pending["currency"]) == (
        "ann", "player1_win", 500, "EUR",
    )  # fmt: skip
    floor.settle({"player1_win": 1_000})
    posted = client.get("/api/v1/bets/c1", headers=NORTH).get_json()
    assert (posted["status"], posted["returns"]) == ("posted", 1_000)


def test_a_lost_bet_returned_nothing_and_a_voided_one_its_stake(client: FlaskClient, floor: FakeFloor) -> None:
    place(client, bet())
    floor.settle({})
    floor.open_bets("t1-r2", 2)
    place(client, bet("c2"))
    floor.void()
    lost, voided = (client.get(f"/api/v1/bets/{id}", headers=NORTH).get_json() for id in ("c1", "c2"))
    assert (lost["status"], lost["returns"]) == ("posted", 0)
    assert (voided["status"], voided["returns"]) == ("voided", 500)


def test_an_operator_finds_no_bet_of_another(client: FlaskClient, floor: FakeFloor) -> None:
    place(client, bet())
    response = client.get("/api/v1/bets/c1", headers=SOUTH)
    assert (response.status_code, response.get_json()["error"]["key"]) == (404, "bet_not_found")
    assert "ann" not in response.text


def test_two_operators_may_use_the_same_ids_and_names(client: FlaskClient, floor: FakeFloor) -> None:
    floor.deposit("south", "ann", "seed", 1_000)
    place(client, bet(), headers=NORTH)
    assert answers(place(client, bet(stake=700), headers=SOUTH)) == [("c1", "accepted", None)]
    assert client.get("/api/v1/bets/c1", headers=SOUTH).get_json()["stake"] == 700
    assert floor.reader().balance("bettor:north:ann") == 99_500
    assert floor.reader().balance("bettor:south:ann") == 300


def test_a_bet_nobody_placed_and_an_id_nobody_can_have_are_not_found(client: FlaskClient) -> None:
    for id in ("nothing", "a b", "%00", "x" * 65):
        assert client.get(f"/api/v1/bets/{id}", headers=NORTH).status_code == 404


def test_the_round_named_is_the_one_the_bets_are_in(
    client: FlaskClient, floor: FakeFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The round ends and another begins while the batch is being placed."""
    real = floor.place_bets

    def slow(*given: Any) -> Any:
        told = real(*given)
        floor.settle({})
        floor.open_bets("t1-r2", 2)
        return told

    monkeypatch.setattr(floor, "place_bets", slow)
    assert place(client, bet()).get_json()["round"] == "t1-r1"
