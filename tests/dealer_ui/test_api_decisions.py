"""Decisions over the operators' interface: read strictly, answered one by one, and told when they are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from api_fake_floor import NORTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from dealer_ui.floor.bet_offer import Choice
from studio.money import Answer


class DecidingFloor(FakeFloor):
    """Takes `play`, knows what comes `again`, refuses everything else."""

    def take_decisions(self, table: str, operator: str, choices: Sequence[Choice]) -> tuple[Answer, ...]:
        return tuple(
            Answer(one.client_id, "", "accepted" if one.option == "play" else "duplicate")
            if one.option in ("play", "again")
            else Answer(one.client_id, "", "refused", "no_such_option", "Choose play or fold.")
            for one in choices
        )


@pytest.fixture
def floor() -> Iterator[DecidingFloor]:
    made = DecidingFloor()
    yield made
    made.close()


@pytest.fixture
def client(floor: DecidingFloor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(20)))
    return app.test_client()


def decide(client: FlaskClient, body: object) -> Any:
    return client.post("/api/v1/tables/t1/decisions", json=body, headers=NORTH)


def test_each_decision_is_answered_in_its_place(client: FlaskClient) -> None:
    wanted = [
        {"client_id": "a", "bettor": "ann", "option": "play"},
        {"client_id": "b", "bettor": "bob", "option": "sing"},
    ]
    told = decide(client, {"decisions": wanted}).get_json()["answers"]
    assert [(one["client_id"], one["status"], one["reason"]) for one in told] == [
        ("a", "accepted", None),
        ("b", "refused", "no_such_option"),
    ]


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"client_id": "b", "bettor": "bob"}, "missing_field"),
        ({"client_id": "b", "bettor": "bob", "option": 7}, "bad_option"),
        ({"client_id": "b", "bettor": "b o b", "option": "play"}, "bad_bettor"),
        ({"client_id": "b", "bettor": "bob", "option": "play", "stake": 5}, "unknown_field"),
        ({"client_id": "b", "bettor": "bob", "option": "set", "rows": "top"}, "bad_rows"),
        ({"client_id": "b", "bettor": "bob", "option": "set", "rows": ["top", 1]}, "bad_rows"),
        ({"client_id": "b", "bettor": "bob", "option": "set", "rows": [["top"]]}, "bad_rows"),
        ({"client_id": "b", "bettor": "bob", "option": "set", "rows": None}, "bad_rows"),
        ("play", "malformed"),
    ],
)
def test_one_decision_that_cannot_be_read_spoils_no_other(client: FlaskClient, wrong: object, key: str) -> None:
    good = [{"client_id": id, "bettor": id, "option": "play"} for id in ("a", "c")]
    answer = decide(client, {"decisions": [good[0], wrong, good[1]]})
    assert answer.status_code == 200
    told = answer.get_json()["answers"]
    assert [one["status"] for one in told] == ["accepted", "refused", "accepted"]
    assert told[1]["reason"] == key
    assert [one["client_id"] for one in told] == ["a", "b" if isinstance(wrong, dict) else "", "c"]


def test_a_decision_names_the_bet_it_staked_or_null(client: FlaskClient, floor: DecidingFloor) -> None:
    floor.deposit("north", "ann", "m1", 5_000)
    floor.open_bets()
    bet = {"client_id": "b1", "bettor": "ann", "bet": "player1_win", "stake": 500}
    client.post("/api/v1/tables/t1/bets", json={"bets": [bet]}, headers=NORTH)
    again = [
        {"client_id": id, "bettor": "ann", "option": option}
        for id, option in (("b1", "again"), ("f1", "again"), ("f2", "play"))
    ]
    told = decide(client, {"decisions": again}).get_json()["answers"]
    assert [one["bet_id"] for one in told] == ["b1", None, None]


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ({"decisions": []}, "bad_decisions"),
        ({"decisions": {"client_id": "a"}}, "bad_decisions"),
        ({"bets": []}, "unknown_field"),
    ],
    ids=["none", "no list", "bets"],
)
def test_a_body_that_holds_no_decisions_is_refused_whole(client: FlaskClient, body: object, key: str) -> None:
    answer = decide(client, body)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["key"] in (key, "missing_field")


def test_an_unknown_table_is_said_so(client: FlaskClient) -> None:
    wanted = {"decisions": [{"client_id": "a", "bettor": "ann", "option": "play"}]}
    assert client.post("/api/v1/tables/t9/decisions", json=wanted, headers=NORTH).status_code == 404
