"""A bettor bets on his own page: the browser his ticket is bound to, for himself alone, each thing once."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest
from api_fake_floor import NORTH, SOUTH
from flask import Flask
from flask.testing import FlaskClient
from test_play_page import Floor, app, clock, floor, look, page_for  # noqa: F401 - fixtures
from werkzeug.test import TestResponse

from dealer_ui.pages.play.cloth import chips_for
from dealer_ui.pages.play.player import COOKIE
from dealer_ui.public.layout import general, layout_of
from studio.games import HOUSE_GAMES
from studio.rulebook.game import Game
from studio.views.own import OwnChoice, OwnPlay


class Bettor:
    """One browser, and the page it opened."""

    def __init__(self, house: Flask, path: str) -> None:
        self.client = house.test_client()
        self.path = path
        self.text = self.open()

    def open(self) -> str:
        self.text = look(self.client, self.path)
        return self.text

    @property
    def key(self) -> str:
        return self.text.partition('data-play-key="')[2].partition('"')[0]

    def send(self, what: str, body: object, **headers: str) -> TestResponse:
        return self.client.post(f"{self.path}/{what}", json=body, headers={"X-Play-Key": self.key, **headers})

    def bet(self, id: str, stake: int = 1_000, bet: str = "shark", round: str = "t1-r1") -> dict[str, Any]:
        answer = self.send("bets", {"round": round, "bets": [{"client_id": id, "bet": bet, "stake": stake}]})
        assert answer.status_code == 200, answer.text
        told = answer.get_json()["answers"]
        assert len(told) == 1
        return dict(told[0])


@pytest.fixture
def client(app: Flask) -> FlaskClient:  # noqa: F811
    client = app.test_client()
    for headers in (NORTH, SOUTH):
        client.post("/api/v1/bettors/ann/deposits", headers=headers, json={"client_id": "d", "amount": 100_000})
    return client


@pytest.fixture
def ann(app: Flask, client: FlaskClient, floor: Floor) -> Bettor:  # noqa: F811
    floor.open_bets()
    return Bettor(app, page_for(client, plays=True))


def test_a_launched_bettor_bets_and_his_operator_sees_it(ann: Bettor, client: FlaskClient) -> None:
    told = ann.bet("b0000001")
    assert (told["client_id"], told["status"]) == ("b0000001", "accepted")
    [bet] = client.get("/api/v1/bettors/ann/bets", headers=NORTH).get_json()["bets"]
    assert (bet["bettor"], bet["bet"], bet["stake"], bet["round"]) == ("ann", "shark", 1_000, "t1-r1")
    assert client.get("/api/v1/bettors/ann/balance", headers=NORTH).get_json()["balance"] == 99_000
    assert client.get("/api/v1/bettors/ann/balance", headers=SOUTH).get_json()["balance"] == 100_000


def test_what_is_sent_again_is_done_once(ann: Bettor, client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    assert ann.bet("b0000001")["status"] == "accepted"
    ann.open()
    assert ann.bet("b0000001")["status"] == "duplicate"
    floor.close_bets()
    assert ann.bet("b0000001")["status"] == "duplicate"
    floor.open_bets("t1-r2", 2)
    assert ann.bet("b0000001")["status"] == "duplicate"
    assert client.get("/api/v1/bettors/ann/balance", headers=NORTH).get_json()["balance"] == 99_000


def test_a_bet_that_comes_after_its_round_is_not_placed_in_the_next(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    floor.open_bets("t1-r2", 2)
    told = ann.bet("b0000001", round="t1-r1")
    assert (told["status"], told["reason"]) == ("refused", "round_over")
    assert told["sentence"] == "It was for a round that takes no more bets."


def test_a_refusal_is_told_in_the_bettors_language(app: Flask, client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    floor.open_bets()
    dewi = Bettor(app, page_for(client, plays=True, language="id"))
    assert dewi.bet("b0000001", stake=500_000)["sentence"] == "Saldo Anda tidak cukup."


def test_two_bettors_of_one_name_and_one_id_are_two(app: Flask, ann: Bettor, client: FlaskClient) -> None:  # noqa: F811
    other = Bettor(app, page_for(client, headers=SOUTH, plays=True))
    assert ann.bet("b0000001")["status"] == other.bet("b0000001")["status"] == "accepted"


def test_the_same_id_of_an_operator_is_another_bet(ann: Bettor, client: FlaskClient) -> None:
    bets = [{"client_id": "b0000001", "bettor": "ann", "bet": "king", "stake": 500}]
    assert client.post("/api/v1/tables/t1/bets", headers=NORTH, json={"bets": bets}).status_code == 200
    assert ann.bet("b0000001", bet="draw")["status"] == "accepted"


def test_only_the_first_browser_plays_and_another_looks_on(app: Flask, ann: Bettor) -> None:  # noqa: F811
    assert ann.bet("b0000001")["status"] == "accepted"
    stranger = Bettor(app, ann.path)
    assert stranger.key == ""
    assert "opened first in another browser" in stranger.text
    assert stranger.send("bets", {}).status_code == 403
    assert stranger.send("bets", {}, **{"X-Play-Key": ann.key}).status_code == 403
    ann.open()
    assert ann.bet("b0000002")["status"] == "accepted"


def test_an_answer_lost_on_its_way_locks_nobody_out(app: Flask, client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    floor.open_bets()
    path = page_for(client, plays=True)
    look(app.test_client(), path)  # this browser never comes back with what it was given
    assert Bettor(app, path).bet("b0000001")["status"] == "accepted"


def test_a_page_that_only_looks_on_takes_nothing(app: Flask, client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    floor.open_bets()
    ann = Bettor(app, page_for(client))
    assert ann.key == ""
    assert ann.client.get_cookie(COOKIE, path=ann.path) is None
    assert ann.send("bets", {}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"X-Play-Key": "0" * 32}, {"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}],
    ids=["another key", "another site", "from another site"],
)
def test_another_site_cannot_bet_for_him(ann: Bettor, headers: dict[str, str]) -> None:
    body = {"round": "t1-r1", "bets": [{"client_id": "b0000001", "bet": "shark", "stake": 100}]}
    assert ann.send("bets", body, **headers).status_code == 403


@pytest.mark.parametrize(
    "body",
    [{}, [], {"round": "t1-r1", "bets": []},
     {"round": "t1-r1", "bets": [{"client_id": "x", "bet": "shark", "stake": 1}]},
     {"round": "t1-r1", "bets": [{"client_id": "b0000001", "bet": "shark", "stake": -5}]},
     {"round": "t1-r1", "bettor": "bob", "bets": [{"client_id": "b0000001", "bet": "shark", "stake": 100}]}],
    ids=["nothing", "a list", "no bets", "a short id", "a negative stake", "for another"],
)  # fmt: skip
def test_what_no_page_of_ours_sends_is_refused(ann: Bettor, body: object) -> None:
    assert ann.send("bets", body).status_code == 409


def test_the_last_bets_are_there_to_be_repeated(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    ann.bet("b0000001", 1_000)
    ann.bet("b0000002", 500, "draw")
    assert ann.send("last", {}).get_json()["bets"] == []
    floor.settle({})
    floor.open_bets("t1-r2", 2)
    told = ann.send("last", {}).get_json()["bets"]
    assert told == [{"bet": "shark", "stake": 1_000}, {"bet": "draw", "stake": 500}]


def test_a_decision_counts_in_the_window_it_was_made_for(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    floor.own = OwnPlay("t1-r1.5", (OwnChoice("fold"), OwnChoice("play", adds_minor=1_000)))
    ann.open()
    assert 'data-mark="t1-r1.5"' in ann.text
    assert "€10.00" in ann.text.partition('id="choice--play"')[2].partition("</button>")[0]
    late = ann.send("decisions", {"client_id": "d0000001", "option": "fold", "mark": "t1-r1.4"}).get_json()
    assert late["answers"][0]["reason"] == "moment_over"
    assert floor.decided == ()
    told = ann.send("decisions", {"client_id": "d0000001", "option": "fold", "mark": "t1-r1.5"}).get_json()
    assert told["answers"][0]["status"] == "accepted"
    [(operator, choice)] = floor.decided
    assert (operator, choice.bettor, choice.option) == ("north", "ann", "fold")


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.key)
def test_every_bet_of_a_game_has_its_field_once(game: Game) -> None:
    assert sorted(layout_of(game).bets()) == sorted(game.betting.bets)
    assert sorted(general(game).bets()) == sorted(game.betting.bets)
    drawn = find_spec(f"dealer_ui.public.layout.{game.key}") is not None
    assert (layout_of(game) != general(game)) == drawn


def test_a_game_that_nobody_drew_gets_its_fields_from_its_bets() -> None:
    drawn = layout_of(replace(HOUSE_GAMES[0], key="new_game"))
    assert [zone.title for zone in drawn.zones] == ["box.player1", "box.player2", "box.player3", "box.banker"]


@pytest.mark.parametrize(
    ("limits", "chips"),
    [((100, 100_000), (100, 500, 2_500, 10_000, 50_000)), ((150, 1_000), (200, 1_000)), ((700, 600), (700,)),
     ((1, 3), (1,)), ((1_700_000, 10**9), (2_000_000, 10_000_000, 50_000_000, 200_000_000, 10**9))],
    ids=["usual", "narrow", "one stake", "smallest", "rupiah"],
)  # fmt: skip
def test_chips_are_round_figures_within_the_limits(limits: tuple[int, int], chips: tuple[int, ...]) -> None:
    assert chips_for(*limits) == chips
