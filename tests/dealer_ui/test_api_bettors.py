"""Purses, bets and records of an operator's own bettors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    yield floor
    floor.close()


@pytest.fixture
def client(floor: FakeFloor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(4)))
    return app.test_client()


def move(client: FlaskClient, what: str, amount: Any, id: str = "m1", headers: Any = NORTH, **more: Any) -> Any:
    body = {"client_id": id, "amount": amount, **more}
    return client.post(f"/api/v1/bettors/ann/{what}", headers=headers, json=body)


def get(client: FlaskClient, path: str, headers: Any = NORTH) -> Any:
    response = client.get(f"/api/v1/bettors/ann{path}", headers=headers)
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def place(client: FlaskClient, *client_ids: str, bet: str = "player1_win") -> None:
    bets = [{"client_id": id, "bettor": "ann", "bet": bet, "stake": 500} for id in client_ids]
    response = client.post("/api/v1/tables/t1/bets", headers=NORTH, json={"bets": bets})
    assert {answer["status"] for answer in response.get_json()["answers"]} == {"accepted"}


def test_a_deposit_is_made_once_and_tells_the_balance(client: FlaskClient) -> None:
    first, again = move(client, "deposits", 5_000), move(client, "deposits", 5_000, currency="EUR")
    assert first.get_json() == {
        "client_id": "m1", "status": "accepted", "bettor": "ann", "balance": 5_000, "currency": "EUR", "owed": 0,
    }  # fmt: skip
    assert again.get_json() == {**first.get_json(), "status": "duplicate"}


def test_a_withdrawal_is_made_once_and_never_below_nothing(client: FlaskClient) -> None:
    move(client, "deposits", 5_000)
    assert move(client, "withdrawals", 2_000, "w1").get_json()["balance"] == 3_000
    assert move(client, "withdrawals", 2_000, "w1").get_json()["status"] == "duplicate"
    response = move(client, "withdrawals", 3_001, "w2")
    assert (response.status_code, response.get_json()["error"]["key"]) == (409, "insufficient_balance")
    assert get(client, "/balance") == {"bettor": "ann", "balance": 3_000, "currency": "EUR", "owed": 0}


def test_an_id_used_again_for_another_amount_moves_nothing(client: FlaskClient) -> None:
    move(client, "deposits", 5_000)
    response = move(client, "deposits", 6_000)
    assert (response.status_code, response.get_json()["error"]["key"]) == (409, "client_id_reused")
    assert get(client, "/balance")["balance"] == 5_000


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ({"client_id": "m1"}, "missing_field"),
        ({"amount": 100}, "missing_field"),
        ({"client_id": "m1", "amount": "100"}, "bad_amount"),
        ({"client_id": "m1", "amount": 0}, "bad_amount"),
        ({"client_id": "m1", "amount": 10**16}, "bad_amount"),
        ({"client_id": "m 1", "amount": 100}, "bad_client_id"),
        ({"client_id": "m1", "amount": 100, "currency": "USD"}, "wrong_currency"),
        ({"client_id": "m1", "amount": 100, "note": ""}, "unknown_field"),
        ([], "malformed"),
    ],
)
@pytest.mark.parametrize("what", ["deposits", "withdrawals"])
def test_a_body_that_moves_no_money_is_refused(client: FlaskClient, what: str, body: Any, key: str) -> None:
    response = client.post(f"/api/v1/bettors/ann/{what}", headers=NORTH, json=body)
    assert (response.status_code, response.get_json()["error"]["key"]) == (400, key)


def test_a_first_deposit_says_which_currency_a_bettor_is_kept_in(client: FlaskClient) -> None:
    def deposit(**body: Any) -> Any:
        response = client.post("/api/v1/bettors/jun/deposits", headers=NORTH, json=body)
        return response.get_json().get("error", {}).get("key") or response.get_json()["currency"]

    assert deposit(client_id="y1", amount=1_000, currency="JPY") == "JPY"
    assert deposit(client_id="y2", amount=1_000) == "JPY"
    assert deposit(client_id="y3", amount=1_000, currency="EUR") == "currency_mismatch"


@pytest.mark.parametrize("bettor", ["a b", "a%0Ab", "x" * 65, "-x"])
def test_a_name_no_bettor_can_have_opens_no_account(client: FlaskClient, floor: FakeFloor, bettor: str) -> None:
    body = {"client_id": "m1", "amount": 100}
    response = client.post(f"/api/v1/bettors/{bettor}/deposits", headers=NORTH, json=body)
    assert (response.status_code, response.get_json()["error"]["key"]) == (404, "bad_bettor")
    assert floor.reader().balance("operator:north") == 0


def test_a_bettor_without_an_account_is_not_found(client: FlaskClient) -> None:
    response = client.get("/api/v1/bettors/ann/balance", headers=NORTH)
    assert (response.status_code, response.get_json()["error"]["key"]) == (404, "unknown_bettor")


def test_an_operator_sees_nothing_of_anothers_bettor(client: FlaskClient, floor: FakeFloor) -> None:
    move(client, "deposits", 5_000)
    floor.open_bets()
    place(client, "c1")
    assert client.get("/api/v1/bettors/ann/balance", headers=SOUTH).status_code == 404
    assert get(client, "/bets", SOUTH)["bets"] == []
    assert get(client, "/record", SOUTH)["rounds"] == []
    assert move(client, "withdrawals", 100, headers=SOUTH).status_code == 409
    assert get(client, "/balance")["balance"] == 4_500


def test_bets_come_newest_first_and_as_many_as_asked(client: FlaskClient, floor: FakeFloor) -> None:
    move(client, "deposits", 5_000)
    floor.open_bets()
    place(client, "c1", "c2", "c3")
    told = get(client, "/bets?limit=2")
    assert [line["client_id"] for line in told["bets"]] == ["c3", "c2"]
    assert client.get("/api/v1/bettors/ann/bets?limit=501", headers=NORTH).status_code == 400
