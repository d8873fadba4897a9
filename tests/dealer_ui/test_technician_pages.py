"""The technician's pages: the ladder, the line, the camera, and that nothing of an open table's cards is on them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_bench import CORNERS, PICTURE, TechnicianFloor
from fake_floor import BURN, IDLE, NOW_MS, box

from dealer_ui.pages.technician.device_route import Talk, plain
from dealer_ui.words.language import LANGUAGES
from devices.camera.face.explanation import MEANINGS
from studio.cards import DECK
from studio.diagnosis import Finding, Unseen
from studio.errors import RefusedError
from studio.ports import LinkDown
from studio.tables.command import ServiceDevice
from studio.views.shape import Words

CLOSED = altered(IDLE, now={"status": "closed"})
DEAL = altered(
    IDLE,
    round={"id": "knights1-0000012", "stage": "dealing"},
    now={"act": Words("act.deal", {"box": "box.player2", "place": 1})},
    boxes=(box("player1", "Kh", "7d!"), box("player2", ">"), box("player3", "*"), box("banker"), BURN),
)


@pytest.fixture
def floor() -> Iterator[TechnicianFloor]:
    made = TechnicianFloor(CLOSED)
    yield made
    made.close()


def technician(floor: TechnicianFloor) -> Visitor:
    return Visitor(app_over(floor), "tom")


def act(visitor: Visitor, path: str, **fields: Any) -> tuple[int, dict[str, Any]]:
    headers = {"X-CSRF-Token": visitor.csrf, "Accept": "application/json"}
    answer = visitor.client.post(f"/technician/knights1/{path}", json=fields, headers=headers)
    return answer.status_code, answer.get_json()


# --- the ladder -------------------------------------------------------------------------------------------


def test_every_device_has_its_ladder_and_says_what_to_do(floor: TechnicianFloor) -> None:
    floor.bench.lines["shoe-1"].note([LinkDown(device="shoe-1", at_ms=NOW_MS, url="", reason="Plug the cable in.")])
    page = technician(floor).page("/technician")
    assert page.count('<li class="rung ') == 12
    assert "The link cannot be opened: Plug the cable in." in page
    assert "usb FTDI A9007UX1" in page
    assert "MD-9" in page
    assert "S-77" in page
    assert "2.1" in page


@pytest.mark.parametrize("path", ["/technician", "/technician/knights1/shoe"])
def test_why_a_link_is_lost_is_said_in_the_technicians_language(floor: TechnicianFloor, path: str) -> None:
    reason = "The cable at /dev/ttyUSB0 was unplugged, or its device lost power; plug it in again."
    floor.bench.lines["shoe-1"].note([LinkDown(device="shoe-1", at_ms=NOW_MS, url="", reason=reason)])
    visitor = technician(floor)
    assert "接続を開けません：/dev/ttyUSB0 のケーブル" in visitor.page(f"{path}?language=ja")
    floor.bench.findings = [Finding("open.bad", "bad", {"reason": reason})]
    _, answer = act(visitor, "shoe/test?language=ja")
    assert answer["findings"][0]["sentence"].startswith("接続を開けません：/dev/ttyUSB0 のケーブル")


@pytest.mark.parametrize("role", ["shoe", "shuffler", "camera"])
@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_page_speaks_every_language_to_the_end(floor: TechnicianFloor, role: str, tag: str) -> None:
    visitor = technician(floor)
    for path in (f"/technician/knights1/{role}", "/technician/knights1/camera/calibrate", "/technician"):
        page = visitor.page(f"{path}?language={tag}")
        assert re.findall(r">\s*(?:technician|ladder|rung|calibrate|count|test)\.[a-z_.]+", page) == []
        assert re.findall(r"\((?:reason|count|zone)\)", page) == []


def test_a_count_that_moves_without_the_journal_is_drawn_at_the_next_beat(floor: TechnicianFloor) -> None:
    from dealer_ui.frame.screen import Asked
    from dealer_ui.pages.technician.route import SCREEN

    asked = Asked(floor, "", None, None)  # type: ignore[arg-type]
    before = SCREEN.pulse(asked)
    assert SCREEN.pulse(asked) == before
    floor.bench.draw("8s")
    assert SCREEN.pulse(asked) != before


def test_who_may_look_and_who_may_touch(floor: TechnicianFloor) -> None:
    app = app_over(floor)
    pit, dealer = Visitor(app, "paul"), Visitor(app, "dora")
    assert pit.status("/technician/knights1/shoe") == 200
    assert dealer.status("/technician/knights1/shoe") == 403
    assert pit.status("/technician/knights1/camera/calibrate") == 403
    assert act(pit, "shoe/test")[0] == 403
    assert act(Visitor(app, "ada"), "shoe/order", order="lock", reason="x")[0] == 403
    assert technician(floor).status("/technician/knights1/roof") == 404
    assert technician(floor).status("/technician/nowhere/shoe") == 404


# --- nothing of an open table's cards -----------------------------------------------------------------------


def told(floor: TechnicianFloor, visitor: Visitor) -> str:
    """Everything a technician can be given of a table: pages, streams, talk, answers."""
    pages = [visitor.page("/technician"), *(visitor.page(f"/technician/knights1/{r}") for r in ("shoe", "camera"))]
    pages += [visitor.page("/technician/knights1/camera/calibrate")]
    line = floor.bench.lines["shoe-1"]
    console = visitor.app.extensions["console"]
    stream = Talk(line, lambda: 0.0, console.closing, lambda: True)
    pages += [piece.decode() for piece in islice(stream.told(), 3) if isinstance(piece, bytes)]
    pages += [json.dumps([plain(one) for one in line.since(0)])]
    pages += [
        json.dumps(act(visitor, path)[1]) for path in ("shoe/test", "shoe/record", "shoe/replay", "camera/markers")
    ]
    return "\n".join(pages)


def test_no_card_an_open_tables_shoe_says_is_on_any_page_or_stream(floor: TechnicianFloor) -> None:
    floor.show(IDLE)
    visitor = technician(floor)
    for card in DECK:
        floor.bench.draw(str(card))
    everything = told(floor, visitor)
    assert "ShoeDrewCard" in everything
    assert "B8 03" not in everything
    assert "b8 03" not in everything
    for card in DECK:
        assert f"card={card}" not in everything
        assert card.sign not in everything


def test_at_a_closed_table_the_same_line_tells_everything(floor: TechnicianFloor) -> None:
    floor.bench.draw("8s")
    everything = told(floor, technician(floor))
    assert "card=8s" in everything
    assert "05 31 44 81 B8 03 34 46" in everything


def test_the_overlay_names_only_what_the_table_has_opened(floor: TechnicianFloor) -> None:
    floor.show(DEAL)
    page = technician(floor).page("/technician/knights1/camera")
    texts = re.findall(r'<text class="seen (\w+)"[^>]*>([^<]*)</text>', page)
    assert ("up", "K♥") in texts
    assert ("up", "7♦") in texts
    assert {sign for _, sign in texts if sign[:1] in "23456789TJQKA1"} == {"K♥", "7♦"}


def test_the_picture_is_the_one_that_the_pit_sees(floor: TechnicianFloor) -> None:
    floor.show(DEAL)
    visitor = technician(floor)
    answer = visitor.client.get("/technician/knights1/camera.jpg")
    assert (answer.status_code, answer.data) == (200, PICTURE)
    assert "/table/knights1/camera.jpg" not in visitor.page("/technician")


def test_the_picture_that_is_explained_is_a_fresh_one(floor: TechnicianFloor) -> None:
    floor.show(DEAL)
    visitor = technician(floor)
    answer = visitor.client.get("/technician/knights1/camera/explained.jpg")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/jpeg", PICTURE)
    floor.bench.cameras["camera-1"].picture_ms = NOW_MS - 3_001
    assert visitor.status("/technician/knights1/camera/explained.jpg") == 404


def test_of_a_table_that_is_no_longer_here_no_picture_is_explained(floor: TechnicianFloor) -> None:
    floor.show(DEAL)
    floor.camera_jpeg = lambda table: Unseen.UNREACHABLE  # type: ignore[method-assign]
    assert technician(floor).status("/technician/knights1/camera/explained.jpg") == 404


def test_no_picture_is_not_found(floor: TechnicianFloor) -> None:
    visitor = technician(floor)
    floor.bench.cameras["camera-1"].picture_ms = None
    assert visitor.status("/technician/knights1/camera.jpg") == 404


# --- what a technician does -------------------------------------------------------------------------------------


def kept(floor: TechnicianFloor) -> list[ServiceDevice]:
    return [one for one in floor.asked if isinstance(one, ServiceDevice)]


def test_a_self_test_answers_in_sentences_and_is_kept(floor: TechnicianFloor) -> None:
    status, answer = act(technician(floor), "shoe/test")
    assert (status, answer["passed"]) == (200, False)
    assert [one["sentence"] for one in answer["findings"]] == [
        "The link is open.",
        "No card was read within the last minute: draw one, and test again.",
    ]
    (one,) = kept(floor)
    assert (one.device, one.service, one.passed, one.actor.name) == ("shoe-1", "self_test", False, "Tom Tech")
    assert one.findings[0] == "The link is open."


def test_a_test_asks_a_shuffler_through_the_order_desk(floor: TechnicianFloor) -> None:
    act(technician(floor), "shuffler/test")
    assert floor.orders == [("machine-1", "ident", 0, "self-test")]


def test_an_order_goes_with_its_reason(floor: TechnicianFloor) -> None:
    visitor = technician(floor)
    assert act(visitor, "shoe/order", order="cancel_error", value="2", reason="A card stuck.") == (200, {"seq": 7})
    assert floor.orders == [("shoe-1", "cancel_error", 2, "A card stuck.")]
    assert "Say why" in act(visitor, "shoe/order", order="lock", reason=" ")[1]["refused"]
    assert "whole number" in act(visitor, "shoe/order", order="cancel_error", value="x", reason="y")[1]["refused"]


def test_a_line_is_recorded_downloaded_and_replayed(floor: TechnicianFloor) -> None:
    visitor = technician(floor)
    assert visitor.status("/technician/knights1/shoe/capture") == 404
    assert act(visitor, "shoe/record", on=True) == (200, {"recording": True})
    floor.bench.draw("8s")
    assert act(visitor, "shoe/record", on=False) == (200, {"recording": False})
    answer = visitor.client.get("/technician/knights1/shoe/capture")
    assert 'filename="shoe-1.capture"' in answer.headers["Content-Disposition"]
    status, told = act(visitor, "shoe/replay", text=answer.get_data(as_text=True))
    assert (status, told["readings"]) == (200, [[0, "ShoeDrewCard  card=8s  label=Player 1"]])
    assert [one.service for one in kept(floor)] == ["recording"]


def test_nothing_is_recorded_or_replayed_at_an_open_table(floor: TechnicianFloor) -> None:
    visitor = technician(floor)
    act(visitor, "shoe/record", on=True)
    floor.bench.draw("8s")
    floor.show(IDLE)
    floor.bench.draw("9s")
    assert not floor.bench.lines["shoe-1"].tape.running
    for path, fields in (("shoe/record", {"on": True}), ("shoe/replay", {"text": "protocol angel_eye"})):
        status, answer = act(visitor, path, **fields)
        assert (status, answer["key"]) == (409, "line_of_open_table")
    assert visitor.status("/technician/knights1/shoe/capture") == 409


# --- calibrating --------------------------------------------------------------------------------------------------


def test_four_corners_are_proposed_and_saved_with_the_person(floor: TechnicianFloor) -> None:
    visitor, camera = technician(floor), floor.bench.cameras["camera-1"]
    status, answer = act(visitor, "camera/propose", corners=CORNERS)
    assert (status, len(answer["outlines"]), answer["card_px"], answer["error_px"]) == (200, 16, 128, 0.5)
    assert camera.saved == []
    camera.warnings = ("A card lies in the zone 'burn'; clear the felt.",)
    assert act(visitor, "camera/save", corners=CORNERS)[0] == 200
    assert camera.saved == [CORNERS]
    (one,) = kept(floor)
    assert (one.service, one.passed, one.findings) == ("calibration", False, camera.warnings)
    assert act(visitor, "camera/markers")[1]["corners"] == [list(corner) for corner in CORNERS]


@pytest.mark.parametrize(
    "corners", [[], [[0, 0]] * 3, [["a", 1]] * 4, [[9, 9]] * 4, "no", None, [[1]] * 4, [[10**400, 0]] * 4]
)
def test_what_are_no_four_corners_is_refused(floor: TechnicianFloor, corners: Any) -> None:
    assert act(technician(floor), "camera/save", corners=corners)[0] == 409
    assert floor.bench.cameras["camera-1"].saved == []


def test_no_camera_is_calibrated_while_a_round_is_open(floor: TechnicianFloor) -> None:
    floor.show(DEAL)
    status, answer = act(technician(floor), "camera/save", corners=CORNERS)
    assert (status, answer["key"]) == (409, "calibrating_in_round")
    assert floor.bench.cameras["camera-1"].saved == []


def test_a_refusal_of_the_table_is_told(floor: TechnicianFloor) -> None:
    floor.refuse = RefusedError("disk", "The disk is full.")
    assert act(technician(floor), "shoe/test")[1]["refused"] == "The disk is full."


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_each_sign_of_an_explained_picture_means_stands_beside_it(floor: TechnicianFloor, language: str) -> None:
    page = technician(floor).page(f"/technician/knights1/camera?language={language}")
    signs = dict(re.findall(r"<dt>(.)</dt><dd>([^<]+)</dd>", page))
    assert set(signs) == set(MEANINGS)
    assert len(set(signs.values())) == len(MEANINGS)
    assert ("The upper half shows no face." in page) == (language == "en")
