"""What the operators' interface tells of a table, at once and as it changes; and what it never tells."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from api_fake_floor import NORTH, FakeFloor, Seats, table_view
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from dealer_ui.api.table.state import public_state
from studio.errors import StorageError
from studio.views.shape import BetsView, BoxView, CardView, PastView, PlayerView, PotShare, ResultView, RoomView, Words

SEATS = 2


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    yield floor
    floor.close()


@pytest.fixture
def seats(floor: FakeFloor) -> Seats:
    return Seats(SEATS, floor)


@pytest.fixture
def closing() -> threading.Event:
    return threading.Event()


class Ticks:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def ticks() -> Ticks:
    return Ticks()


@pytest.fixture
def client(floor: FakeFloor, seats: Seats, closing: threading.Event, ticks: Ticks) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, seats, closing=closing, monotonic=ticks))
    return app.test_client()


def get(client: FlaskClient, path: str) -> Any:
    response = client.get(f"/api/v1{path}", headers=NORTH)
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def test_the_list_tells_each_table_in_short(client: FlaskClient, floor: FakeFloor) -> None:
    told = get(client, "/tables")
    assert told["now_ms"] == floor.now
    assert told["tables"] == [
        {
            "table": "t1", "title": "Table 1", "game": "three_knights", "currency": "EUR", "status": "open",
            "phase": "shuffling", "held": False, "window": {"open": False, "closes_at_ms": None},
            "ready": None, "decision": None,
        }
    ]  # fmt: skip


def test_a_table_tells_its_window_and_its_round(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    told = get(client, "/tables/t1")
    assert told["window"] == {"open": True, "closes_at_ms": floor.now + 15_000}
    assert told["round"] == {"id": "t1-r1", "number": 1, "stage": "dealing", "attempt": 1}
    assert told["phase"] == "betting"


def test_a_held_table_says_that_its_window_takes_no_bet(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    floor.show(now={"held": True})
    told = get(client, "/tables/t1")
    assert told["held"] is True
    assert told["window"]["open"] is False


def test_each_bet_of_the_game_has_its_limits(client: FlaskClient) -> None:
    limits = {line["bet"]: (line["least"], line["most"]) for line in get(client, "/tables/t1")["bets"]}
    assert len(limits) == 16
    assert limits["player1_tie"] == (100, 5_000)
    assert limits["player1_win"] == (100, 100_000)


def test_open_cards_are_told_with_their_place(client: FlaskClient, floor: FakeFloor) -> None:
    places = (CardView(1, "confirmed", "As", "confirmed"), CardView(2, "awaited"), CardView(3, "empty"))
    floor.show(boxes=(BoxView("player1", "box.player1", places),))
    assert get(client, "/tables/t1")["boxes"] == [
        {
            "key": "player1",
            "won": "",
            "cards": [
                {"place": 1, "state": "confirmed", "card": "As"},
                {"place": 2, "state": "awaited", "card": None},
                {"place": 3, "state": "empty", "card": None},
            ],
        }
    ]


@pytest.mark.parametrize("state", ["sealed", "sealed_owed", "unread", "awaited", "empty"])
def test_no_sealed_card_is_told_even_when_the_view_lets_one_slip(
    client: FlaskClient, floor: FakeFloor, state: str
) -> None:
    boxes = (
        BoxView("burn", "box.burn", (CardView(1, state, "Qd", "Qd"),)),
        BoxView("player1", "box.player1", (CardView(1, "shoe", "As"),)),
    )
    floor.show(boxes=boxes)
    for path in ("/tables", "/tables/t1", "/tables/t1/results"):
        assert "Qd" not in client.get(f"/api/v1{path}", headers=NORTH).text
    stream = client.get("/api/v1/tables/t1/stream", headers=NORTH)
    heard = b"".join(next(stream.response) for _ in range(2)).decode()  # type: ignore[call-overload]
    stream.close()
    assert "As" in heard
    assert "Qd" not in heard


def test_no_card_is_told_of_a_place_whose_state_nobody_knows() -> None:
    boxes = (BoxView("burn", "box.burn", (CardView(1, "some_new_state", "Qd", "Qd"),)),)
    assert "Qd" not in str(public_state(table_view(boxes=boxes)))


def test_what_belongs_to_other_operators_or_to_the_house_is_not_told() -> None:
    """Sums of bets would tell one operator of another's; staff, decks and incidents are the house's own."""
    bets = BetsView(True, 5, 77_123, 88_123, "EUR", {"player1_win": (77_123, 88_123)})
    told = public_state(
        table_view(bets=bets, seat={"dealer_name": "Dana"}, shoe={"deck": "deck-7"}, now={"act": Words("act.secret")})
    )
    text = json.dumps(told)
    for hidden in ("77123", "88123", "Dana", "deck-7", "act.secret"):
        assert hidden not in text


def test_results_come_newest_first_and_as_many_as_asked(client: FlaskClient, floor: FakeFloor) -> None:
    for number in (1, 2, 3):
        floor.open_bets(f"t1-r{number}", number)
        floor.settle({}, {"player1": {"result": "win"}})
    floor.open_bets("t1-r4", 4)
    floor.void()
    told = get(client, "/tables/t1/results?limit=2")["results"]
    assert [(line["round"], line["voided"]) for line in told] == [("t1-r4", True), ("t1-r3", False)]
    assert told[0]["outcome"] is None
    assert told[1]["outcome"] == {"player1": {"result": "win"}}
    assert len(get(client, "/tables/t1/results")["results"]) == 4


@pytest.mark.parametrize("limit", ["0", "-1", "201", "ten", "1.5", "", "9" * 30, "²"])
def test_a_limit_that_is_none_is_refused(client: FlaskClient, limit: str) -> None:
    response = client.get("/api/v1/tables/t1/results", query_string={"limit": limit}, headers=NORTH)
    assert (response.status_code, response.get_json()["error"]["key"]) == (400, "bad_limit")


# --- the stream ---------------------------------------------------------------------------------------


class Listener:
    """Reads a stream event by event."""

    def __init__(self, client: FlaskClient, last: int | None = None) -> None:
        headers = NORTH if last is None else {**NORTH, "Last-Event-ID": str(last)}
        self.response = client.get("/api/v1/tables/t1/stream", headers=headers)

    def hear(self) -> dict[str, str]:
        text = next(self.response.response).decode()  # type: ignore[call-overload]
        assert text.endswith("\n\n")
        return dict(line.split(": ", 1) for line in text.splitlines() if line)

    def close(self) -> None:
        self.response.close()


@pytest.fixture
def listener(client: FlaskClient) -> Iterator[Listener]:
    listener = Listener(client)
    yield listener
    listener.close()


def test_a_stream_begins_with_the_whole_state_numbered_by_the_journal(listener: Listener, floor: FakeFloor) -> None:
    assert listener.response.content_type == "text/event-stream; charset=utf-8"
    assert listener.hear() == {"retry": "1000"}
    event = listener.hear()
    assert (event["event"], event["id"]) == ("state", "1")
    assert json.loads(event["data"]) == {
        **json.loads(json.dumps(public_state(floor.view("t1")))), "seq": 1, "now_ms": floor.now,
    }  # fmt: skip


def test_a_change_is_told_with_its_number(listener: Listener, floor: FakeFloor) -> None:
    listener.hear(), listener.hear()
    floor.open_bets()
    event = listener.hear()
    assert (event["event"], event["id"]) == ("state", "2")
    assert json.loads(event["data"])["window"]["open"] is True


def test_what_changes_nothing_in_public_is_a_beat_at_most(listener: Listener, floor: FakeFloor, ticks: Ticks) -> None:
    listener.hear(), listener.hear()
    floor.show(moves=9)
    ticks.now_s = 2.0
    event = listener.hear()
    assert event["event"] == "beat"
    assert "id" not in event
    assert json.loads(event["data"]) == {"seq": 2, "now_ms": floor.now}


def test_a_busy_table_still_beats(listener: Listener, floor: FakeFloor, ticks: Ticks) -> None:
    listener.hear(), listener.hear()
    for beat in range(3):
        ticks.now_s += 2.0
        floor.show(moves=beat)
        assert listener.hear()["event"] == "beat"


def test_one_who_comes_back_in_time_hears_only_what_is_new(client: FlaskClient, floor: FakeFloor) -> None:
    listener = Listener(client, last=1)
    assert [listener.hear().get("event") for _ in range(2)] == [None, "beat"]
    floor.open_bets()
    assert listener.hear()["id"] == "2"
    listener.close()


@pytest.mark.parametrize("last", [0, 7])
def test_one_who_missed_something_gets_the_whole_state(client: FlaskClient, floor: FakeFloor, last: int) -> None:
    floor.open_bets()
    listener = Listener(client, last=last)
    listener.hear()
    assert listener.hear()["id"] == "2"
    listener.close()


def test_streams_are_counted_and_their_seats_given_back(client: FlaskClient, seats: Seats) -> None:
    taken = [Listener(client) for _ in range(SEATS)]
    response = client.get("/api/v1/tables/t1/stream", headers=NORTH)
    assert (response.status_code, response.get_json()["error"]["key"]) == (503, "streams_taken")
    assert response.headers["Retry-After"] == "2"
    for listener in taken:
        listener.close()
    assert seats.left == SEATS
    assert client.get("/api/v1/tables/t9/stream", headers=NORTH).status_code == 404
    assert client.get("/api/v1/tables/t1/stream").status_code == 401
    assert seats.left == SEATS


def test_a_stream_ends_when_the_house_closes(listener: Listener, closing: threading.Event, floor: FakeFloor) -> None:
    listener.hear(), listener.hear()
    closing.set()
    floor.show(moves=1)
    with pytest.raises(StopIteration):
        listener.hear()


def test_a_stream_ends_quietly_when_the_house_is_gone(listener: Listener, floor: FakeFloor) -> None:
    listener.hear(), listener.hear()
    floor.show(moves=1)
    floor.fail = StorageError("The studio is closing.")
    with pytest.raises(StopIteration):
        listener.hear()


# --- what KKClash remembers -----------------------------------------------------------------------------


def test_a_kkclash_table_tells_its_last_hands_its_road_and_what_was_missed(client: Any, floor: Any) -> None:
    hand = {"class": "high_card", "name": "King high", "king_mark": True}
    won = [ResultView(f"r{n}", n, 0, n == 3, {"winner": "king", "winning_hand": hand}) for n in range(1, 15)]
    past = PastView(("draw", *["king"] * 7, "draw", "draw", "shark"), {"draw": 9, "pocket_kings": 10})
    floor.show(game={"key": "kkclash"}, past=replace(past, results=tuple(won)))  # [KK-20] [KK-21] [KK-22]
    said = client.get("/api/v1/tables/t1", headers=NORTH).get_json()["past"]
    assert [one["number"] for one in said["last_hands"]] == list(range(1, 11))
    newest = {"number": 10, "winner": "king", "name": "King high", "ranks_in": "high_card", "king_mark": True}
    assert said["last_hands"][-1] == newest
    places = [(one["column"], one["row"], one["draws"]) for one in said["big_road"]["circles"]]
    assert places == [*((0, row, 0) for row in range(6)), (1, 5, 2), (1, 0, 0)]
    assert (said["big_road"]["rows"], said["big_road"]["draws_first"]) == (6, 1)
    assert said["missed"] == {"pocket_kings": 10}


def test_any_other_table_has_no_such_past(client: Any) -> None:
    assert client.get("/api/v1/tables/t1", headers=NORTH).get_json()["past"] is None


def test_a_poker_tables_state_tells_its_seats_and_pots_and_nobodys_name(floor: FakeFloor, client: FlaskClient) -> None:
    seats = (PlayerView("seat1", "north/ann", 4_700, 300, ("button", "acts")), PlayerView("seat2"))
    pots = (PotShare(600, ("seat1",)),)
    room = RoomView(seats, {"big_blind": 100}, "flop", pots, 900, rake_percent="2.5", rake_cap_minor=300)
    floor.show(game={"key": "nlh"}, room=room)
    answer = client.get("/api/v1/tables/t1", headers=NORTH)
    assert answer.get_json()["room"] == {
        "stakes": {"big_blind": 100}, "rake": {"percent": "2.5", "cap": 300}, "street": "flop", "in_play": 900,
        "seats": [
            {"seat": "seat1", "taken": True, "stack": 4_700, "front": 300, "marks": ["button", "acts"]},
            {"seat": "seat2", "taken": False, "stack": 0, "front": 0, "marks": []},
        ],
        "pots": [{"amount": 600, "seats": ["seat1"], "rake": 0}],
    }  # fmt: skip
    assert "ann" not in answer.text
    assert answer.get_json()["bets"] == []  # nobody bets against the house here
    floor.show(game={"key": "three_knights"}, room=None)
    assert client.get("/api/v1/tables/t1", headers=NORTH).get_json()["room"] is None
