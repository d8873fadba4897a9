"""The game record of an operator's bettor: rounds in short and in full, the fee, and what stays sealed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from studio.cards import Card, Sealer, parse_cards
from studio.games.andar_bahar import ANDAR_BAHAR
from studio.games.baccarat import BACCARAT
from studio.games.dragon_tiger import DRAGON_TIGER
from studio.games.kkclash import KKCLASH
from studio.rounds import AnyFact, CardBurned, CardDealt, CardReplaced, Revealed
from studio.rulebook.game import Game
from studio.tables.event import table as e

DAY_MS = 24 * 60 * 60 * 1000
HOLES = {"shark": parse_cards("Ah 9c"), "king": parse_cards("Qh 3d")}
SHARK_WINS = KKCLASH.deal.describe(
    KKCLASH.deal.outcome(KKCLASH.options.defaults, {**HOLES, "board": parse_cards("Ac Jd 8h 5s 2d")})
)


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    yield floor
    floor.close()


@pytest.fixture
def client(floor: FakeFloor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(4)))
    made = app.test_client()
    for bettor in ("ann", "bob"):
        body = {"client_id": f"d-{bettor}", "amount": 1_000_000}
        made.post(f"/api/v1/bettors/{bettor}/deposits", headers=NORTH, json=body)
    return made


def get(client: FlaskClient, path: str, headers: Any = NORTH) -> Any:
    response = client.get(f"/api/v1/bettors/ann{path}", headers=headers)
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def error(client: FlaskClient, path: str, headers: Any = NORTH) -> tuple[int, str]:
    response = client.get(f"/api/v1/bettors/ann{path}", headers=headers)
    return response.status_code, response.get_json()["error"]["key"]


def place(
    client: FlaskClient, *client_ids: str, bet: str = "player1_win", bettor: str = "ann", stake: int = 500
) -> None:
    bets = [{"client_id": id, "bettor": bettor, "bet": bet, "stake": stake} for id in client_ids]
    response = client.post("/api/v1/tables/t1/bets", headers=NORTH, json={"bets": bets})
    assert {answer["status"] for answer in response.get_json()["answers"]} == {"accepted"}


def play_kkclash(floor: FakeFloor, client: FlaskClient, number: int, stakes: dict[str, int]) -> str:
    """A round of KKClash that the Shark wins, with Ann's stakes; it is not settled yet."""
    round = f"t1-r{number}"
    floor.show(game={"key": "kkclash", "limits": {"*": (1, 10**9)}})
    floor.open_bets(round, number)
    for n, (bet, stake) in enumerate(stakes.items()):
        place(client, f"{round}-{n}", bet=bet, stake=stake)
    return round


@pytest.mark.parametrize(
    ("game", "hands", "told"),
    [
        (BACCARAT, {"player": "4c Jh 5h", "banker": "6d 8c 3h"}, {"player": "win", "banker": "lose"}),
        (DRAGON_TIGER, {"dragon": "9c", "tiger": "9h"}, {"dragon": "tie", "tiger": "tie"}),
        (ANDAR_BAHAR, {"joker": "9c", "andar": "9h", "bahar": ""}, {"joker": None, "andar": "win", "bahar": "lose"}),
    ],
    ids=lambda one: getattr(one, "key", ""),
)
def test_the_record_tells_how_each_hand_stands_where_a_game_has_two_sides_and_no_hand_that_wins(
    client: FlaskClient, floor: FakeFloor, game: Game, hands: dict[str, str], told: dict[str, str | None]
) -> None:
    dealt = {hand: parse_cards(cards) for hand, cards in hands.items()}
    floor.open_bets("t1-r1", 1)
    place(client, "c1")
    floor.settle({"player1_win": 1_000}, game.deal.describe(game.deal.outcome(game.options.defaults, dealt)))
    result = get(client, "/record")["rounds"][0]["result"]
    assert {hand: said.get("result") for hand, said in result.items()} == told


def test_the_record_tells_rounds_in_short_and_marks_voids(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets("t1-r1", 1)
    place(client, "c1", "c2")
    floor.settle({"player1_win": 1_000}, {"player1": {"result": "win", "cards": ["As"], "name": "Nine"}})
    floor.open_bets("t1-r2", 2)
    place(client, "c3")
    floor.void("TK6")
    floor.open_bets("t1-r3", 3)
    place(client, "c4")
    rounds = get(client, "/record")["rounds"]
    told = [(line["round"], line["number"], line["status"], line["stake"], line["returns"]) for line in rounds]
    assert told == [
        ("t1-r3", 3, "open", 500, 0),
        ("t1-r2", 2, "voided", 500, 500),
        ("t1-r1", 1, "settled", 1_000, 2_000),
    ]
    assert [(line["voided"], line["void_row"]) for line in rounds] == [(False, None), (True, "TK6"), (False, None)]
    assert rounds[2]["result"] == {"player1": {"result": "win", "name": "Nine"}}
    assert (rounds[2]["game"], rounds[2]["currency"], rounds[2]["fee"]) == ("three_knights", "EUR", None)
    assert rounds[2]["at_ms"] == floor.now


def test_pages_of_the_record_go_on_where_the_last_ended(client: FlaskClient, floor: FakeFloor) -> None:
    for number in range(1, 6):
        floor.open_bets(f"t1-r{number}", number)
        place(client, *(f"r{number}.{n}" for n in range(3)))
        floor.settle({})
    first = get(client, "/record?limit=2")
    second = get(client, f"/record?limit=2&before={first['older']}")
    third = get(client, f"/record?limit=2&before={second['older']}")
    told = [[line["number"] for line in page["rounds"]] for page in (first, second, third)]
    assert (told, third["older"]) == ([[5, 4], [3, 2], [1]], None)


def test_the_details_of_a_round_tell_every_bet_of_the_bettor_and_nobody_elses(
    client: FlaskClient, floor: FakeFloor
) -> None:
    floor.open_bets()
    place(client, "c1", "c2")
    place(client, "c3", bettor="bob")
    floor.settle({"player1_win": 1_000}, {"player1": {"result": "win"}})
    told = get(client, "/record/t1-r1")
    assert [(line["client_id"], line["status"], line["returns"]) for line in told["bets"]] == [
        ("c1", "posted", 1_000),
        ("c2", "posted", 1_000),
    ]
    assert (told["outcome"], told["stake"], told["returns"]) == ({"player1": {"result": "win"}}, 1_000, 2_000)


def test_a_round_the_bettor_placed_nothing_in_is_not_his(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    place(client, "c1", bettor="bob")
    assert error(client, "/record/t1-r1") == (404, "round_not_found")
    assert error(client, "/record/nothing") == (404, "round_not_found")


def test_nobody_reads_the_record_of_another_operators_bettor(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    place(client, "c1")
    assert get(client, "/record", SOUTH)["rounds"] == []
    assert error(client, "/record/t1-r1", SOUTH) == (404, "round_not_found")


def test_the_record_shows_the_open_cards_as_corrected_and_no_sealed_one(client: FlaskClient, floor: FakeFloor) -> None:
    sealer = Sealer(random.Random(3).randbytes)
    shown, wrong, hidden = sealer.card(Card.parse("As")), sealer.card(Card.parse("2c")), sealer.card(Card.parse("Qd"))
    floor.open_bets()
    place(client, "c1")
    facts: tuple[AnyFact, ...] = (
        CardBurned(card=sealer.card(Card.parse("Qh")), place=1),
        CardDealt(card=shown, box="player1", place=1, face=Card.parse("As"), key=shown.publish_key()),
        CardDealt(card=wrong, box="player1", place=2, face=Card.parse("2c"), key=wrong.publish_key()),
        CardDealt(card=hidden, box="banker", place=1),
        CardReplaced(id=wrong.id, face=Card.parse("3c"), source="manual"),
    )
    for fact in facts:
        floor.tell("t1-r1", e.FactStood(fact=fact))
    floor.void()
    response = client.get("/api/v1/bettors/ann/record/t1-r1", headers=NORTH)
    assert response.get_json()["cards"] == {"player1": ["As", "3c"]}
    for sealed in (hidden.id, hidden.ciphertext.hex(), "Qd", "Qh"):
        assert sealed not in response.text


def test_hole_cards_are_in_the_record_once_they_are_turned_and_not_before(
    client: FlaskClient, floor: FakeFloor
) -> None:
    sealer = Sealer(random.Random(3).randbytes)
    round = play_kkclash(floor, client, 1, {"shark": 100})
    keys: dict[str, list[bytes]] = {"shark": [], "king": []}
    for place_, (shark, king) in enumerate(zip(HOLES["shark"], HOLES["king"], strict=True), 1):
        for box, face in (("shark", shark), ("king", king)):
            card = sealer.card(face)
            keys[box].append(card.publish_key())
            floor.tell(round, e.FactStood(fact=CardDealt(card=card, box=box, place=place_)))
    before = client.get(f"/api/v1/bettors/ann/record/{round}", headers=NORTH)
    assert before.get_json()["cards"] == {}
    assert all(str(face) not in before.text for faces in HOLES.values() for face in faces)
    floor.tell(round, e.FactStood(fact=Revealed(box="shark", faces=HOLES["shark"], keys=tuple(keys["shark"]))))
    assert get(client, f"/record/{round}")["cards"] == {"shark": ["Ah", "9c"]}


def test_a_redealt_round_shows_the_cards_of_the_second_deal(client: FlaskClient, floor: FakeFloor) -> None:
    sealer = Sealer(random.Random(3).randbytes)
    floor.open_bets()
    place(client, "c1")
    for face in ("As", "Kd"):
        card = sealer.card(Card.parse(face))
        dealt = CardDealt(card=card, box="player1", place=1, face=Card.parse(face), key=card.publish_key())
        floor.tell("t1-r1", e.FactStood(fact=dealt))
        if face == "As":
            floor.tell("t1-r1", e.RedealOrdered(row="TK4"))
    assert get(client, "/record/t1-r1")["cards"] == {"player1": ["Kd"]}


# --- decisions ------------------------------------------------------------------------------------------


def three_card_round(floor: FakeFloor, client: FlaskClient, *told: e.AnyEvent) -> None:
    floor.show(game={"key": "three_card_poker", "limits": {"*": (1, 10**9)}})
    floor.open_bets()
    for bettor in ("ann", "bob"):
        place(client, f"a-{bettor}", bet="ante", bettor=bettor)
    floor.tell("t1-r1", e.BetsPlaced(bets=tuple(placed(bettor, f"a-{bettor}", "ante") for bettor in ("ann", "bob"))))
    for event in told:
        floor.tell("t1-r1", event)


def placed(bettor: str, client_id: str, bet: str) -> e.PlacedBet:
    id = f"north/{client_id}"
    return e.PlacedBet(
        bet_id=id, operator="north", client_id=client_id, bettor=bettor, bet=bet, stake_minor=500, currency="EUR"
    )


def chose(option: str, *bettors: str) -> e.DecisionsTaken:
    made = [e.Decision(operator="north", bettor=one, option=option, client_id=f"p-{one}") for one in bettors]
    bets = tuple(placed(one, f"p-{one}", "play") for one in bettors) if option == "play" else ()
    return e.DecisionsTaken(decisions=tuple(made), bets=bets)


CLOSED = e.DecisionsClosed(options=("play", "fold"), by_default="fold")


@pytest.mark.parametrize(
    ("told", "decisions"),
    [
        ([chose("play", "bob", "ann"), CLOSED], [{"option": "play", "by_default": False}]),
        ([chose("fold", "ann"), CLOSED], [{"option": "fold", "by_default": False}]),
        ([chose("play", "bob"), CLOSED], [{"option": "fold", "by_default": True}]),
        ([chose("play", "bob")], []),
    ],
    ids=["played", "folded", "silent", "still open"],
)
def test_the_details_tell_what_the_bettor_decided_or_that_he_let_it_pass(
    client: FlaskClient, floor: FakeFloor, told: Sequence[e.AnyEvent], decisions: Any
) -> None:
    three_card_round(floor, client, *told)
    assert get(client, "/record/t1-r1")["decisions"] == decisions


# --- KKClash and its fee --------------------------------------------------------------------------------


def test_a_summary_of_kkclash_tells_who_won_with_what_and_the_fee(client: FlaskClient, floor: FakeFloor) -> None:
    play_kkclash(floor, client, 1, {"shark": 1_000, "draw": 299})  # [KK-19]
    floor.settle({"shark": 2_020}, SHARK_WINS)
    (line,) = get(client, "/record")["rounds"]
    assert (line["stake"], line["returns"], line["fee"]) == (1_299, 2_020, 25)
    assert line["result"] == {"winner": "shark", "winning_hand": SHARK_WINS["winning_hand"]}


def test_a_round_that_is_open_or_void_has_no_fee_yet(client: FlaskClient, floor: FakeFloor) -> None:
    play_kkclash(floor, client, 1, {"shark": 1_000})
    assert get(client, "/record")["rounds"][0]["fee"] == 0
    floor.void("KC1")
    assert get(client, "/record")["rounds"][0]["fee"] == 0


def test_the_rakeback_adds_up_the_fee_of_each_settled_round(client: FlaskClient, floor: FakeFloor) -> None:
    began = floor.now
    for number, stakes in enumerate(({"shark": 99}, {"shark": 60, "draw": 39}, {"king": 1_000}), 1):
        play_kkclash(floor, client, number, stakes)
        floor.settle({})
        floor.now += 60_000
    play_kkclash(floor, client, 4, {"shark": 5_000})
    floor.void("KC1")
    play_kkclash(floor, client, 5, {"shark": 5_000})
    told = get(client, f"/rakeback?from_ms={began}")
    assert told == {
        "bettor": "ann", "from_ms": began, "to_ms": floor.now + 1, "rounds": 3, "open_rounds": 1, "stake": 1_198,
        "fee": 1 + 1 + 20,
    }  # fmt: skip


def test_a_round_is_in_one_span_only(client: FlaskClient, floor: FakeFloor) -> None:
    times = []
    for number in range(1, 7):
        times.append(floor.now)
        play_kkclash(floor, client, number, {"shark": 1_000})
        floor.settle({})
        floor.now += 90_000

    def fee(from_ms: int, to_ms: int) -> int:
        return int(get(client, f"/rakeback?from_ms={from_ms}&to_ms={to_ms}")["fee"])

    spans = [fee(times[0], times[2]), fee(times[2], times[3]), fee(times[3], floor.now)]
    assert (spans, fee(times[0], floor.now)) == ([40, 20, 60], 120)


def test_a_game_without_a_fee_adds_nothing_to_a_rakeback(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    place(client, "c1")
    floor.settle({})
    told = get(client, f"/rakeback?from_ms={floor.now - DAY_MS}")
    assert (told["rounds"], told["open_rounds"], told["fee"]) == (0, 0, 0)


@pytest.mark.parametrize("query", ["?from_ms=5&to_ms=5", "?from_ms=9&to_ms=5", f"?from_ms=0&to_ms={32 * DAY_MS}"])
def test_a_span_that_is_none_or_too_long_is_refused(client: FlaskClient, query: str) -> None:
    assert error(client, f"/rakeback{query}") == (400, "bad_span")


def test_a_span_needs_its_beginning(client: FlaskClient) -> None:
    assert error(client, "/rakeback") == (400, "missing_field")


@pytest.mark.parametrize("path", ["/rakeback?from_ms=-1", "/rakeback?from_ms=x", "/record?before=1.5"])
def test_what_is_no_number_is_refused(client: FlaskClient, path: str) -> None:
    assert error(client, path) == (400, "bad_number")
