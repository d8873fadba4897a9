"""An operator asks what he may, and how much of it is used."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from studio.tables.config import OperatorLimit
from studio.views.shape import ExposureView

LIMITS = {"north": OperatorLimit(bets_most=500, exposure_most_minor=90_000), "*": OperatorLimit(bets_most=7)}
EXPOSURE = ExposureView(
    42_000, 100_000, 0, MappingProxyType({"north": (40_000, 12), "south": (2_000, 3)}), MappingProxyType(LIMITS)
)


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


def test_an_operator_is_told_his_own_limits_and_what_of_them_is_used(floor: FakeFloor, client: FlaskClient) -> None:
    floor.deposit("north", "ann", "d1", 5_000)
    floor.deposit("north", "jun", "d2", 1_000, "JPY")
    floor.deposit("south", "zoe", "d3", 70_000)
    floor.show(bets={"exposure": EXPOSURE})
    assert client.get("/api/v1/limits", headers=NORTH).get_json() == {
        "currency": "EUR",
        "deposit_most": 100_000,
        "credit": {"held": 5_610, "most": 1_000_000, "purses": {"EUR": 5_000, "JPY": 1_000}},
        "tables": [
            {
                "table": "t1", "currency": "EUR", "round": None, "bets": {"placed": 12, "most": 500},
                "exposure": {"now": 40_000, "most": 90_000}, "table_exposure_most": 100_000,
            }
        ],
    }  # fmt: skip
    [table] = client.get("/api/v1/limits", headers=SOUTH).get_json()["tables"]
    assert (table["bets"], table["exposure"]) == ({"placed": 3, "most": 7}, {"now": 2_000, "most": None})


def test_a_table_among_peers_has_none(floor: FakeFloor, client: FlaskClient) -> None:
    floor.show(bets={"exposure": None})
    assert client.get("/api/v1/limits", headers=NORTH).get_json()["tables"] == []
