"""Decisions over the operators' interface: read strictly, answered one by one, and told when they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from api_fake_floor import NORTH, FakeFloor
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api import blueprint
from dealer_ui.api.decision import Choice
from dealer_ui.stream import Seats
from studio.money import Answer


class DecidingFloor(FakeFloor):
    """Takes `play`, refuses everything else."""

    def take_decisions(self, table: str, operator: str, choices: Sequence[Choice]) -> tuple[Answer, ...]:
        return tuple(
            Answer(one.client_id, "", "accepted")
            if one.option == "play"
            else Answer(one.client_id, "", "refused", "no_such_option", "Choose play or fold.")
            for one in choices
        )


@pytest.fixture
def client() -> Any:
    floor = DecidingFloor()
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(20)))
    yield app.test_client()
    floor.close()


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
    ("body", "key"),
    [
        ({"decisions": []}, "bad_decisions"),
        ({"decisions": [{"client_id": "a", "bettor": "ann"}]}, "bad_decisions"),
        ({"bets": []}, "unknown_field"),
    ],
    ids=["none", "half a decision", "bets"],
)
def test_a_body_that_holds_no_decisions_is_refused_whole(client: FlaskClient, body: object, key: str) -> None:
    answer = decide(client, body)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["key"] in (key, "missing_field")


def test_an_unknown_table_is_said_so(client: FlaskClient) -> None:
    wanted = {"decisions": [{"client_id": "a", "bettor": "ann", "option": "play"}]}
    assert client.post("/api/v1/tables/t9/decisions", json=wanted, headers=NORTH).status_code == 404
