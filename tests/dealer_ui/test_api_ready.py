"""Over the operators' interface a bettor says that he bets no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import NORTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from studio.errors import RefusedError
from studio.tables.bets.readiness import Readiness
from studio.views.shape import BetsView


class WaitingFloor(FakeFloor):
    """Waits for two bettors; whoever is not Ann has no bet."""

    def say_ready(self, table: str, operator: str, bettor: str, round: str = "") -> Readiness:
        if round not in ("", "t1-r1"):
            raise RefusedError("round_over", "This was said of another round.")
        if bettor != "ann":
            raise RefusedError("no_bet", "This bettor has no bet in this round: place one first.")
        return Readiness("t1-r1", 1, 2)


@pytest.fixture
def floor() -> Iterator[WaitingFloor]:
    made = WaitingFloor()
    yield made
    made.close()


@pytest.fixture
def client(floor: WaitingFloor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(20)))
    return app.test_client()


def said(client: FlaskClient, body: object) -> Any:
    return client.post("/api/v1/tables/t1/ready", json=body, headers=NORTH)


def test_it_is_told_who_is_still_waited_for(client: FlaskClient) -> None:
    told = said(client, {"bettor": "ann"})
    assert told.status_code == 200
    assert told.get_json() == {"round": "t1-r1", "bettor": "ann", "ready": 1, "bettors": 2, "closed": False}


def test_it_is_said_of_the_round_that_is_named(client: FlaskClient) -> None:
    assert said(client, {"bettor": "ann", "round": "t1-r1"}).status_code == 200
    told = said(client, {"bettor": "ann", "round": "t1-r0"})
    assert (told.status_code, told.get_json()["error"]["key"]) == (409, "round_over")


def test_a_refusal_is_a_sentence(client: FlaskClient) -> None:
    told = said(client, {"bettor": "bob"})
    assert (told.status_code, told.get_json()["error"]["key"]) == (409, "no_bet")
    assert said(client, {"bettor": "ann", "now": True}).get_json()["error"]["key"] == "unknown_field"


def test_the_table_says_how_many_it_waits_for_at_blackjack_alone(client: FlaskClient, floor: WaitingFloor) -> None:
    bets = BetsView(True, floor.now + 15_000, 2, 2_000, "EUR", ready=1, bettors=2)
    floor.show(bets=bets)
    assert client.get("/api/v1/tables/t1", headers=NORTH).get_json()["ready"] is None
    floor.show(game={"key": "blackjack"}, bets=bets)
    assert client.get("/api/v1/tables/t1", headers=NORTH).get_json()["ready"] == {"ready": 1, "bettors": 2}
