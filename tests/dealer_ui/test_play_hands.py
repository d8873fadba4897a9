"""A bettor's hands of the poker room on his own page: a line each, one of them told, and no card nobody showed him."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import fake_poker as poker
import pytest
from api_fake_floor import SOUTH
from flask.testing import FlaskClient
from test_api_hands import play
from test_play_page import Floor, Ticking, look, page_for

from dealer_ui.api.door import blueprint
from dealer_ui.assembly.app import create_app
from dealer_ui.desk.ticket import Tickets
from dealer_ui.pages.play import route
from studio.rounds import Revealed

SIGN = re.compile(r'<b class="rank(?: wide)?">(\w+)</b><svg class="suit"><use href="#suit-(\w)"/>')


@pytest.fixture
def floor() -> Iterator[Floor]:
    floor = Floor()
    floor.show(game={"key": "nlh", "title": "No-Limit Hold'em"}, title="Hold'em 1", room=poker.STATES["push"].room)
    yield floor
    floor.close()


@pytest.fixture
def client(floor: Floor) -> FlaskClient:
    clock, numbers = Ticking(), itertools.count(1)
    app = create_app(floor, monotonic=clock)  # type: ignore[arg-type]
    tickets = Tickets(lambda: f"token-{next(numbers)}", floor.now_ms, clock)
    console = app.extensions["console"]
    app.register_blueprint(blueprint(floor, console.lanes.operators, tickets=tickets, closing=console.closing))
    app.register_blueprint(route.routes(console, tickets, floor))
    return app.test_client()


@pytest.mark.parametrize("key", ["nlh", "plo", "short_deck"])
def test_the_record_lists_his_hands_and_tells_one_with_his_own_cards(
    client: FlaskClient, floor: Floor, key: str
) -> None:
    dealt = play(floor, key, 7)
    for bettor, headers, seat in (("ann", None, 0), ("sue", SOUTH, 1)):
        page = page_for(client, bettor, **({"headers": headers} if headers else {}))
        listed = look(client, f"{page}/record")
        assert f"{page}/record/{key}-7-1" in listed
        assert SIGN.findall(listed) == []
        floor.looked_up.clear()
        told = look(client, f"{page}/record/{key}-7-1")
        shown = {card for fact in dealt.facts if isinstance(fact, Revealed) for card in fact.faces} | set(dealt.board)
        allowed = {str(card) for card in (*shown, *dealt.hole[dealt.terms.seats[seat]])}
        assert {("T" if rank == "10" else rank) + suit for rank, suit in SIGN.findall(told)} == allowed
        assert set(floor.looked_up) == {card.id for card in dealt.sealed[dealt.terms.seats[seat]]}


@pytest.mark.parametrize("end", ["open", "voided"])
def test_of_a_hand_that_is_open_or_void_no_card_is_told(client: FlaskClient, floor: Floor, end: str) -> None:
    play(floor, "nlh", 7, 1, end)
    page = page_for(client)
    assert "nlh-7-1" in look(client, f"{page}/record")
    assert SIGN.findall(look(client, f"{page}/record/nlh-7-1", 404 if end == "open" else 200)) == []


def test_a_hand_he_was_not_dealt_into_is_not_shown(client: FlaskClient, floor: Floor) -> None:
    play(floor, "nlh", 7)
    assert "nlh-7-1" not in look(client, f"{page_for(client, 'nobody')}/record")
    look(client, f"{page_for(client, 'nobody')}/record/nlh-7-1", 404)


def test_older_hands_are_a_page_further(client: FlaskClient, floor: Floor) -> None:
    for number in range(1, 23):
        play(floor, "nlh", 7, number, "voided")
    page = page_for(client)
    first = look(client, f"{page}/record")
    assert len(re.findall(r"/record/nlh-7-\d+", first)) == 20
    [older] = re.findall(r'rel="next" href="([^"]+)"', first)
    assert sorted(re.findall(r"/record/(nlh-7-\d+)", look(client, older))) == ["nlh-7-1", "nlh-7-2"]


def test_the_page_shows_his_own_seat_and_no_name(client: FlaskClient) -> None:
    eve, stranger = look(client, page_for(client, "eve")), look(client, page_for(client, "nobody"))
    mine = eve.partition('class="panel mine"')[2].partition("</section>")[0]
    assert "Seat 5" in mine
    assert "€7.50" in mine
    assert "Three jacks" in mine or "three jacks" in mine
    assert "You have no seat at this table." in stranger
    assert "ichiro" not in eve + stranger
