"""A player's hands of the poker room: his own cards, what everybody did, and no card that nobody showed him."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

from dealer_ui.api.door import blueprint
from studio.games import find_game
from studio.rounds import Revealed
from studio.rulebook.hand_terms import HAND, written_terms
from studio.tables.event import table as e
from tests.studio.dealt_hand import VARIANTS, DealtHand, random_terms

FACE = re.compile(r"[2-9TJQKA][cdhs]")


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    yield floor
    floor.close()


@pytest.fixture
def client(floor: FakeFloor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(4)))
    return app.test_client()


def get(client: FlaskClient, path: str, headers: Any = NORTH) -> Any:
    return client.get(f"/api/v1/bettors/{path}", headers=headers).get_json()


def sit(floor: FakeFloor, bettor: str, seat: str, operator: str = "north") -> None:
    floor.tell("", e.SeatTaken(seat=seat, operator=operator, bettor=bettor, stack_minor=400, client_id=bettor))


def play(floor: FakeFloor, key: str, seed: int, number: int = 1, end: str = "settled") -> DealtHand:
    """A hand on record. At the first seat sits Ann of the north, at the second Sue of the south, then p3, p4, …"""
    rng, game = random.Random(seed), find_game(key)
    dealt = DealtHand(VARIANTS[key], random_terms(key, rng), rng)
    round, seats = f"{key}-{seed}-{number}", dealt.terms.seats
    names = [["north", "ann"], ["south", "sue"], *(["north", f"p{n}"] for n in range(3, 7))]
    players = dict(zip(seats, names, strict=False))
    for seat, (operator, bettor) in players.items():
        sit(floor, bettor, seat, operator)
    rules = {**game.options.defaults, HAND: {**written_terms(dealt.terms), "players": players}}
    floor.tell(round, e.RoundStarted(round=round, number=number, game=key, version=1, rules=rules, dealer="d1"))
    for cards in dealt.sealed.values():
        floor.keys.update((card.id, card.publish_key()) for card in cards)
    for fact in dealt.facts:
        floor.tell(round, e.FactStood(fact=fact))
    if end == "voided":
        floor.tell(round, e.RoundVoided(row="PK6", incident="i1", by="p1"))
    elif end == "settled":
        floor.tell(round, e.ResultDeclared(outcome=game.deal.describe(dealt.outcome), by="d1"))
        floor.tell(round, e.RoundSettled(bets=0, stake_minor=0, returns_minor=0, digest=""))
    for seat in players:
        floor.tell("", e.SeatLeft(seat=seat, stack_minor=0))
    return dealt


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_word_of_the_answer_names_a_card_that_was_not_shown_to_this_player(key: str, seed: int) -> None:
    floor = FakeFloor()
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(1)))
    dealt = play(floor, key, seed)
    shown = {card for fact in dealt.facts if isinstance(fact, Revealed) for card in fact.faces} | set(dealt.board)
    for seat, (bettor, headers) in zip(
        dealt.terms.seats, [("ann", NORTH), ("sue", SOUTH), ("p3", NORTH)], strict=False
    ):
        floor.looked_up.clear()
        answer = app.test_client().get(f"/api/v1/bettors/{bettor}/hands/{key}-{seed}-1", headers=headers)
        allowed = {str(card) for card in (*shown, *dealt.hole[seat])}
        assert faces_in(answer.get_json()) == allowed
        assert set(floor.looked_up) == {card.id for card in dealt.sealed[seat]}
        assert floor.keys[dealt.sealed[seat][0].id].hex() not in answer.text
    floor.close()


def faces_in(value: Any) -> set[str]:
    """Every face that stands anywhere in an answer; in the notation cards are written one after another."""
    match value:
        case dict():
            return {face for inner in value.values() for face in faces_in(inner)}
        case list():
            return {face for inner in value for face in faces_in(inner)}
        case str() if value.startswith("variant"):
            words = re.findall(rf"(?<= )(?:{FACE.pattern})+(?=\")", value)
            return {face for word in words for face in FACE.findall(word)}
        case str() if FACE.fullmatch(value):
            return {value}
    return set()


def test_a_player_complains_about_a_hand_he_was_dealt_into_and_about_no_other(
    client: FlaskClient, floor: FakeFloor
) -> None:
    play(floor, "nlh", 1)
    said = {"client_id": "c-1", "round": "nlh-1-1", "words": "My raise was not heard."}
    for bettor, headers, status in (("ann", NORTH, 200), ("sue", NORTH, 404), ("sue", SOUTH, 200), ("zoe", NORTH, 404)):
        answer = client.post(f"/api/v1/bettors/{bettor}/complaints", json=said, headers=headers)
        assert answer.status_code == status, bettor


def test_a_hand_is_told_with_its_acts_its_pots_and_its_notation(client: FlaskClient, floor: FakeFloor) -> None:
    dealt = play(floor, "nlh", 7)
    told = get(client, "ann/hands/nlh-7-1")
    seat = dealt.terms.seats[0]
    assert (told["status"], told["seat"], told["game"]) == ("settled", seat, "nlh")
    assert told["takes"] - told["paid"] == dealt.outcome.payoffs[0]
    [mine] = [one for one in told["hand"]["seats"] if one["seat"] == seat]
    assert mine["cards"] == [str(card) for card in dealt.hole[seat]]
    assert sum(sum(pot["winners"].values()) for pot in told["hand"]["pots"]) == sum(
        pot.amount_minor for pot in dealt.outcome.pots
    )
    history = HandHistory.loads(told["phh"])
    *_, last = history
    assert tuple(last.stacks) == dealt.outcome.stacks
    assert history.players is not None
    assert history.players[:2] == ["ann", dealt.terms.seats[1]]  # another operator's bettor is a seat


def test_hands_are_listed_newest_first_a_page_at_a_time(client: FlaskClient, floor: FakeFloor) -> None:
    for number in range(1, 6):
        play(floor, "plo", 3, number)
    first = get(client, "ann/hands?limit=3")
    second = get(client, f"ann/hands?limit=3&before={first['older']}")
    assert [[line["number"] for line in page["hands"]] for page in (first, second)] == [[5, 4, 3], [2, 1]]
    assert second["older"] is None
    assert get(client, "nobody/hands")["hands"] == []


def test_nobody_reads_the_hands_of_another_operators_bettor(client: FlaskClient, floor: FakeFloor) -> None:
    play(floor, "nlh", 7)
    assert get(client, "ann/hands", SOUTH)["hands"] == []
    assert get(client, "ann/hands/nlh-7-1", SOUTH)["error"]["key"] == "hand_not_found"
    assert get(client, "p9/hands/nlh-7-1")["error"]["key"] == "hand_not_found"


def test_an_open_hand_is_not_told_and_a_void_one_without_its_cards(client: FlaskClient, floor: FakeFloor) -> None:
    play(floor, "nlh", 7, 1, "open")
    play(floor, "nlh", 7, 2, "voided")
    assert get(client, "ann/hands/nlh-7-1")["error"]["key"] == "hand_open"
    void = get(client, "ann/hands/nlh-7-2")
    assert (void["status"], void["hand"], void["phh"], void["paid"]) == ("voided", None, None, None)
    assert [line["status"] for line in get(client, "ann/hands")["hands"]] == ["voided", "open"]
