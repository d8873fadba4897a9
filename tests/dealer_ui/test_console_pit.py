"""The pit's consoles: worst first, rulings and their people, evidence, the round inspector, the technician."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import (
    DEALING,
    DECLARED,
    IDLE,
    NOW_MS,
    ROUND,
    FakeFloor,
    held,
    incident,
    journal,
    results,
)

from dealer_ui.floor.trouble import worst_first
from dealer_ui.frame.alarm_row import rows_of
from dealer_ui.frame.incident_way import ways
from studio.cards import DECK
from studio.tables import command as c
from studio.views.shape import TableView

CLOSED = altered(IDLE, table="t-closed", now={"status": "closed"}, title="Closed")
LOST = altered(IDLE, table="t-lost", devices={"links": {"shoe": False}}, title="Lost")
CALLED = altered(
    IDLE, table="t-called", now={"pit_called_by": "dora", "pit_called_by_name": "Dora Deal"}, title="Called"
)
NOTED = altered(IDLE, table="t-noted", incidents={"open": (incident("camera_unsure", holds=False),)}, title="Noted")
HELD_LONG = replace(held(DEALING, incident(opened_at_ms=NOW_MS - 90_000)), table="t-long", title="Long")
HELD_NEW = replace(held(DEALING, incident(opened_at_ms=NOW_MS - 1_000)), table="t-new", title="New")
CALM = replace(IDLE, table="t-calm", title="Calm")


@pytest.fixture
def told() -> Iterator[FakeFloor]:
    floor = FakeFloor(altered(DECLARED, past={"results": results(12)}))
    floor.journal = journal()
    yield floor
    floor.close()


def page_of(view: TableView, badge: str = "paul") -> str:
    return Visitor(app_over(FakeFloor(view)), badge).page(f"/pit/{view.table}")


def test_tables_stand_worst_first_and_the_longest_held_on_top() -> None:
    found = worst_first([CALM, CLOSED, LOST, NOTED, CALLED, HELD_NEW, HELD_LONG])
    assert [view.title for view, _ in found] == ["Long", "New", "Called", "Noted", "Lost", "Calm", "Closed"]
    page = Visitor(app_over(FakeFloor(CALM, CLOSED, HELD_NEW, CALLED)), "paul").page("/pit")
    assert re.findall(r'id="row-t-(\w+)"', page) == ["new", "called", "calm", "closed"]


def test_the_alarms_put_what_waits_for_a_second_person_first() -> None:
    asked = altered(HELD_NEW, incidents={"open": (incident(asked={"by": "petra"}, opened_at_ms=NOW_MS),)})
    assert [row.titles for row in rows_of(FakeFloor(HELD_LONG, asked))] == [("New",), ("Long",)]  # type: ignore[arg-type]


def test_alarms_are_words_for_the_stations_sound() -> None:
    page = Visitor(app_over(FakeFloor(HELD_LONG, CALLED, LOST)), "paul").page("/pit")
    alarm = re.search(r'data-alarm="([^"]*)"', page)
    assert alarm is not None
    assert alarm[1].split() == [
        f"held:incident:t-long:{HELD_LONG.incidents.open[0].id}",
        "called:called:t-called:dora",
        "device:device:shoe_t-lost",
    ]


def test_an_incident_shows_its_row_its_pictures_and_every_way_with_who_agrees() -> None:
    options = ("shoe", "camera", "manual", "void_round")
    about = incident(
        "card_mismatch",
        row={"id": "HG15", "ruling": "pit_decides", "options": options},
        where={"box": "player2", "place": 2},
        evidence=("a" * 64, "b" * 64),
    )
    page = page_of(held(DEALING, about))
    assert "HG15" in page
    assert "told by Dora Deal" in page
    assert f"/evidence/{'a' * 64}" in page
    assert f"/evidence/{'b' * 64}" in page
    for way in ("shoe", "camera", "manual", "void_round"):
        assert f'name="ruling" value="{way}"' in page
    found = {way.ruling: (way.approval, way.takes) for way in ways(held(DEALING, about), about)}
    assert found == {
        "shoe": ("pit_boss", ""), "camera": ("pit_boss", ""), "manual": ("two_people", "card"),
        "void_round": ("pit_boss", ""),
    }  # fmt: skip


def test_a_void_after_a_reveal_takes_two_people_and_both_forms_say_so() -> None:
    (way,) = ways(altered(DEALING, round={"revealed": True}), incident())
    assert (way.ruling, way.approval) == ("void_round", "two_people")
    for revealed, needed in ((False, "a pit boss"), (True, "two people")):
        page = page_of(altered(DEALING, round={"revealed": revealed}))
        assert needed in page[page.index('id="act-void"') :].partition("</header>")[0]


def test_a_ruling_carries_its_own_arguments_its_reason_and_the_pin() -> None:
    floor = FakeFloor(held())
    fields = {"incident": "I-9", "ruling": "manual", "argument.manual": "Ac", "argument.void_hand": "player1",
              "reason_code": "dealer_error", "words": "misread", "pin": "730162", "id": "r1", "seen": 7}  # fmt: skip
    assert Visitor(app_over(floor), "paul").ask("knights1", "rule_incident", **fields).status_code == 200
    (asked,) = floor.asked
    assert isinstance(asked, c.RuleIncident)
    assert (asked.arguments, asked.reason_code, asked.words) == (("Ac",), "dealer_error", "misread")
    assert asked.actor.pin_at_ms == NOW_MS


def test_a_wrong_pin_rules_nothing() -> None:
    floor = FakeFloor(held())
    answer = Visitor(app_over(floor), "paul").ask("knights1", "rule_incident", incident="I", ruling="x", pin="915374")
    assert answer.status_code == 409
    assert "not your PIN" in answer.json["refused"]
    assert floor.asked == []


def test_the_second_person_is_asked_and_the_first_one_only_waits() -> None:
    asked = incident(asked={"by": "petra", "by_name": "Petra Pit", "ruling": "void_round", "until_ms": NOW_MS + 50_000})
    other, own = page_of(held(DEALING, asked)), page_of(held(DEALING, asked), "petra")
    assert "Petra Pit asks for: Void the round" in other
    assert f'data-closes-at-ms="{NOW_MS + 50_000}" data-window-s="60"' in other
    assert f'id="form-approve_ruling-{asked.id}"' in other
    assert f'id="form-decline_ruling-{asked.id}"' in other
    assert "approve_ruling" not in own
    assert "You asked for this" in own


def test_an_auditor_sees_everything_and_has_no_button_but_the_freeze() -> None:
    page = page_of(held(DEALING, incident()), "anna")
    assert "voids the round" in page
    assert re.findall(r'name="(?:command|act)" value="(\w+)"', page) == ["freeze_table"]


def test_opening_a_table_names_the_dealer_from_the_register() -> None:
    floor = FakeFloor(CLOSED)
    assert Visitor(app_over(floor), "paul").ask("t-closed", "open_table", dealer="dora").status_code == 200
    (asked,) = floor.asked
    assert isinstance(asked, c.OpenTable)
    assert (asked.dealer, asked.dealer_name) == ("dora", "Dora Deal")


def test_a_released_table_keeps_reason_and_words() -> None:
    page = page_of(altered(DEALING, now={"held": True, "frozen_by": "dora", "frozen_by_name": "Dora Deal"}))
    assert 'id="form-release_table"' in page
    assert "Frozen by Dora Deal" in page


def test_evidence_is_for_signed_in_staff_and_only_by_its_digest(tmp_path: Path) -> None:
    digest = "ab" * 32
    (tmp_path / digest).write_bytes(b"\xff\xd8\xff\xe0rest")
    (tmp_path / ("cd" * 32)).write_bytes(b"<html>")
    app = app_over(FakeFloor(IDLE, folder=tmp_path))
    staff = Visitor(app, "dora")
    with staff.client.get(f"/evidence/{digest}") as answer:
        assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
    assert staff.status(f"/evidence/{'cd' * 32}") == 404
    assert staff.status("/evidence/..%2f..%2fetc%2fpasswd") == 404
    assert staff.status(f"/evidence/{'00' * 32}") == 404
    assert Visitor(app).status(f"/evidence/{digest}") in (302, 401)


def test_the_live_picture_is_there_or_says_nothing() -> None:
    visitor = Visitor(app_over(FakeFloor(IDLE, CALM)), "tom")
    assert visitor.client.get("/table/knights1/camera.jpg").mimetype == "image/jpeg"
    assert visitor.client.get("/table/t-calm/camera.jpg").status_code == 204
    assert Visitor(app_over(FakeFloor(IDLE)), "dora").status("/table/knights1/camera.jpg") in (200, 403)


def test_the_inspector_tells_a_round_on_one_time_line(told: FakeFloor) -> None:
    page = Visitor(app_over(told), "paul").page(f"/pit/knights1/round/{ROUND}")
    for sentence in ("Round 12 started.", "Burn card 1 lies in the burn zone.",
                     "Player 1, card 1: K♥, read by the shoe.",
                     "Dora Deal called the pit.", "€50.00 reserved for bet b1", "€100.00 paid on bet b1"):  # fmt: skip
        assert sentence in page
    times = re.findall(r"<li class=\"\w+\" id=\"line-[^>]*><time>([0-9:.]+)</time>", page)
    assert times == sorted(times)
    assert len(times) == 13
    assert f"/evidence/{'a' * 64}" in page


@pytest.mark.parametrize(("only", "count"), [("observations", 3), ("events", 6), ("money", 4), ("nonsense", 13)])
def test_the_inspector_filters(told: FakeFloor, only: str, count: int) -> None:
    page = Visitor(app_over(told), "anna").page(f"/pit/knights1/round/{ROUND}?only={only}")
    assert page.count('id="line-') == count


def test_a_sealed_card_stays_sealed_in_the_inspector_and_at_the_technicians(told: FakeFloor) -> None:
    for badge, path in (("paul", f"/pit/knights1/round/{ROUND}"), ("tom", "/technician")):
        page = Visitor(app_over(told), badge).page(path)
        page = page[page.index("<main") :]
        assert "9♠" not in page
        assert "9s" not in page
    page = Visitor(app_over(told), "paul").page(f"/pit/knights1/round/{ROUND}")
    assert page.count('aria-label="sealed"') == 4


def test_the_technicians_page_shows_no_face_at_all(told: FakeFloor) -> None:
    page = Visitor(app_over(told), "tom").page("/technician")
    assert "let a card out and read it." in page
    assert not any(card.sign in page for card in DECK)


def test_a_round_nobody_knows_is_a_plain_page(told: FakeFloor) -> None:
    assert Visitor(app_over(told), "paul").status("/pit/knights1/round/none") == 404
