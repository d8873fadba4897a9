"""Purses, bets and records of an operator's own bettors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api import blueprint
from studio.cards import Card, Sealer
from studio.rounds import AnyFact, CardBurned, CardDealt, CardReplaced
from studio.tables.event import FactStood, RedealOrdered


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
        "client_id": "m1", "status": "accepted", "bettor": "ann", "balance": 5_000, "currency": "EUR",
    }  # fmt: skip
    assert again.get_json() == {**first.get_json(), "status": "duplicate"}


def test_a_withdrawal_is_made_once_and_never_below_nothing(client: FlaskClient) -> None:
    move(client, "deposits", 5_000)
    assert move(client, "withdrawals", 2_000, "w1").get_json()["balance"] == 3_000
    assert move(client, "withdrawals", 2_000, "w1").get_json()["status"] == "duplicate"
    response = move(client, "withdrawals", 3_001, "w2")
    assert (response.status_code, response.get_json()["error"]["key"]) == (409, "insufficient_balance")
    assert get(client, "/balance") == {"bettor": "ann", "balance": 3_000, "currency": "EUR"}


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


def test_the_record_tells_rounds_with_bets_and_results_and_marks_voids(client: FlaskClient, floor: FakeFloor) -> None:
    move(client, "deposits", 5_000)
    floor.open_bets("t1-r1", 1)
    place(client, "c1", "c2")
    floor.settle({"player1_win": 1_000}, {"player1": {"result": "win"}})
    floor.open_bets("t1-r2", 2)
    place(client, "c3")
    floor.void("TK6")
    floor.open_bets("t1-r3", 3)
    place(client, "c4")
    rounds = get(client, "/record")["rounds"]
    told = [(line["round"], line["number"], line["status"], line["stake"], line["returns"]) for line in rounds]
    assert told == [
        ("t1-r3", 3, "open", 500, 0),
        ("t1-r2", 2, "voided", 500, 500),
        ("t1-r1", 1, "settled", 1_000, 2_000),
    ]
    assert [line["voided"] for line in rounds] == [False, True, False]
    assert rounds[1]["void_row"] == "TK6"
    assert rounds[1]["bets"][0]["status"] == "voided"
    assert rounds[2]["outcome"] == {"player1": {"result": "win"}}
    assert [line["client_id"] for line in rounds[2]["bets"]] == ["c1", "c2"]
    assert rounds[2]["at_ms"] == floor.now


def test_a_record_cut_short_still_tells_its_rounds_whole(client: FlaskClient, floor: FakeFloor) -> None:
    move(client, "deposits", 1_000_000)
    for number in (1, 2, 3):
        floor.open_bets(f"t1-r{number}", number)
        place(client, *(f"r{number}.{n}" for n in range(40)))
        floor.settle({})
    rounds = get(client, "/record?limit=1")["rounds"]
    assert [(line["round"], len(line["bets"])) for line in rounds] == [("t1-r3", 40)]
    assert [len(line["bets"]) for line in get(client, "/record?limit=2")["rounds"]] == [40, 40]


def test_the_record_shows_the_open_cards_as_corrected_and_no_sealed_one(client: FlaskClient, floor: FakeFloor) -> None:
    sealer = Sealer(random.Random(3).randbytes)
    shown, wrong, hidden = sealer.card(Card.parse("As")), sealer.card(Card.parse("2c")), sealer.card(Card.parse("Qd"))
    move(client, "deposits", 5_000)
    floor.open_bets()
    place(client, "c1")
    facts: tuple[AnyFact, ...] = (
        CardBurned(card=sealer.card(Card.parse("Qh")), place=1),
        CardDealt(card=shown, box="player1", place=1, face=Card.parse("As"), key=shown.publish_key()),
        CardDealt(card=wrong, box="player1", place=2, face=Card.parse("2c"), key=wrong.publish_key()),
        CardDealt(card=hidden, box="banker", place=1),
        CardReplaced(id=wrong.id, face=Card.parse("3c"), source="manual"),
    )
    for fact in facts:
        floor.tell("t1-r1", FactStood(fact=fact))
    floor.void()
    response = client.get("/api/v1/bettors/ann/record", headers=NORTH)
    assert response.get_json()["rounds"][0]["cards"] == {"player1": ["As", "3c"]}
    for sealed in (hidden.id, hidden.ciphertext.hex(), "Qd", "Qh"):
        assert sealed not in response.text


def test_a_redealt_round_shows_the_cards_of_the_second_deal(client: FlaskClient, floor: FakeFloor) -> None:
    sealer = Sealer(random.Random(3).randbytes)
    move(client, "deposits", 5_000)
    floor.open_bets()
    place(client, "c1")
    for face in ("As", "Kd"):
        card = sealer.card(Card.parse(face))
        dealt = CardDealt(card=card, box="player1", place=1, face=Card.parse(face), key=card.publish_key())
        floor.tell("t1-r1", FactStood(fact=dealt))
        if face == "As":
            floor.tell("t1-r1", RedealOrdered(row="TK4"))
    assert get(client, "/record")["rounds"][0]["cards"] == {"player1": ["Kd"]}
