"""Who may look at what and ask for what: the whole matrix, asked of the real routes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import pytest
from console_visitor import Visitor, app_over
from fake_floor import IDLE, ROUND, STAFF, FakeFloor, journal

from dealer_ui.frame.command_form import COMMANDS
from studio.people import may

PAGES = {
    "/dealer/knights1": "view_dealer",
    "/pit": "view_pit",
    "/pit/knights1": "view_pit",
    f"/pit/knights1/round/{ROUND}": "inspect_round",
    "/technician": "view_technician",
    "/stream/dealer/knights1": "view_dealer",
    "/stream/pit": "view_pit",
    "/stream/pit_table/knights1": "view_pit",
    "/stream/technician": "view_technician",
}
FIELDS = {
    "dealer": "dora", "kind": "dropped_card", "incident": "I-1", "ruling": "void_round", "reason_code": "other",
    "words": "so it was", "box": "player1", "place": "1", "card": "Kh", "deck_id": "D-1",
    "case": "knights1-0000001", "pays": "none", "device": "shoe", "left": "0", "asked": "a1", "seat": "seat1",
}  # fmt: skip


def a_floor() -> FakeFloor:
    floor = FakeFloor(IDLE)
    floor.journal = journal()
    return floor


@pytest.fixture(scope="module")
def house() -> Iterator[FakeFloor]:
    floor = a_floor()
    yield floor
    floor.close()


@pytest.fixture(scope="module")
def visitors(house: FakeFloor) -> Mapping[str, Visitor]:
    """One of each, signed in."""
    app = app_over(house)
    return {badge: Visitor(app, badge) for badge in STAFF}


@pytest.mark.parametrize(("path", "badge"), tuple(itertools.product(PAGES, STAFF)))
def test_a_page_opens_exactly_for_the_roles_with_its_right(
    path: str, badge: str, visitors: Mapping[str, Visitor]
) -> None:
    allowed = may(STAFF[badge].roles, PAGES[path])
    assert visitors[badge].status(path) == (200 if allowed else 403)


@pytest.mark.parametrize("path", [*PAGES, "/", "/evidence/" + "a" * 64, "/table/knights1/camera.jpg"])
def test_nothing_but_the_display_opens_without_signing_in(path: str) -> None:
    assert Visitor(app_over(a_floor())).status(path) in (302, 401)


@pytest.mark.parametrize("path", ["/display/knights1", "/stream/display/knights1", "/sign-in"])
def test_the_public_pages_open_for_everybody(path: str) -> None:
    assert Visitor(app_over(a_floor())).status(path) == 200


@pytest.mark.parametrize(("command", "badge"), tuple(itertools.product(COMMANDS, STAFF)))
def test_a_command_is_taken_exactly_from_the_roles_with_its_right(
    command: str, badge: str, house: FakeFloor, visitors: Mapping[str, Visitor]
) -> None:
    before = len(house.asked)
    answer = visitors[badge].ask("knights1", command, **FIELDS)
    allowed = any(may(STAFF[badge].roles, action) for action in COMMANDS[command].terms.door)
    assert answer.status_code == (200 if allowed else 403), answer.text
    assert len(house.asked) - before == int(allowed)
    if not allowed:
        assert "You may not do this" in answer.json["refused"]


def test_a_command_without_signing_in_is_refused() -> None:
    floor = a_floor()
    answer = app_over(floor).test_client().post("/table/knights1/command", json={"command": "start_round"})
    assert answer.status_code == 401
    assert floor.asked == []


@pytest.mark.parametrize(
    ("body", "key"),
    [({"command": "fly"}, "unknown_command"), ({"command": "report_incident"}, "field_missing"),
     ({"command": "start_round", "seen": "seven"}, "not_a_number"), ({"command": {"x": 1}}, "not_readable"),
     ({"command": "start_round", "seen": "9" * 900}, "not_a_number"),
     ({"command": "start_round", "seen": "²"}, "not_a_number"),
     ({"command": "override_card", "box": "player1", "place": 1, "card": "Zz", "reason_code": "o"}, "not_a_card"),
     ({"command": "release_table", "reason_code": "x", "words": "w" * 2000}, "too_long")],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_a_sentence(body: dict[str, object], key: str) -> None:
    floor = a_floor()
    visitor = Visitor(app_over(floor), "paul")
    answer = visitor.client.post("/table/knights1/command", json=body, headers={"X-CSRF-Token": visitor.csrf})
    assert (answer.status_code, answer.json["key"]) == (409, key)
    assert answer.json["refused"].endswith(".")
    assert floor.asked == []


@pytest.mark.parametrize("body", ["[1]", '"x"', "7"])
def test_json_that_is_no_object_is_refused(body: str) -> None:
    visitor = Visitor(app_over(a_floor()), "paul")
    headers = {"X-CSRF-Token": visitor.csrf, "Content-Type": "application/json"}
    assert visitor.client.post("/table/knights1/command", data=body, headers=headers).status_code == 409
