"""Who is signed in and asks for what is not his stands in the record, and fills it with nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from running_studio import TABLE, House
from test_staff_pages import Person

from dealer_ui.access.sessions import Viewer
from dealer_ui.frame.refused_access import RefusedAccess
from studio.errors import RefusedError
from studio.people import NewStaff, Pin
from studio.people.refusal_event import AccessRefused

DANA, PETRA, ADA = ("1001", "4826"), ("2001", "730162"), ("9001", "915374")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as found:
        found.staff()
        found.floor.staff.add(NewStaff("a1", ADA[0], "Ada", ("admin",), Pin(ADA[1])))
        yield found


def kept(house: House) -> list[dict[str, Any]]:
    rows = house.floor.reader().events(kinds=("AccessRefused",))
    return [msgspec.json.decode(row.body)["staff"] for row in rows]


def test_a_page_that_is_not_his_is_in_the_record_with_who_what_and_where(house: House) -> None:
    dana = Person(house, *DANA)
    assert dana.get("/staff/p1").status_code == 403
    [told] = kept(house)
    station = next(iter(house.floor.staff.register.people["d1"].stations))
    assert {name: told[name] for name in ("id", "door", "why", "count", "station", "address")} == {
        "id": "d1", "door": "GET /staff/<id>", "why": "role", "count": 1, "station": station, "address": "127.0.0.1",
    }  # fmt: skip
    line = json.loads(house.database.with_name("studio.db.access").read_text().splitlines()[-1])
    assert (line["door"], line["reason"], line["who"]) == ("console", "not_allowed", DANA[0])


def test_a_command_is_named_and_what_was_typed_is_not(house: House) -> None:
    dana = Person(house, *DANA)
    asked = {"command": "void_round", "words": "4826", "back": "/"}
    assert dana.post(f"/table/{TABLE}/command", **asked).status_code == 403
    assert dana.post(f"/table/{TABLE}/command", **{**asked, "command": "4826"}).status_code == 409
    assert [one["door"] for one in kept(house)] == ["POST /table/<table>/command void_round"]
    assert "4826" not in json.dumps(kept(house))


def test_an_act_that_the_desk_refuses_for_want_of_a_right_counts_too(house: House) -> None:
    assert "may not do this" in Person(house, *PETRA).act("retire", "d1", pin=PETRA[1])
    assert [(one["id"], one["door"], one["why"]) for one in kept(house)] == [("p1", "POST /staff", "role")]


def test_a_form_of_another_site_is_told_as_such(house: House) -> None:
    dana = Person(house, *DANA)
    assert dana.client.post("/sign-out", headers={"Origin": "http://elsewhere"}).status_code == 403
    assert dana.client.post("/sign-out", data={"csrf": "made up"}).status_code == 403
    assert [(one["why"], one["count"]) for one in kept(house)] == [("sender", 1), ("sender", 1)]


def test_a_thousand_tries_are_ten_rows_with_how_often_it_was(house: House) -> None:
    dana = Person(house, *DANA)
    for _ in range(1_000):
        assert dana.get("/pit").status_code == 403
    assert [one["count"] for one in kept(house)] == [1, 1, 2, 4, 8, 16, 32, 64, 128, 256]


def test_what_is_open_to_him_and_what_a_stranger_asks_is_in_no_row(house: House) -> None:
    dana = Person(house, *DANA)
    assert dana.get(f"/dealer/{TABLE}").status_code == 200
    assert house.studio.app.test_client().get("/staff").status_code == 401
    assert house.studio.app.test_client().post("/pit/act").status_code == 401
    assert kept(house) == []


def test_the_report_of_access_and_the_record_tell_it(house: House) -> None:
    dana, ada = Person(house, *DANA), Person(house, *ADA)
    for _ in range(4):
        dana.get("/pit")
    sheet = ada.get("/reports/access").text
    assert "Pages and acts refused" in sheet
    assert "Refused a page or act" in ada.get("/reports/significant").text
    assert (
        "asked for what is not his: GET /pit (his role may not)"
        in ada.get("/audit?language=en&kind=AccessRefused").text
    )


def test_a_disk_that_takes_nothing_stops_nobody_and_the_next_row_has_it() -> None:
    told: list[AccessRefused] = []
    full = True

    def keep(one: AccessRefused) -> None:
        if full:
            raise RefusedError("disk", "The studio cannot write its record now; try again in a moment.")
        told.append(one)

    now = [1_000]
    refused = RefusedAccess(keep, lambda: now[0])
    who = Viewer("t", "c", "d1", "Dana", frozenset({"dealer"}), 0)
    refused.note(who, "GET /pit", "role", "")
    full = False
    refused.note(who, "GET /pit", "role", "")
    now[0] += 86_400_000
    refused.note(who, "GET /staff", "role", "")
    assert [(one.door, one.count) for one in told] == [("GET /pit", 2), ("GET /staff", 1)]
