"""A bettor's seat in the poker room on his own page: his cards there and nowhere else, his turn, his chips."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import fake_poker as poker
import pytest
from altered import altered
from api_fake_floor import NORTH
from flask import Flask
from flask.testing import FlaskClient
from test_play_bets import Bettor
from test_play_page import Floor, app, clock, floor, look, page_for  # noqa: F401 - fixtures

from dealer_ui.pages.play.playing import mark_of, sizing_of
from studio.views.own import OwnSeat
from studio.views.shape import PlayerView, RoomView

TURN: dict[str, Any] = {
    "options": ["fold", "call", "raise"], "default": "fold", "owed": 300, "front": 200, "to": [800, 9_700],
    "closes_at_ms": 1, "bank": False,
}  # fmt: skip
SEAT = OwnSeat("seat3", "r", 9_500, 500, True, False, False, False, False, 30_000, ("As", "Td"), TURN)
VIEW = replace(poker.STATES["raised"], table="t1")
STREET = {"options": ["place"], "default": "", "owed": 0, "front": 0, "to": None, "closes_at_ms": 1, "bank": False,
          "cards": 2, "give_up": 1, "room": {"top": 3, "middle": 5, "bottom": 0}}  # fmt: skip


@pytest.fixture
def ann(app: Flask, floor: Floor) -> Bettor:  # noqa: F811
    client = app.test_client()
    client.post("/api/v1/bettors/ann/deposits", headers=NORTH, json={"client_id": "d", "amount": 100_000})
    floor.show(**{name: getattr(VIEW, name) for name in VIEW.__slots__ if name != "seq"})
    floor.seat = SEAT
    ann = Bettor(app, page_for(client, plays=True))
    assert 'class="own-card"' not in ann.text  # nobody has come back with what he was given
    ann.open()
    return ann


def test_his_cards_are_on_his_page_and_on_no_other(ann: Bettor, app: Flask) -> None:  # noqa: F811
    drawn = ann.text.partition('id="own-cards"')[2].partition("</div>")[0]
    assert "A♠" in drawn
    assert "10♦" in drawn
    stranger: FlaskClient = app.test_client()
    assert 'id="own-cards"' not in look(stranger, ann.path)


def test_his_turn_offers_what_his_seat_may_do(ann: Bettor) -> None:
    for option in ("fold", "call", "raise"):
        assert f'id="choice-seat3-{option}"' in ann.text
    assert 'min="800" max="9700"' in ann.text


def test_an_act_goes_out_for_himself_and_a_late_one_does_not(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    order = {"client_id": "d0000001", "option": "raise", "box": "seat3", "to": 1_200}
    late = ann.send("decisions", {**order, "mark": "another moment"}).get_json()["answers"][0]
    assert late["reason"] == "moment_over"
    told = ann.send("decisions", {**order, "mark": mark_of(VIEW, SEAT)}).get_json()["answers"][0]
    assert told["status"] == "accepted"
    [(operator, choice)] = floor.decided
    assert (operator, choice.bettor, choice.option, choice.box, choice.to_minor) == (
        "north", "ann", "raise", "seat3", 1_200,
    )  # fmt: skip


def test_a_turn_is_the_same_while_its_time_bank_runs_and_another_after_a_card() -> None:
    banked = replace(SEAT, turn={**TURN, "bank": True, "closes_at_ms": 99})
    assert mark_of(VIEW, banked) == mark_of(VIEW, SEAT)
    assert mark_of(altered(VIEW, round={"id": "another"}), SEAT) != mark_of(VIEW, SEAT)
    assert mark_of(VIEW, replace(SEAT, turn=None)) == ""


def test_a_bet_is_sized_by_the_pot_and_never_outside_what_may_be_bet() -> None:
    room = RoomView((), stakes={"small_blind": 50}, in_play_minor=1_000)
    sizing = sizing_of(room, SEAT)
    assert sizing is not None
    assert dict(sizing.steps) == {"least": 800, "half": 1_150, "pot": 1_800, "most": 9_700}
    assert sizing_of(room, replace(SEAT, turn={**TURN, "to": None})) is None


def test_a_seat_is_asked_for_and_a_street_is_set_card_by_card(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    room = VIEW.room
    assert room is not None
    floor.seat = None
    floor.show(room=replace(room, seats=(PlayerView("seat1"), *room.seats[1:])))
    assert 'data-ask="sit"' in ann.open()
    told = ann.send("seats", {"client_id": "s0000001", "act": "sit", "seat": "seat3", "amount": 5_000}).get_json()
    assert told["answers"][0]["status"] == "accepted"
    [request] = floor.seats_asked
    assert (request.act, request.operator, request.bettor, request.seat) == ("sit", "north", "ann", "seat3")
    floor.seat = replace(SEAT, turn=STREET)
    placing = ann.open().partition('id="placing"')[2].partition("</section>")[0]
    assert placing.count('class="place-card"') == 2
    assert 'data-row="muck"' in placing
    assert 'data-row="bottom" data-room="0" aria-disabled="true"' in placing
