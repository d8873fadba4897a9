"""The document of the operators' interface tells all of it, and nothing that is not there."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from api_fake_floor import NORTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient
from held_to_document import all_routes, hold, misfit, told
from werkzeug.test import TestResponse
from werkzeug.wrappers import Response

from dealer_ui import api
from dealer_ui.api.document.document import with_document
from dealer_ui.api.document.openapi import document
from dealer_ui.api.door import PREFIX, blueprint
from dealer_ui.api.request.answer import say
from dealer_ui.api.request.body import Asked, Body
from dealer_ui.api.request.route import Route
from dealer_ui.desk.ticket import Tickets

DOCUMENT = told()
OPERATIONS = [
    (path, method, {**call, "parameters": [*item.get("parameters", ()), *call.get("parameters", ())]})
    for path, item in DOCUMENT["paths"].items()
    for method, call in item.items()
    if method != "parameters"
]
IDS = [call["operationId"] for _, _, call in OPERATIONS]


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    floor, app = FakeFloor(), Flask("test")
    tickets = Tickets(lambda: "t", floor.now_ms, lambda: 0.0)
    app.register_blueprint(blueprint(floor, Seats(1), tickets=tickets))
    yield app.test_client()
    floor.close()


# --- what is told is what is there --------------------------------------------------------------------------


def test_every_route_is_told_and_every_address_told_is_a_route(client: FlaskClient) -> None:
    rules = [rule for rule in client.application.url_map.iter_rules() if rule.endpoint.startswith("api.")]
    there = {
        (rule.rule.removeprefix(PREFIX).replace("<", "{").replace(">", "}"), method.lower())
        for rule in rules
        for method in (rule.methods or set()) - {"HEAD"}
    }
    assert there == {(path, method) for path, method, _ in OPERATIONS}


def test_each_call_has_a_name_of_its_own() -> None:
    assert len(set(IDS)) == len(IDS)


def test_what_reads_a_body_or_a_query_is_told_beside_a_route() -> None:
    modules = [importlib.import_module(one.name) for one in pkgutil.walk_packages(api.__path__, "dealer_ui.api.")]
    made = {id(one) for module in modules for one in vars(module).values() if isinstance(one, Body | Asked)}
    assert made == {id(one) for route in all_routes() for one in (route.takes, route.asks) if one is not None}


@pytest.mark.parametrize(("path", "method", "call"), OPERATIONS, ids=IDS)
def test_a_call_is_told_in_words(path: str, method: str, call: dict[str, Any]) -> None:
    assert call["summary"].endswith(".")
    assert [one["name"] for one in call["parameters"] if not one.get("description", "").endswith(".")] == []
    assert {one["name"] for one in call["parameters"] if one["in"] == "path"} == set(re.findall(r"{(\w+)}", path))
    assert call["tags"][0] in {tag["name"] for tag in DOCUMENT["tags"]}


@pytest.mark.parametrize(("path", "method", "call"), OPERATIONS, ids=IDS)
def test_every_example_fits(path: str, method: str, call: dict[str, Any]) -> None:
    bodies = [call["requestBody"]] if "requestBody" in call else []
    for one in (*bodies, call["responses"]["200"]):
        for content in one["content"].values():
            if "example" in content:
                assert misfit(content["schema"], content["example"]) == ""
    for one in call["parameters"]:
        if "example" in one:
            assert misfit(one["schema"], one["example"]) == ""


@pytest.mark.parametrize(("path", "method", "call"), OPERATIONS, ids=IDS)
def test_a_link_leads_to_a_call_and_names_what_that_asks(path: str, method: str, call: dict[str, Any]) -> None:
    for link in call["responses"]["200"].get("links", {}).values():
        [there] = [one for _, _, one in OPERATIONS if one["operationId"] == link["operationId"]]
        assert set(link["parameters"]) <= {one["name"] for one in there["parameters"]}


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_every_type_is_a_schema_with_words_of_its_own(name: str) -> None:
    schema = DOCUMENT["components"]["schemas"][name]
    jsonschema_rs.meta.validate({**schema, "$schema": "https://json-schema.org/draft/2020-12/schema"})
    assert schema["description"].endswith(".")


# --- how it is asked for --------------------------------------------------------------------------------------


def test_the_document_wants_no_key_and_is_kept_by_whoever_has_it(client: FlaskClient) -> None:
    first = client.get("/api/v1/openapi.json")
    assert (first.status_code, first.get_json()) == (200, DOCUMENT)
    again = client.get("/api/v1/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get("/api/v1/openapi.json", headers={"If-None-Match": '"another"'}).status_code == 200


def test_the_page_has_each_call_and_each_type_and_every_link_on_it_leads_somewhere(client: FlaskClient) -> None:
    page = client.get("/api/v1/docs")
    ids = re.findall(r'id="([^"]+)"', page.text)
    assert len(set(ids)) == len(ids)
    assert set(IDS) | {f"type-{name}" for name in DOCUMENT["components"]["schemas"]} <= set(ids)
    assert set(re.findall(r'href="#([^"]+)"', page.text)) <= set(ids)
    assert "<script" not in page.text
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert set(re.findall(r'(?:href|src)="(?!#)([^"]+)"', page.text)) == {
        "/static/icon.svg", "/static/css/ground.css", "/static/css/document.css", "openapi.json",
    }  # fmt: skip


@pytest.mark.parametrize("path", ["", "/", "//", "//tables", "/tables/", "/bettors//bets", "/a%0Ab", "/bets/a%2Fb%2Fc"])
def test_what_leads_nowhere_is_told_as_everything_else_is(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/api/v1{path}", headers=NORTH)
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (404, "unknown_address")
    assert client.get(f"/api/v1{path}").get_json()["error"]["key"] == "key_missing"


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "TRACE", "PROPFIND"])
def test_an_address_says_how_it_is_asked(client: FlaskClient, method: str) -> None:
    answer = client.open("/api/v1/bettors/ann/complaints", method=method, headers=NORTH)
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (405, "wrong_method")
    assert answer.headers["Allow"] == "GET, POST"


# --- every answer is held to it -----------------------------------------------------------------------------


def answered(response: Response) -> TestResponse:
    app = Flask("test")
    app.add_url_rule("/", "one", lambda: response)
    return app.test_client().get("/")


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"bettor": "ann", "balance": 1, "currency": "EUR"}),
        (200, {"bettor": "ann", "balance": "1", "currency": "EUR", "owed": 0}),
        (200, {"bettor": "ann", "balance": 1, "currency": "EUR", "owed": 0, "more": 1}),
        (201, {"bettor": "ann", "balance": 1, "currency": "EUR", "owed": 0}),
        (404, {"error": {"key": "hand_not_found", "sentence": "There is no such hand."}}),
        (404, {"error": {"key": "unknown_bettor"}}),
    ],
    ids=["lacks a field", "is of another kind", "says more", "has another status", "has another's key", "has no words"],
)
def test_an_answer_that_is_told_otherwise_is_seen(status: int, body: object) -> None:
    with pytest.raises(AssertionError, match="GET /bettors/ann/balance answered"):
        hold("GET", "/bettors/ann/balance", answered(say(body, status)))


def test_an_event_that_is_told_otherwise_is_seen() -> None:
    stream = answered(
        Response([b"retry: 1000\n\n", b'event: beat\ndata: {"seq": 1}\n\n'], mimetype="text/event-stream")
    )
    hold("GET", "/tables/t1/stream", stream)
    with pytest.raises(AssertionError, match="an event beat that does not fit"):
        list(stream.response)


def test_a_route_that_is_added_is_told() -> None:
    def nothing(operator: str) -> None:
        """Nothing."""

    route = Route("GET", "/limits/more", nothing, refuses={404: ("bet_not_found",)})
    [(path, item)] = [one for one in document(with_document((route,)))["paths"].items() if one[0] == "/limits/more"]
    assert item["get"]["responses"]["404"]["$ref"].endswith("404.bet_not_found"), path
