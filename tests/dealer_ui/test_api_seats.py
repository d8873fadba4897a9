"""The seats of a poker table through the operators' interface; nobody sees another seat's cards there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import KEYS, NORTH, SOUTH, Config, Seats, table_view
from flask import Flask
from flask.testing import FlaskClient
from poker_bench import CHIPS, PokerBench

from dealer_ui.api.door import blueprint
from dealer_ui.desk.bettor import BettorDesk
from dealer_ui.floor.floor import _decision
from studio.errors import BadInputError
from studio.money import Answer
from studio.rulebook.script import Turn
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.room import SeatRequest
from studio.tables.state.table import awaited
from studio.views.own import OwnSeat, own_seat
from studio.views.playing import Playing
from studio.views.shape import TableView


class Floor:
    """A real poker table behind the interface, without threads."""

    tables = ("nlh-1",)
    operators = KEYS
    config = Config()

    def __init__(self) -> None:
        self.bench = PokerBench("ann bob cy").open()

    def view(self, table: str) -> TableView:
        return table_view(table=table, game={"key": "nlh"}, seq=self.bench.table.seq)

    def playing(self, table: str) -> Playing:
        return Playing.seen(self.view(table))

    def need_room(self, table: str, operator: str) -> None:
        """There is always room: nobody waits."""

    def take_decisions(self, table: str, operator: str, choices: Any) -> tuple[Answer, ...]:
        return self.bench.table.take_decisions([_decision(operator, one) for one in choices], self.bench.now)

    def take_seats(self, table: str, requests: tuple[SeatRequest, ...]) -> tuple[Answer, ...]:
        return self.bench.table.take_seats(requests, self.bench.now)

    bettors = BettorDesk(lambda unit: None, lambda: 0)

    def own_seat(self, table: str, operator: str, bettor: str) -> OwnSeat | None:
        return own_seat(self.bench.state, operator, bettor)

    def reader(self) -> Any:
        return self.bench.store.reader()

    def now_ms(self) -> int:
        return self.bench.now

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        raise BadInputError("The house is closing.")


@pytest.fixture
def floor() -> Iterator[Floor]:
    floor = Floor()
    yield floor
    floor.bench.check()
    floor.bench.close()


@pytest.fixture
def client(floor: Floor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(2, floor)))  # type: ignore[arg-type]  # of a floor, what seats need
    return app.test_client()


def post(client: FlaskClient, path: str, body: dict[str, object], key: dict[str, str] = NORTH) -> Any:
    return client.post(f"/api/v1/tables/nlh-1/{path}", json=body, headers=key)


def own(client: FlaskClient, bettor: str, key: dict[str, str] = NORTH) -> Any:
    return client.get(f"/api/v1/tables/nlh-1/seats/{bettor}", headers=key)


def act(client: FlaskClient, bettor: str, seat: str, option: str, id: str, to: int = 0) -> Any:
    choice = {"client_id": id, "bettor": bettor, "box": seat, "option": option, **({"to": to} if to else {})}
    return post(client, "decisions", {"decisions": [choice]}).json["answers"][0]


def test_a_hand_over_the_interface(floor: Floor, client: FlaskClient) -> None:
    floor.bench.hand("Ah Kh 2c Ad Kd 7d")
    assert own(client, "bob").json["cards"] == ["Ah", "Ad"]
    assert own(client, "cy").json["cards"] == ["Kh", "Kd"]
    assert own(client, "cy").json["turn"] is None
    seat = own(client, "ann").json
    assert seat["turn"]["options"] == ["fold", "call", "raise"]
    assert (seat["stack"], seat["in"], seat["turn"]["owed"]) == (CHIPS, 0, 100)
    assert seat["turn"]["to"] == [200, CHIPS]
    assert act(client, "ann", "seat1", "raise", "a1", to=300)["status"] == "accepted"
    assert act(client, "ann", "seat1", "raise", "a1", to=300)["status"] == "duplicate"
    assert own(client, "ann").json["stack"] == CHIPS - 300
    assert act(client, "ann", "seat2", "fold", "a2")["reason"] == "not_your_box"
    assert act(client, "bob", "seat2", "raise", "b1", to=1)["reason"] == "bad_amount"
    assert act(client, "bob", "seat2", "fold", "b2")["status"] == "accepted"


def test_a_seat_whose_keys_are_gone_is_told_what_is_done_and_no_card(floor: Floor, client: FlaskClient) -> None:
    floor.bench.hand("Ah Kh 2c Ad Kd 7d")
    again = TableRuntime(floor.bench.config, floor.bench.writer.commit, lambda state, book, seq: None)
    with floor.reader() as reader:
        again.restore(reader.events(table="nlh-1"), lambda id: None)
    floor.own_seat = lambda table, operator, bettor: own_seat(again.state, operator, bettor)  # type: ignore[method-assign]
    answer = own(client, "bob")
    assert (answer.status_code, answer.json["error"]["key"]) == (503, "cards_unreadable")
    assert "the pit voids the hand" in answer.get_data(as_text=True)


def test_sitting_down_buying_and_leaving(floor: Floor, client: FlaskClient) -> None:
    floor.bench.deposit(50_000, "dee")
    sit = {"client_id": "d1", "bettor": "dee", "act": "sit", "seat": "seat7", "amount": 5_000}
    answer = post(client, "seats", sit).json
    assert (answer["status"], answer["own"]["seat"], answer["own"]["stack"]) == ("accepted", "seat7", 5_000)
    assert post(client, "seats", sit).json["status"] == "duplicate"
    more = {"client_id": "d2", "bettor": "dee", "act": "buy", "amount": 1}
    assert post(client, "seats", more).json["own"]["stack"] == 5_001
    assert post(client, "seats", {"client_id": "d3", "bettor": "dee", "act": "leave"}).json["own"] is None
    assert own(client, "dee").status_code == 404


@pytest.mark.parametrize(("change", "key"), [
    ({"amount": "5"}, "bad_amount"), ({"amount": -1}, "bad_amount"), ({"act": ""}, "bad_act"),
    ({"seat": 3}, "bad_seat"), ({"chips": 3}, "unknown_field"), ({"bettor": "a/b"}, "bad_bettor"),
])  # fmt: skip
def test_a_request_that_cannot_be_read(client: FlaskClient, change: dict[str, object], key: str) -> None:
    asked = {"client_id": "d1", "bettor": "dee", "act": "sit", "seat": "seat7", "amount": 5_000, **change}
    answer = post(client, "seats", asked)
    assert (answer.status_code, answer.json["error"]["key"]) == (400, key)


def test_another_operator_reaches_nobodys_seat(floor: Floor, client: FlaskClient) -> None:
    floor.bench.hand()
    assert own(client, "ann", SOUTH).status_code == 404
    assert own(client, "ann", {}).status_code == 401
    answer = post(client, "seats", {"client_id": "x", "bettor": "ann", "act": "leave"}, SOUTH).json
    assert answer["reason"] == "not_seated"


def test_no_seat_is_ever_told_another_seats_card_before_it_lies_open(floor: Floor, client: FlaskClient) -> None:
    """Everything the interface says of each seat, at every step of a hand, and its stream."""
    bench = floor.bench
    bench.hand("Ah Kh 2c Ad Kd 7d 5s As 9c 3d 5h 8h 6h Jc")
    hole = {"ann": ["2c", "7d"], "bob": ["Ah", "Ad"], "cy": ["Kh", "Kd"]}
    shown: set[str] = set()
    while (now := awaited(bench.state)) is not None and isinstance(now.step, Turn):
        for bettor in hole:
            said = own(client, bettor).text + stream(client, bettor)
            for other, cards in hole.items():
                told = [card for card in cards if re.search(rf"\b{card}\b", said)]
                assert told == (cards if other == bettor else []) or other in shown
        option = "show" if "show" in now.step.options else "check" if "check" in now.step.options else "call"
        bench.acts(option)
        shown |= {bettor for bettor in hole if bench.round.deal.cards[bench.seats[bettor], 1].face}  # type: ignore[union-attr]


def stream(client: FlaskClient, bettor: str) -> str:
    with client.get(f"/api/v1/tables/nlh-1/seats/{bettor}/stream", headers=NORTH) as answer:
        return answer.text


def test_the_stream_tells_the_seat(floor: Floor, client: FlaskClient) -> None:
    floor.bench.hand()
    text = stream(client, "ann")
    [data] = re.findall(r"^data: (.*)$", text, re.MULTILINE)
    assert json.loads(data)["seat"] == "seat1"
    assert text.startswith("retry: 1000\n\nevent: seat\nid: ")


def test_what_a_seat_may_know_is_in_no_repr(floor: Floor) -> None:
    floor.bench.hand("Ah Kh 2c Ad Kd 7d")
    seat = own_seat(floor.bench.state, "north", "bob")
    assert seat is not None
    assert seat.cards == ("Ah", "Ad")
    assert "Ah" not in repr(seat)
    assert "Ah" not in repr(floor.bench.state)
