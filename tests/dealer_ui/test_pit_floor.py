"""The pit acts on the whole floor: the freeze of every table, messages to bettors, live pictures, its own questions."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import BETTING, DEALING, IDLE, NOW_MS, STAFF, FakeFloor, held, incident

from dealer_ui.api.table.state import public_state
from dealer_ui.floor.cause import causes_of
from dealer_ui.floor.trouble import worst_first
from dealer_ui.floor.watch import PitWatch
from dealer_ui.pages.pit.route import pit_menu_of
from studio.errors import RefusedError
from studio.people import may
from studio.pit.message import PREPARED, clean
from studio.tables import command as c
from studio.views.shape import MessageView, TableView, Words

CLOSED = altered(IDLE, table="t3", title="Table 3", now={"status": "closed"})
FIRST, SECOND = replace(DEALING, table="t1", title="Table 1"), replace(BETTING, table="t2", title="Table 2")


def obey(floor: FakeFloor) -> FakeFloor:
    """The tables freeze and are released as they are told."""
    floor.on_command = floor.obey
    return floor


def act(visitor: Visitor, name: str, **fields: str) -> Any:
    return visitor.client.post("/pit/act", json={"act": name, **fields}, headers={"X-CSRF-Token": visitor.csrf})


def kept(floor: FakeFloor) -> list[dict[str, Any]]:
    return [json.loads(entry.body)["pit"] for unit in floor.kept for entry in unit.entries]


RELEASE = {"reason_code": "drill", "words": "all looked at", "pin": "730162"}

# --- the freeze of the floor ----------------------------------------------------------------------------


@pytest.mark.parametrize("badge", STAFF)
def test_one_tap_freezes_every_open_table_for_whoever_may(badge: str) -> None:
    floor = obey(FakeFloor(FIRST, SECOND, CLOSED))
    answer = act(Visitor(app_over(floor), badge), "freeze_floor", id="tap")
    allowed = may(STAFF[badge].roles, "freeze_floor")
    assert answer.status_code == (200 if allowed else 403)
    assert [floor.view(table).now.frozen_by for table in floor.tables] == (
        [badge, badge, ""] if allowed else ["", "", ""]
    )
    assert [one["tables"] for one in kept(floor)] == ([["t1", "t2"]] if allowed else [])


def test_two_taps_are_one_freeze_and_its_tables_are_one_alarm() -> None:
    floor = obey(FakeFloor(FIRST, SECOND, CLOSED))
    paul = Visitor(app_over(floor), "paul")
    assert act(paul, "freeze_floor", id="x").status_code == act(paul, "freeze_floor", id="x").status_code == 200
    assert len(floor.asked) == 2
    assert [(one.word, one.tables) for one in causes_of(floor)] == [("floor", ("t1", "t2"))]  # type: ignore[arg-type]
    page = paul.page("/pit")
    assert "The whole floor is frozen, by Paul Pit" in page
    assert 'id="release-floor"' in page
    dora = obey(FakeFloor(FIRST, SECOND))
    dora.command("t2", c.FreezeTable(actor=STAFF["dora"]))
    act(Visitor(app_over(dora), "paul"), "freeze_floor")
    assert [(one.word, one.tables, one.about) for one in causes_of(dora)] == [  # type: ignore[arg-type]
        ("frozen", ("t2",), "Dora Deal"), ("floor", ("t1",), "Paul Pit")
    ], "what a dealer had frozen before stays hers"  # fmt: skip
    assert act(Visitor(app_over(dora), "petra"), "freeze_floor").json["key"] == "frozen_already"


def test_without_scripts_a_form_sent_twice_is_one_act_and_the_floor_freezes_again_after_its_release() -> None:
    floor = obey(FakeFloor(FIRST, SECOND))
    paul = Visitor(app_over(floor), "paul")

    def form(name: str) -> dict[str, str]:
        found = re.search(rf'<form[^>]*id="form-{name}".*?</form>', paul.page("/pit"), re.DOTALL)
        assert found is not None
        return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', found[0]))

    def send(fields: dict[str, str]) -> None:
        answer = paul.client.post("/pit/act", data=fields, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.headers["Location"]) == (303, "/pit")

    for freezes in (1, 2):
        freeze = form("freeze_floor")
        send(freeze)
        send(freeze)
        assert [floor.view(table).now.frozen_by for table in floor.tables] == ["paul", "paul"]
        assert [one["kind"] for one in kept(floor)].count("FloorFrozen") == freezes
        send({**form("release_floor"), **RELEASE})
        assert not floor.view("t1").now.frozen_by


def test_a_table_that_does_not_answer_is_named_and_keeps_no_other_from_freezing() -> None:
    floor = obey(FakeFloor(FIRST, SECOND))
    freezes = floor.on_command

    def deaf(table: str, command: Any) -> None:
        if table == "t1":
            raise RefusedError("no_answer_yet", "The table has not answered in time.")
        freezes(table, command)

    floor.on_command = deaf
    answer = act(Visitor(app_over(floor), "paul"), "freeze_floor")
    assert "Table 1" in answer.json["refused"]
    assert floor.view("t2").now.frozen_by == "paul"


def test_the_floor_is_released_as_one_act_whatever_else_holds_a_table() -> None:
    floor = obey(FakeFloor(FIRST, SECOND, replace(FIRST, table="t4", title="Table 4")))
    floor.command("t4", c.FreezeTable(actor=STAFF["dora"]))
    paul = Visitor(app_over(floor), "paul")
    act(paul, "freeze_floor")
    floor.show(altered(floor.view("t2"), incidents={"open": (incident(),)}))
    assert act(paul, "release_floor", **RELEASE).status_code == 200
    assert [floor.view(table).now.frozen_by for table in ("t1", "t2", "t4")] == ["", "", "dora"]
    told = kept(floor)[-1]
    assert (told["kind"], told["words"], told["tables"]) == ("FloorReleased", "all looked at", ["t1", "t2"])
    assert [cause.word for cause in causes_of(floor)] == ["frozen", "held"], "each of these has its own end"  # type: ignore[arg-type]
    assert act(paul, "release_floor", **RELEASE).json["key"] == "floor_not_frozen"


def test_a_second_tap_of_somebody_else_catches_the_tables_opened_since_and_one_act_releases_all() -> None:
    floor = obey(FakeFloor(FIRST, SECOND, CLOSED))
    act(Visitor(app_over(floor), "paul"), "freeze_floor")
    floor.show(altered(CLOSED, now={"status": "open"}))
    petra = Visitor(app_over(floor), "petra")
    assert act(petra, "freeze_floor").status_code == 200
    assert [(one.key, one.about, one.tables) for one in causes_of(floor)] == [  # type: ignore[arg-type]
        ("floor:F-1", "Paul Pit", ("t1", "t2", "t3"))
    ]  # fmt: skip
    assert act(petra, "release_floor", **{**RELEASE, "pin": "590427"}).status_code == 200
    assert not [table for table in floor.tables if floor.view(table).now.frozen_by]


@pytest.mark.parametrize(
    ("changes", "key"),
    [({"pin": ""}, "pin_needed"), ({"pin": "915374"}, "wrong_pin"), ({"reason_code": ""}, "reason_needed"),
     ({"reason_code": "other", "words": " "}, "words_needed")],
)  # fmt: skip
def test_a_release_without_pin_and_reason_is_refused(changes: dict[str, str], key: str) -> None:
    floor = obey(FakeFloor(FIRST))
    paul = Visitor(app_over(floor), "paul")
    act(paul, "freeze_floor")
    assert act(paul, "release_floor", **{**RELEASE, **changes}).json["key"] == key
    assert floor.view("t1").now.frozen_by == "paul"


def test_nothing_is_frozen_where_every_table_is_closed_and_nothing_released_that_was_not_frozen() -> None:
    paul = Visitor(app_over(FakeFloor(CLOSED)), "paul")
    assert act(paul, "freeze_floor").json["key"] == "nothing_to_freeze"
    assert act(paul, "release_floor", **RELEASE).json["key"] == "floor_not_frozen"


# --- messages to the bettors ----------------------------------------------------------------------------


def test_a_message_stands_at_its_table_until_the_game_goes_on() -> None:
    floor = FakeFloor(held(FIRST), SECOND)
    paul, watch = Visitor(app_over(floor), "paul"), PitWatch(floor)  # type: ignore[arg-type]
    assert act(paul, "tell_bettors", table="t1", text="technical", words="Back at <8>.").status_code == 200
    watch.step()
    public = Visitor(app_over(floor)).page("/display/t1")
    assert "We are putting a technical matter right." in public
    assert "Back at &lt;8&gt;." in public
    assert "technical matter" not in Visitor(app_over(floor)).page("/display/t2")
    (told,) = public_state(floor.view("t1"))["messages"]
    assert (told["id"], told["words"]) == ("M-1", "Back at <8>.")
    assert set(told["text"]) == {"en", "ja", "id"}
    floor.show(FIRST)
    watch.step()
    assert floor.view("t1").now.messages == ()
    assert next(one for one in kept(floor) if one["kind"] == "MessageEnded")["by"] == ""


def test_one_told_while_the_table_plays_ends_with_the_next_round_and_one_that_stays_by_hand() -> None:
    floor = FakeFloor(FIRST)
    paul, watch = Visitor(app_over(floor), "paul"), PitWatch(floor)  # type: ignore[arg-type]
    act(paul, "tell_bettors", table="t1", text="last_round")
    act(paul, "tell_bettors", table="t1", words="Happy birthday, Ann", stays="yes")
    watch.step()
    assert len(floor.view("t1").now.messages) == 2
    floor.show(altered(FIRST, round={"id": "knights1-0000013"}))
    watch.step()
    assert [one.words for one in floor.view("t1").now.messages] == ["Happy birthday, Ann"]
    assert act(paul, "end_message", message="M-2").status_code == 200
    assert act(paul, "end_message", message="M-2", id="again").json["key"] == "message_over"
    assert floor.view("t1").now.messages == ()


def test_every_open_table_is_told_by_one_act() -> None:
    floor = FakeFloor(FIRST, SECOND, CLOSED)
    act(Visitor(app_over(floor), "paul"), "tell_bettors", table="*", text="back_soon")
    assert [len(floor.view(table).now.messages) for table in floor.tables] == [1, 1, 0]
    assert [one["id"] for one in kept(floor)] == ["M-1", "M-2"]


@pytest.mark.parametrize(
    ("fields", "key"),
    [({}, "message_empty"), ({"text": "rude"}, "unknown_message"), ({"words": "x" * 201}, "message_long"),
     ({"words": "\u202e \n"}, "message_empty"), ({"table": "t9", "text": "thanks"}, "no_table")],
)  # fmt: skip
def test_a_message_that_cannot_be_shown_is_refused(fields: dict[str, str], key: str) -> None:
    floor = FakeFloor(FIRST)
    assert act(Visitor(app_over(floor), "paul"), "tell_bettors", **{"table": "t1", **fields}).json["key"] == key
    assert floor.view("t1").now.messages == ()


def test_no_more_than_three_stand_at_a_table() -> None:
    floor = FakeFloor(FIRST)
    paul = Visitor(app_over(floor), "paul")
    for number in range(3):
        act(paul, "tell_bettors", table="t1", words=f"message {number}")
    assert act(paul, "tell_bettors", table="t1", text="thanks").json["key"] == "messages_full"


@pytest.mark.parametrize("badge", ["dora", "anna", "tom", "ada"])
def test_nobody_but_a_pit_boss_tells_the_bettors_anything(badge: str) -> None:
    floor = FakeFloor(FIRST)
    assert act(Visitor(app_over(floor), badge), "tell_bettors", table="t1", text="thanks").status_code == 403


def test_words_lose_what_no_screen_should_get() -> None:
    assert clean(" a\u202eb\x00c\n d\u200b ") == "a b c d"


def test_every_prepared_message_is_there_in_every_language() -> None:
    floor = FakeFloor(FIRST)
    view = altered(FIRST, now={"messages": tuple(MessageView(Words(f"message.{text}")) for text in PREPARED)})
    texts = [one["text"] for one in public_state(view)["messages"]]
    assert all(len(set(text.values())) == 3 for text in texts)
    assert floor.pit.book.messages == {}


# --- pictures, order, questions -------------------------------------------------------------------------


def pictures(floor: FakeFloor, query: str, badge: str = "paul") -> Any:
    return Visitor(app_over(floor), badge).client.get(f"/pit/pictures?{query}")


def test_a_picture_comes_small_with_its_age() -> None:
    floor = FakeFloor(FIRST, SECOND)
    frame = cv2.imencode(".jpg", np.full((540, 960, 3), 90, np.uint8))[1].tobytes()
    taken = {"t1": NOW_MS - 400, "t2": NOW_MS - 5_000}
    floor.camera_jpeg = lambda table: (frame, taken[table])  # type: ignore[method-assign]
    found = pictures(floor, "tables=t1,t2,t9").json["pictures"]
    assert (found["t1"]["age_ms"], found["t2"]["age_ms"], "t9" in found) == (400, 5_000, False)
    shown = cv2.imdecode(np.frombuffer(base64.b64decode(found["t1"]["jpeg"]), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape[:2] == (180, 320)
    assert pictures(floor, "tables=t1&size=huge").status_code == 404


def test_what_is_no_picture_is_none_and_a_dealer_sees_none() -> None:
    floor = FakeFloor(replace(FIRST, table="knights1"))
    assert pictures(floor, "tables=knights1").json["pictures"] == {"knights1": {"why": "broken"}}
    assert pictures(floor, "tables=knights1", "dora").status_code == 403


def test_the_order_of_the_tables_is_the_same_however_they_come() -> None:
    views: list[TableView] = [replace(IDLE, table=f"t{n}", title=f"Table {n}") for n in (10, 9, 2, 1)]
    assert [view.title for view, _ in worst_first(views)] == ["Table 1", "Table 2", "Table 9", "Table 10"]
    assert worst_first(views) == worst_first(reversed(views))


def test_the_pit_is_asked_what_the_dealer_is_asked() -> None:
    page = Visitor(app_over(FakeFloor(replace(FIRST, table="knights1"))), "paul").page("/pit/knights1")
    asked = re.findall(r'name="(with\.\w+)" value="(\w+)"', page)
    assert ("with.identified", "false") in asked
    assert {choice.kind for choice in pit_menu_of("three_knights")} >= {"dropped_card", "malfunction", "video_lost"}
    bare = {choice.kind for choice in pit_menu_of("three_knights") if not choice.answers}
    assert "dropped_card" not in bare
