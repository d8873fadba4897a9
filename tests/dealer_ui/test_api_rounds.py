"""The feed of rounds over the interface: what an operator is told of each, again after a correction, and never more."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.account import round as round_desk
from dealer_ui.api.door import blueprint
from dealer_ui.past import told_round
from studio.cards import Card, SealedCard, Sealer
from studio.journal import Entry, Unit
from studio.money import Transfer, bettor_account, house_account
from studio.rounds import AnyFact, CardBurned, CardDealt, CardReplaced, Revealed
from studio.tables.event import table as e
from studio.tables.event.record import kind_of, write_body

OPERATORS = (("north", NORTH, "ann"), ("south", SOUTH, "kim"))


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
    for _, headers, bettor in OPERATORS:
        body = {"client_id": "d-1", "amount": 1_000_000}
        made.post(f"/api/v1/bettors/{bettor}/deposits", headers=headers, json=body)
    return made


def get(client: FlaskClient, path: str = "/rounds", headers: Any = NORTH) -> Any:
    response = client.get(f"/api/v1{path}", headers=headers)
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def error(client: FlaskClient, path: str, headers: Any = NORTH) -> tuple[int, str]:
    response = client.get(f"/api/v1{path}", headers=headers)
    return response.status_code, response.get_json()["error"]["key"]


def place(client: FlaskClient, *ids: str, headers: Any = NORTH, bettor: str = "ann", bet: str = "player1_win") -> None:
    bets = [{"client_id": id, "bettor": bettor, "bet": bet, "stake": 500} for id in ids]
    told = client.post("/api/v1/tables/t1/bets", headers=headers, json={"bets": bets}).get_json()
    assert {answer["status"] for answer in told["answers"]} == {"accepted"}, told


def deal(floor: FakeFloor, round: str = "t1-r1") -> list[SealedCard]:
    """Four cards: one open, one misread and put right, one never turned, one burned; and a hand that is turned."""
    sealer = Sealer(random.Random(3).randbytes)
    cards = [sealer.card(Card.parse(face)) for face in ("As", "2c", "Qd", "Qh", "Kd")]
    shown, wrong, hidden, burned, turned = cards
    facts: tuple[AnyFact, ...] = (
        CardBurned(card=burned, place=1),
        CardDealt(card=shown, box="player1", place=1, face=Card.parse("As"), key=shown.publish_key()),
        CardDealt(card=wrong, box="player1", place=2, face=Card.parse("2c"), key=wrong.publish_key()),
        CardDealt(card=hidden, box="player2", place=1),
        CardDealt(card=turned, box="banker", place=1),
        CardReplaced(id=wrong.id, face=Card.parse("3c"), source="manual"),
        Revealed(box="banker", faces=(Card.parse("Kd"),), keys=(turned.publish_key(),)),
    )
    for fact in facts:
        floor.tell(round, e.FactStood(fact=fact))
    floor.tell(round, e.CardConfirmed(id=shown.id, evidence="abc", confidence=0.9))
    floor.tell(round, e.CardConfirmed(id=wrong.id, by="p1"))
    return cards


def resettle(floor: FakeFloor, id: str, outcome: dict[str, Any], *, void: bool = False) -> None:
    """The first bet of the round gets nothing after all; its cards stay as they are."""
    [wrong, *_] = floor.reader().bets(id)
    purse = bettor_account(wrong.operator, wrong.bettor)
    told = e.RoundResettled(
        round=id, number=1, revision=1, void=void, outcome=outcome, before={}, bets=1, stake_minor=0, returns_minor=0,
        digest="",
    )  # fmt: skip
    entry = Entry(kind_of(told), floor.now, write_body("t1", id, told))
    undone = Transfer(id, wrong.bet_id, "reverse_return", purse, house_account("t1"), 1_000, "EUR", 1)
    floor._commit(Unit(entries=(entry,), transfers=(undone,)))


def card(box: str, place: int, face: str | None, read_by: str = "shoe", confirmed_by: str | None = None) -> Any:
    state = "sealed" if face is None else "open"
    return {
        "box": box, "place": place, "state": state, "card": face, "read_by": read_by, "confirmed_by": confirmed_by,
    }  # fmt: skip


# --- what is told --------------------------------------------------------------------------------------


def test_a_round_is_told_whole_with_its_cards_and_the_bets_of_the_operators_own(
    client: FlaskClient, floor: FakeFloor
) -> None:
    floor.open_bets("t1-r1", 17)
    place(client, "n1", "n2")
    place(client, "s1", headers=SOUTH, bettor="kim", bet="player2_win")
    deal(floor)
    floor.settle({"player1_win": 1_000}, {"player1": {"result": "win"}})
    [told] = get(client)["rounds"]
    cursor = told["cursor"]
    assert told == {
        "id": "t1-r1:0", "cursor": cursor, "round": "t1-r1", "generation": 0, "table": "t1", "game": "three_knights",
        "rules_version": 1, "number": 17, "attempt": 1, "began_at_ms": floor.now, "ended_at_ms": floor.now,
        "status": "settled", "void": None, "outcome": {"player1": {"result": "win"}}, "seats": None,
        "cards": [
            card("banker", 1, "Kd"), card("burn", 1, None), card("player1", 1, "As", confirmed_by="camera"),
            card("player1", 2, "3c", "manual", "person"), card("player2", 1, None),
        ],
        "sums": [{"currency": "EUR", "bets": 2, "stake": 1_000, "free_stake": 0, "returns": 2_000}],
        "bets": [
            {"client_id": id, "bet_id": told["bets"][n]["bet_id"], "bettor": "ann", "bet": "player1_win", "stake": 500,
             "currency": "EUR", "status": "posted", "returns": 1_000, "free_bet": None}
            for n, id in enumerate(("n1", "n2"))
        ],
        "more_bets": None, "record": "/api/v1/rounds/t1-r1?generation=0",
    }  # fmt: skip


def test_two_operators_see_neither_each_others_bets_nor_rounds(client: FlaskClient, floor: FakeFloor) -> None:
    for number, (_, headers, bettor) in enumerate(OPERATORS, 1):
        floor.open_bets(f"t1-r{number}", number)
        place(client, f"b{number}", headers=headers, bettor=bettor)
        floor.settle({})
    floor.open_bets("t1-r3", 3)
    for _, headers, bettor in OPERATORS:
        place(client, "b3", headers=headers, bettor=bettor)
    floor.settle({})
    for own, (_, headers, bettor) in enumerate(OPERATORS, 1):
        page = client.get("/api/v1/rounds", headers=headers)
        assert [one["round"] for one in page.get_json()["rounds"]] == [f"t1-r{own}", "t1-r3"]
        assert {bet["bettor"] for one in page.get_json()["rounds"] for bet in one["bets"]} == {bettor}
        other = next(name for _, _, name in OPERATORS if name != bettor)
        assert f'"{other}"' not in page.text
        assert error(client, f"/rounds/t1-r{3 - own}", headers) == (404, "round_not_found")
        assert error(client, f"/rounds/t1-r{3 - own}/bets", headers) == (404, "round_not_found")


def test_no_card_that_was_never_turned_is_told_before_or_after(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    place(client, "n1")
    _, _, hidden, burned, _ = deal(floor)
    floor.settle({"player1_win": 1_000})
    resettle(floor, "t1-r1", {})
    for path in ("/api/v1/rounds", "/api/v1/rounds/t1-r1"):
        said = client.get(path, headers=NORTH).text
        for secret in ("Qd", "Qh", hidden.id, burned.id, hidden.ciphertext.hex()):
            assert secret not in said


def test_a_redealt_round_is_told_by_its_last_deal(client: FlaskClient, floor: FakeFloor) -> None:
    sealer = Sealer(random.Random(3).randbytes)
    floor.open_bets()
    place(client, "n1")
    for face in ("As", "Kd"):
        card = sealer.card(Card.parse(face))
        dealt = CardDealt(card=card, box="player1", place=1, face=Card.parse(face), key=card.publish_key())
        floor.tell("t1-r1", e.FactStood(fact=dealt))
        if face == "As":
            floor.tell("t1-r1", e.RedealOrdered(row="TK4"))
    floor.settle({})
    [told] = get(client)["rounds"]
    assert (told["attempt"], [one["card"] for one in told["cards"]]) == (2, ["Kd"])


def test_a_void_round_says_why_in_words_bettors_may_hear(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    place(client, "n1")
    floor.void("TK7")
    [told] = get(client)["rounds"]
    assert (told["status"], told["outcome"], told["void"]["row"]) == ("voided", None, "TK7")
    assert told["void"]["because"] in ("device", "cards", "deal", "deck", "check")
    assert set(told["void"]["reason"]) == {"en", "ja", "id"}
    assert [(bet["status"], bet["returns"]) for bet in told["bets"]] == [("voided", 500)]


# --- again, and only once ------------------------------------------------------------------------------


def test_a_corrected_round_comes_again_and_the_first_reads_as_it_did(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    place(client, "n1", "n2")
    deal(floor)
    floor.settle({"player1_win": 1_000}, {"player1": {"result": "win"}})
    first = get(client)
    resettle(floor, "t1-r1", {"player1": {"result": "loss"}})
    again = get(client)
    assert again["rounds"][0] == first["rounds"][0]
    [second] = get(client, f"/rounds?after={first['next']}")["rounds"]
    assert again["rounds"][1] == second
    assert (second["id"], second["generation"], second["outcome"]) == ("t1-r1:1", 1, {"player1": {"result": "loss"}})
    assert [bet["returns"] for bet in second["bets"]] == [0, 1_000]
    assert second["sums"] == [{"currency": "EUR", "bets": 2, "stake": 1_000, "free_stake": 0, "returns": 1_000}]
    assert get(client, first["rounds"][0]["record"].removeprefix("/api/v1")) == first["rounds"][0]
    assert get(client, "/rounds/t1-r1") == second


def test_a_round_that_is_void_after_all_comes_again_without_an_outcome(client: FlaskClient, floor: FakeFloor) -> None:
    floor.open_bets()
    place(client, "n1")
    floor.settle({"player1_win": 1_000}, {"player1": {"result": "win"}})
    resettle(floor, "t1-r1", {}, void=True)
    told = get(client, "/rounds/t1-r1")
    assert (told["generation"], told["status"], told["outcome"]) == (1, "voided", None)
    assert told["void"] == {"row": None, "because": None, "reason": None}


def test_pages_go_on_where_the_last_ended(client: FlaskClient, floor: FakeFloor) -> None:
    for number in range(1, 6):
        floor.open_bets(f"t1-r{number}", number)
        place(client, f"n{number}")
        floor.settle({})
    pages, after = [], ""
    for _ in range(4):
        page = get(client, f"/rounds?limit=2{after}")
        pages.append(([one["number"] for one in page["rounds"]], page["more"]))
        after = f"&after={page['next']}"
    assert pages == [([1, 2], True), ([3, 4], True), ([5], False), ([], False)]
    assert get(client, "/rounds?limit=5")["more"] is False, "a full page may be the last"
    floor.open_bets("t1-r6", 6)
    place(client, "n6")
    assert get(client, f"/rounds?limit=2{after}")["rounds"] == []
    floor.settle({})
    assert [one["number"] for one in get(client, f"/rounds?limit=2{after}")["rounds"]] == [6]


def test_a_round_of_very_many_bets_tells_the_first_and_where_the_rest_is(
    client: FlaskClient, floor: FakeFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told_round, "BETS_TOLD", 2)
    monkeypatch.setattr(round_desk, "BETS_MAX", 3)
    for number in (1, 2, 3):
        floor.open_bets(f"t1-r{number}", number)
        place(client, *(f"n{number}.{n}" for n in range(5)))
        floor.settle({})
    page = get(client)
    assert ([one["number"] for one in page["rounds"]], page["more"]) == ([1, 2], True)
    assert [one["number"] for one in get(client, f"/rounds?after={page['next']}")["rounds"]] == [3]
    told = page["rounds"][0]
    assert told["sums"][0]["bets"] == 5
    found, more = [bet["client_id"] for bet in told["bets"]], told["more_bets"].removeprefix("/api/v1")
    while more:
        rest = get(client, f"{more}&limit=2")
        found += [bet["client_id"] for bet in rest["bets"]]
        more = rest["next"] and f"/rounds/t1-r1/bets?generation=0&after={rest['next']}"
    assert found == [f"n1.{n}" for n in range(5)]


# --- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/rounds?after=x", (400, "bad_number")),
        ("/rounds?after=-1", (400, "bad_number")),
        ("/rounds?limit=0", (400, "bad_limit")),
        ("/rounds?limit=101", (400, "bad_limit")),
        ("/rounds?after=999999999", (409, "cursor_ahead")),
        ("/rounds/t1-r9", (404, "round_not_found")),
        ("/rounds/t1-r1?generation=1", (404, "round_not_found")),
        ("/rounds/t1-r1?generation=x", (400, "bad_number")),
        ("/rounds/t1-r1/bets?limit=1001", (400, "bad_limit")),
    ],
)
def test_what_cannot_be_told_is_refused_with_its_key(
    client: FlaskClient, floor: FakeFloor, path: str, expected: tuple[int, str]
) -> None:
    floor.open_bets()
    place(client, "n1")
    floor.settle({})
    assert error(client, path) == expected


def test_a_cursor_of_a_closed_year_is_told_where_to_go_on(client: FlaskClient, floor: FakeFloor) -> None:
    floor._writer._connection.execute("INSERT INTO origin (chain, seq, hash) VALUES ('journal', 1, '')")
    response = client.get("/api/v1/rounds?after=0", headers=NORTH)
    told = response.get_json()["error"]
    assert (response.status_code, told["key"]) == (410, "archived")
    assert "after=1" in told["sentence"]
    assert json.dumps(get(client, "/rounds?after=1")["rounds"]) == "[]"
    assert get(client)["rounds"] == []
