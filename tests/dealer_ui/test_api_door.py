"""Who is let in, and how an error leaves the operators' interface."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from api_fake_floor import KEYS, LAPSED_KEY, NORTH, NORTH_KEY, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from dealer_ui.desk.operator_key import digest_of_key, new_key
from studio.errors import InvariantError, RefusedError, StorageError


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


def error_of(response: object) -> tuple[int, str]:
    body = response.get_json()  # type: ignore[attr-defined]
    assert set(body) == {"error"}
    assert set(body["error"]) == {"key", "sentence"}
    assert body["error"]["sentence"].endswith(".")
    assert response.content_type == "application/json"  # type: ignore[attr-defined]
    return response.status_code, body["error"]["key"]  # type: ignore[attr-defined]


def test_a_request_without_a_key_is_not_let_in(client: FlaskClient) -> None:
    response = client.get("/api/v1/tables")
    assert error_of(response) == (401, "key_missing")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="operators"'


@pytest.mark.parametrize("said", ["Basic bm9ydGg6a2V5", "Bearer", "Bearer ", NORTH_KEY, "bearer\t"])
def test_a_request_whose_key_is_written_otherwise_is_not_let_in(client: FlaskClient, said: str) -> None:
    assert error_of(client.get("/api/v1/tables", headers={"Authorization": said})) == (401, "key_missing")


@pytest.mark.parametrize(
    "key", ["x", NORTH_KEY + "x", NORTH_KEY[:-1], digest_of_key(NORTH_KEY), "\xe9" * 20, "k" * 5000]
)
def test_a_key_nobody_has_is_not_let_in(client: FlaskClient, key: str) -> None:
    response = client.get("/api/v1/tables", headers={"Authorization": f"Bearer {key}"})
    assert error_of(response) == (401, "key_unknown")


def test_a_suspended_operator_is_told_so(client: FlaskClient) -> None:
    response = client.get("/api/v1/tables", headers={"Authorization": f"Bearer {LAPSED_KEY}"})
    assert error_of(response) == (403, "key_suspended")


def test_the_scheme_may_be_written_in_any_case(client: FlaskClient) -> None:
    assert client.get("/api/v1/tables", headers={"Authorization": f"bearer {NORTH_KEY}"}).status_code == 200


def test_a_digest_of_a_key_is_not_printed() -> None:
    assert digest_of_key(NORTH_KEY) not in repr(KEYS["north"])


def test_two_new_keys_differ_and_are_long() -> None:
    assert new_key() != new_key()
    assert len(new_key()) >= 43


def test_an_address_that_leads_nowhere_is_answered_in_json(client: FlaskClient) -> None:
    assert error_of(client.get("/api/v1/tablez", headers=NORTH)) == (404, "unknown_address")
    assert error_of(client.get("/api/v1/bettors/ann", headers=NORTH)) == (404, "unknown_address")


def test_nobody_learns_addresses_without_a_key(client: FlaskClient) -> None:
    assert error_of(client.get("/api/v1/tablez")) == (401, "key_missing")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("DELETE", "/tables", "GET"), ("GET", "/tables/t1/bets", "POST"), ("PUT", "/bettors/ann/deposits", "POST")],
)
def test_a_wrong_method_is_told_the_right_one(client: FlaskClient, method: str, path: str, allowed: str) -> None:
    response = client.open(f"/api/v1{path}", method=method, headers=NORTH)
    assert error_of(response) == (405, "wrong_method")
    assert response.headers["Allow"] == allowed


@pytest.mark.parametrize("path", ["/tables/t9", "/tables/t9/results", "/tables/t9/stream"])
def test_an_unknown_table_is_answered_with_those_there_are(client: FlaskClient, path: str) -> None:
    response = client.get(f"/api/v1{path}", headers=NORTH)
    assert error_of(response) == (404, "unknown_table")
    assert "t1" in response.get_json()["error"]["sentence"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_is_not_called_json_is_refused(client: FlaskClient, kind: str) -> None:
    response = client.post("/api/v1/tables/t1/bets", headers=NORTH, data=b'{"bets": []}', content_type=kind)
    assert error_of(response) == (415, "wrong_content_type")


def test_a_charset_beside_the_content_type_is_no_matter(client: FlaskClient) -> None:
    kind = "application/json; charset=utf-8"
    body = b'{"client_id": "d1", "amount": 100}'
    assert client.post("/api/v1/bettors/ann/deposits", headers=NORTH, data=body, content_type=kind).status_code == 200


@pytest.mark.parametrize(("path", "size"), [("/tables/t1/bets", 600_000), ("/bettors/ann/deposits", 5_000)])
def test_a_body_that_is_too_long_is_refused_before_it_is_read(client: FlaskClient, path: str, size: int) -> None:
    response = client.post(f"/api/v1{path}", headers=NORTH, data=b" " * size, content_type="application/json")
    assert error_of(response) == (413, "body_too_long")


def test_what_storage_could_not_keep_is_to_be_sent_again(client: FlaskClient, floor: FakeFloor) -> None:
    floor.fail = StorageError("The disk is full.")
    response = client.get("/api/v1/tables/t1", headers=NORTH)
    assert error_of(response) == (503, "not_kept")
    assert response.headers["Retry-After"]


@pytest.mark.parametrize("key", ["unreachable", "busy", "closing", "no_answer_yet"])
def test_who_was_not_taken_up_is_told_to_send_it_again_and_not_that_it_was_refused(
    client: FlaskClient, floor: FakeFloor, key: str
) -> None:
    """The same may have been taken when it was sent before, and its answer lost: no is no answer to it."""
    floor.fail = RefusedError(key, "The table cannot be reached: its host b does not answer. Nothing was done.")
    response = client.get("/api/v1/tables/t1", headers=NORTH)
    assert error_of(response) == (503, key)
    assert response.headers["Retry-After"]
    assert response.json["error"]["sentence"].endswith("Nothing was done. Send it again with the same ids.")


def test_a_studio_that_is_too_slow_says_that_it_may_yet_count(client: FlaskClient, floor: FakeFloor) -> None:
    floor.fail = TimeoutError()
    assert error_of(client.get("/api/v1/tables/t1", headers=NORTH)) == (503, "no_answer_yet")


@pytest.mark.parametrize("error", [InvariantError("seventeen"), KeyError("seventeen"), ZeroDivisionError("seventeen")])
def test_our_own_mistake_tells_nothing_of_itself(
    client: FlaskClient, floor: FakeFloor, error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    floor.fail = error
    response = client.get("/api/v1/tables/t1", headers=NORTH)
    assert error_of(response) == (500, "our_mistake")
    assert b"seventeen" not in response.data
    assert b"Traceback" not in response.data


def test_no_answer_is_kept_by_those_between(client: FlaskClient) -> None:
    assert client.get("/api/v1/tables", headers=NORTH).headers["Cache-Control"] == "no-store"
