"""A bettor's complaint: made once through the operators' interface, answered once by the pit, read by the bettor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from console_visitor import Visitor, app_over
from fake_floor import IDLE, NOW_MS, ROUND, journal
from fake_floor import FakeFloor as Consoles
from flask import Flask

from dealer_ui.api.door import blueprint
from dealer_ui.desk.complaint import complain
from dealer_ui.desk.pit import PIT_KINDS, PitDesk
from dealer_ui.floor.bet_offer import BetOffer
from dealer_ui.floor.cause import causes_of
from studio.pit.complaint import LATE_MS
from studio.pit.pit_event import ComplaintMade

SAID = {"client_id": "c-1", "round": "t1-r1", "words": "The window closed two seconds early."}


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    floor.open_bets()
    for operator in ("north", "south"):
        for bettor in ("ann", "bob"):
            floor.deposit(operator, bettor, f"m-{bettor}", 10_000)
            bet = BetOffer(client_id=f"b-{bettor}", bettor=bettor, bet="player1_win", stake_minor=100)
            [placed] = floor.place_bets("t1", operator, (bet,))
            assert placed.status == "accepted"
    yield floor
    floor.close()


class Operator:
    def __init__(self, floor: FakeFloor, key: dict[str, str] = NORTH) -> None:
        app = Flask("test")
        app.register_blueprint(blueprint(floor, Seats(1)))
        self._client, self._headers = app.test_client(), key

    def post(self, bettor: str = "ann", **changes: Any) -> tuple[int, dict[str, Any]]:
        answer = self._client.post(
            f"/api/v1/bettors/{bettor}/complaints", json={**SAID, **changes}, headers=self._headers
        )
        return answer.status_code, answer.get_json()

    def get(self, path: str) -> tuple[int, dict[str, Any]]:
        answer = self._client.get(f"/api/v1{path}", headers=self._headers)
        return answer.status_code, answer.get_json()


def test_a_complaint_is_kept_once_however_often_it_is_sent(floor: FakeFloor) -> None:
    north = Operator(floor)
    status, first = north.post()
    assert (status, first["complaint"], first["table"], first["status"]) == (200, "C-1", "t1", "open")
    assert north.post()[1] == {**first, "duplicate": True}
    assert len(floor.pit.book.complaints) == 1
    assert [row.kind for row in floor.reader().events(kinds=PIT_KINDS)] == ["ComplaintMade"]


def test_nobody_reads_another_operators_complaint(floor: FakeFloor) -> None:
    Operator(floor).post()
    south = Operator(floor, SOUTH)
    assert south.get("/complaints/c-1")[0] == 404
    assert south.get("/bettors/ann/complaints")[1]["complaints"] == []
    assert south.post()[1]["complaint"] == "C-2", "his own of that name is another one"


@pytest.mark.parametrize(
    ("changes", "status", "key"),
    [
        ({"round": "t1-r99"}, 404, "unknown_round"),
        ({"words": ""}, 400, "bad_words"),
        ({"words": " \u202e \u0007"}, 409, "complaint_empty"),
        ({"words": "x" * 1001}, 400, "bad_words"),
        ({"client_id": "!"}, 400, "bad_client_id"),
        ({"round": 7}, 400, "bad_round"),
        ({"more": 1}, 400, "unknown_field"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_complaint_that_cannot_be_kept_says_why(
    floor: FakeFloor, changes: dict[str, Any], status: int, key: str
) -> None:
    told = Operator(floor).post(**changes)
    assert (told[0], told[1]["error"]["key"]) == (status, key)
    assert not floor.pit.book.complaints


def test_a_round_its_bettor_did_not_play_is_nothing_he_may_complain_about(floor: FakeFloor) -> None:
    status, told = Operator(floor).post(bettor="zoe")
    assert (status, told["error"]["key"]) == (404, "round_not_found")
    assert told["error"]["sentence"] == (
        "The bettor 'zoe' did not play in this round: take the round's id from his bets or hands."
    )
    assert not floor.pit.book.complaints


def test_the_same_id_for_another_complaint_is_refused_and_so_is_a_sixth_open_one(floor: FakeFloor) -> None:
    north = Operator(floor)
    for number in range(1, 6):
        assert north.post(client_id=f"c-{number}")[0] == 200
    assert north.post(client_id="c-1", words="Something else.")[1]["error"]["key"] == "client_id_reused"
    assert north.post(client_id="c-6")[1]["error"]["key"] == "too_many_complaints"
    assert north.post(bettor="bob", client_id="c-7")[0] == 200


def test_nothing_of_it_is_lost_on_a_restart(floor: FakeFloor) -> None:
    Operator(floor).post()
    again = PitDesk(lambda unit: 0, floor.now_ms)
    again.restore(floor.reader().events(kinds=PIT_KINDS))
    assert again.book == floor.pit.book


# --- in the pit -----------------------------------------------------------------------------------------


@pytest.fixture
def pit() -> Iterator[Consoles]:
    floor = Consoles(IDLE)
    floor.journal = journal()
    made = ComplaintMade(id="", operator="north", client_id="c-1", bettor="ann", table="knights1", round=ROUND,
                         words="<b>My king</b> was a queen.", at_ms=0)  # fmt: skip
    complain(floor.pit, made)
    yield floor
    floor.close()


def answer(visitor: Visitor, **fields: str) -> Any:
    told = {"act": "answer_complaint", "complaint": "C-1", "outcome": "declined", "words": "It was a queen.", **fields}
    return visitor.client.post("/pit/act", json=told, headers={"X-CSRF-Token": visitor.csrf})


def test_the_pit_sees_it_with_the_round_one_tap_away_and_no_word_of_it_is_markup(pit: Consoles) -> None:
    page = Visitor(app_over(pit), "paul").page("/pit/complaints")
    assert "&lt;b&gt;My king&lt;/b&gt; was a queen." in page
    assert f'href="/pit/knights1/round/{ROUND}?from=complaints"' in page
    assert 'value="corrected" disabled' in page


def test_it_is_answered_once_by_a_pit_boss(pit: Consoles) -> None:
    app = app_over(pit)
    paul = Visitor(app, "paul")
    assert answer(paul, id="x1").status_code == 200
    assert answer(paul, id="x1").status_code == 200, "the same tap"
    assert answer(paul, id="x2").json["key"] == "answered"
    kept = [json.loads(entry.body)["pit"] for unit in pit.kept for entry in unit.entries]
    assert [one["kind"] for one in kept] == ["ComplaintMade", "ComplaintAnswered"]
    assert (kept[1]["by"], kept[1]["outcome"]) == ("paul", "declined")
    assert "Declined" in paul.page("/pit/complaints")


@pytest.mark.parametrize(
    ("fields", "key"),
    [({"outcome": "corrected"}, "no_correction"), ({"outcome": "perhaps"}, "unknown_outcome"),
     ({"words": " "}, "answer_empty"), ({"complaint": "C-9"}, "no_complaint"), ({"act": "shred"}, "unknown_command")],
)  # fmt: skip
def test_an_answer_that_cannot_stand_is_refused(pit: Consoles, fields: dict[str, str], key: str) -> None:
    told = answer(Visitor(app_over(pit), "paul"), **fields)
    assert (told.status_code, told.json["key"]) == (409, key)
    assert pit.pit.book.complaints["C-1"].open


@pytest.mark.parametrize("badge", ["dora", "anna", "tom", "ada"])
def test_nobody_but_a_pit_boss_answers(pit: Consoles, badge: str) -> None:
    assert answer(Visitor(app_over(pit), badge)).status_code == 403
    assert pit.pit.book.complaints["C-1"].open


def test_one_that_waits_for_a_day_is_an_alarm(pit: Consoles) -> None:
    pit.clock_ms = NOW_MS + LATE_MS - 1
    assert [cause.word for cause in causes_of(pit)] == []  # type: ignore[arg-type]
    pit.clock_ms = NOW_MS + LATE_MS
    assert [(cause.word, cause.about) for cause in causes_of(pit)] == [("complaint", "C-1")]  # type: ignore[arg-type]
    assert "Waits for more than a day" in Visitor(app_over(pit), "anna").page("/pit/complaints")


def test_a_unit_holds_the_event_as_it_is_read_again(pit: Consoles) -> None:
    ((entry,),) = (unit.entries for unit in pit.kept)
    assert msgspec.json.decode(entry.body)["pit"]["round"] == ROUND
