"""A bettor's own page: opened by a ticket, live, his bets and his record beside the table, and nothing sealed."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import KEYS, NORTH, SOUTH, FakeFloor
from console_visitor import events
from fake_floor import FakeDesk, box
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.door import blueprint
from dealer_ui.assembly.app import create_app
from dealer_ui.config.file import OperatorSection, RatesSection, StudioConfig, TableSection
from dealer_ui.desk.ticket import A_BETTOR_MAX, BURST, STREAMS_MAX, Tickets
from dealer_ui.live.seats import Capacity
from dealer_ui.pages.play import route as play
from dealer_ui.words.language import LANGUAGES
from studio.cards import Card, Sealer, parse_cards
from studio.games.kkclash import BETS, KKCLASH
from studio.rounds import CardDealt, Revealed
from studio.tables.event import table as e
from studio.views.shape import PastView

FRAME = "https://play.example"
HOLES = {"shark": parse_cards("Ah 9c"), "king": parse_cards("Qh 3d")}
SHARK_WINS = KKCLASH.deal.describe(
    KKCLASH.deal.outcome(KKCLASH.options.defaults, {**HOLES, "board": parse_cards("Ac Jd 8h 5s 2d")})
)
SEALED = (box("shark", "*", "*", count=2), box("king", "*", "*", count=2), box("board", count=5))


class Ticking:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Floor(FakeFloor):
    """The floor of the operators' interface, at which a page can be shown too."""

    config: Any = StudioConfig(
        tables=(TableSection(key="t1", title="Clash 1", game="kkclash"),),
        operators={
            name: OperatorSection(
                key_sha256=next(iter(KEYS[name].keys)), suspended=KEYS[name].suspended, frames_from=frames
            )
            for name, frames in (("north", (FRAME,)), ("south", ()), ("lapsed", ()))
        },
    )
    staff: Any = FakeDesk()


@pytest.fixture
def floor() -> Iterator[Floor]:
    floor = Floor()
    floor.show(
        game={"key": "kkclash", "title": "KKClash", "limits": {bet: (1, 10**9) for bet in BETS}},
        title="Clash 1",
        boxes=SEALED,
        past=PastView(("shark", "shark", "draw", "draw", "king"), {"pocket_kings": 41, "draw": 3}),
    )
    yield floor
    floor.close()


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture
def app(floor: Floor, clock: Ticking) -> Flask:
    app = create_app(floor, room=ROOM, monotonic=clock)  # type: ignore[arg-type]
    numbers = itertools.count(1)
    tickets = Tickets(lambda: f"token-{next(numbers)}", floor.now_ms, clock)
    console = app.extensions["console"]
    app.register_blueprint(blueprint(floor, console.lanes.operators, tickets=tickets, closing=console.closing))
    app.register_blueprint(play.routes(console, tickets, floor))
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    body = {"client_id": "d", "amount": 1_000_000}
    client.post("/api/v1/bettors/ann/deposits", headers=NORTH, json=body)
    return client


ROOM = Capacity(bettors=3)


def page_for(client: FlaskClient, bettor: str = "ann", headers: Any = NORTH, **wanted: Any) -> str:
    answer = client.post(f"/api/v1/bettors/{bettor}/pages", headers=headers, json={"table": "t1", **wanted})
    assert answer.status_code == 200, answer.get_json()
    return str(answer.get_json()["page"])


def look(client: FlaskClient, path: str, status: int = 200) -> str:
    with client.get(path, headers={"Accept": "text/html"}) as answer:
        assert answer.status_code == status, answer.text
        return answer.text


def bet(client: FlaskClient, **stakes: int) -> None:
    bets = [
        {"client_id": f"{bet}-{stake}", "bettor": "ann", "bet": bet, "stake": stake} for bet, stake in stakes.items()
    ]
    told = client.post("/api/v1/tables/t1/bets", headers=NORTH, json={"bets": bets}).get_json()["answers"]
    assert {one["status"] for one in told} == {"accepted"}


# --- the ticket -----------------------------------------------------------------------------------------


def test_an_operator_gets_a_page_that_lapses(client: FlaskClient, floor: Floor) -> None:
    body = {"table": "t1", "valid_s": 60}
    told = client.post("/api/v1/bettors/ann/pages", headers=NORTH, json=body).get_json()
    assert told == {
        "bettor": "ann", "table": "t1", "page": "/play/token-1", "expires_at_ms": floor.now + 60_000,
        "now_ms": floor.now, "plays": False,
    }  # fmt: skip
    assert "Clash 1" in look(client, told["page"])
    floor.now += 60_000
    assert "This page has ended" in look(client, told["page"], 410)


def test_a_page_taken_back_is_gone_at_once(client: FlaskClient) -> None:
    first, second, other = page_for(client), page_for(client), page_for(client, "bob")
    told = client.delete("/api/v1/bettors/ann/pages", headers=NORTH).get_json()
    assert told == {"bettor": "ann", "closed": 2}
    for page in (first, second):
        for path in ("", "/live", "/stream", "/record", "/record/t1-r1"):
            look(client, page + path, 410)
    look(client, other)


def test_an_operator_takes_back_his_own_pages_only(client: FlaskClient) -> None:
    page = page_for(client)
    assert client.delete("/api/v1/bettors/ann/pages", headers=SOUTH).get_json()["closed"] == 0
    look(client, page)


def test_a_bettor_with_too_many_pages_loses_his_oldest(client: FlaskClient) -> None:
    pages = [page_for(client) for _ in range(A_BETTOR_MAX + 1)]
    look(client, pages[0], 410)
    assert [look(client, page)[:1] for page in pages[1:]] == ["<"] * A_BETTOR_MAX


def test_a_guessed_page_does_not_exist(client: FlaskClient) -> None:
    page_for(client)
    for guess in ("/play/token-2", "/play/x", "/play/" + "a" * 2_000):
        look(client, guess, 410)


@pytest.mark.parametrize(
    ("body", "status", "key"),
    [
        ({"table": "t9"}, 404, "unknown_table"),
        ({}, 400, "missing_field"),
        ({"table": "t1", "valid_s": 0}, 400, "bad_valid_s"),
        ({"table": "t1", "valid_s": 43_201}, 400, "bad_valid_s"),
        ({"table": "t1", "language": "tlh"}, 400, "bad_language"),
        ({"table": "t1", "colour": "red"}, 400, "unknown_field"),
    ],
)
def test_a_page_that_cannot_be_had_is_refused(client: FlaskClient, body: Any, status: int, key: str) -> None:
    answer = client.post("/api/v1/bettors/ann/pages", headers=NORTH, json=body)
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (status, key)


def test_a_page_asked_for_too_often_waits_and_another_does_not(client: FlaskClient, clock: Ticking) -> None:
    page, other = page_for(client), page_for(client)
    for _ in range(BURST):
        look(client, page)
    assert "too often" in look(client, page, 429)
    look(client, other)
    clock.now_s += 1
    look(client, page)


def test_only_the_operators_own_sites_may_frame_his_pages(client: FlaskClient) -> None:
    for headers, ancestors in ((NORTH, f"frame-ancestors {FRAME}"), (SOUTH, "frame-ancestors 'none'")):
        page = page_for(client, headers=headers)
        for path in (page, f"{page}/record"):
            with client.get(path) as answer:
                assert ancestors in answer.headers["Content-Security-Policy"]
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert answer.headers["Cache-Control"] == "no-store"
                assert "X-Frame-Options" not in answer.headers
                assert "Set-Cookie" not in answer.headers


def test_a_page_is_the_same_for_a_dealer_who_is_signed_in(client: FlaskClient) -> None:
    page = page_for(client)
    plain = look(client, page)
    client.set_cookie("studio_session", "anything")
    assert look(client, page) == plain


# --- the table ------------------------------------------------------------------------------------------


def test_the_page_shows_the_table_as_the_public_sees_it(client: FlaskClient) -> None:
    html = look(client, page_for(client))
    assert html.count('<span class="back">') == 4
    assert '<span class="card' not in html
    assert html.count('<g class="bead') == 3
    assert ">2</text>" in html
    fields = {bet: html[html.index(f'id="field-{bet}"') :].split("</li>")[0] for bet in BETS}  # [KK-22]
    assert {bet for bet, said in fields.items() if 'class="missed"' in said} == {"pocket_kings"}
    assert "x2.02" in fields["shark"]


def test_the_page_shows_his_own_bets_and_nobody_elses(client: FlaskClient, floor: Floor) -> None:
    client.post("/api/v1/bettors/bob/deposits", headers=NORTH, json={"client_id": "e", "amount": 777_777})
    ann, bob = page_for(client), page_for(client, "bob")
    floor.open_bets()
    bet(client, shark=1_000, pocket_kings=250)
    html = look(client, ann)
    assert "€10.00" in html
    assert html.count("waiting") == 2
    assert "€9,987.50" in html
    assert "You have no bet in this round" in look(client, bob)
    floor.settle({"shark": 2_020}, SHARK_WINS)
    html = look(client, ann)
    assert "€20.20" in html
    assert "waiting" not in html


def test_the_stream_tells_the_page_anew_and_ends_with_the_ticket(client: FlaskClient, floor: Floor) -> None:
    page = page_for(client)
    with client.get(f"{page}/stream") as answer:
        assert answer.mimetype == "text/event-stream"
        told = answer.iter_encoded()
        heard = events(b"".join(next(told) for _ in range(3)))
        assert [name for name, _ in heard] == ["beat", "view"]
        assert 'id="live"' in heard[1][1]["html"]
        floor.open_bets()
        ((_, changed),) = events(next(told))
        assert "Place your bets" in changed["html"] or "ring" in changed["html"]


def test_a_page_without_a_stream_asks_for_what_is_new(client: FlaskClient, floor: Floor) -> None:
    page = page_for(client)
    told = client.get(f"{page}/live").get_json()
    assert 'id="live"' in told["html"]
    assert "html" not in client.get(f"{page}/live?after={told['seq']}").get_json()
    floor.open_bets()
    assert "html" in client.get(f"{page}/live?after={told['seq']}").get_json()


def test_bettors_have_streams_of_their_own_and_a_ticket_two_of_them(client: FlaskClient, app: Flask) -> None:
    lanes, opened = app.extensions["console"].lanes, []
    for bettor in ("ann", "bob"):
        page = page_for(client, bettor)
        for _ in range(STREAMS_MAX + 1):
            opened.append(client.get(f"{page}/stream"))
    assert [answer.status_code for answer in opened] == [200, 200, 503, 200, 503, 503]
    assert (lanes.bettors.seats.taken, lanes.public.seats.taken, lanes.staff.seats.taken) == (3, 0, 0)
    opened.pop(0).close()
    assert lanes.bettors.seats.taken == 2
    again = client.get(f"{page_for(client, 'ann')}/stream")
    assert again.status_code == 200
    for answer in (*opened, again):
        answer.close()
    assert lanes.bettors.seats.taken == 0


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_page_speaks_the_language_its_operator_asked_for(client: FlaskClient, tag: str) -> None:
    page = page_for(client, language=tag)
    assert f'<html lang="{tag}"' in look(client, page)
    assert '<html lang="en"' in look(client, f"{page}?language=en")


# --- the record -----------------------------------------------------------------------------------------


def test_the_record_tells_rounds_and_the_rakeback(client: FlaskClient, floor: Floor) -> None:
    page = page_for(client)
    assert "You have not bet on a round yet" in look(client, f"{page}/record")
    floor.open_bets()
    bet(client, shark=1_000, draw=299)
    sealer = Sealer(random.Random(3).randbytes)
    for place, card in enumerate((sealer.card(face) for face in HOLES["shark"]), 1):
        floor.tell("t1-r1", e.FactStood(fact=CardDealt(card=card, box="shark", place=place)))
    floor.tell("t1-r1", e.FactStood(fact=Revealed(box="shark", faces=HOLES["shark"], keys=())))
    ace = sealer.card(Card.parse("Ac"))
    floor.tell("t1-r1", e.FactStood(fact=CardDealt(card=ace, box="board", place=1, face=Card.parse("Ac"))))
    floor.settle({"shark": 2_020}, SHARK_WINS)
    html = look(client, f"{page}/record")
    assert "Shark wins" in html
    assert SHARK_WINS["winning_hand"]["name"] in html
    assert "+€7.21" in html
    assert html.count("€0.25") == 4  # [KK-19] in the line and in each span
    whole = look(client, f"{page}/record/t1-r1")
    assert "€20.20" in whole
    assert "€2.99" in whole
    assert whole.count('<span class="card') == 3


@pytest.mark.parametrize(
    ("returned", "drawn", "said"),
    [
        (2_020, "back-won", "You win €10.20"), (1_000, "back-posted", "Your stake comes back"),
        (500, "back-posted", "€5.00 comes back"), (0, "back-posted", "No win in this round"),
    ],
    ids=["more", "the stake", "half of it", "nothing"],
)  # fmt: skip
def test_what_comes_back_is_a_win_only_where_it_is_more_than_the_stake(
    client: FlaskClient, floor: Floor, returned: int, drawn: str, said: str
) -> None:
    page = page_for(client, plays=True)
    floor.open_bets()
    bet(client, shark=1_000)
    floor.settle({"shark": returned}, SHARK_WINS)
    (cell,) = re.findall(r'<td class="number (back-\w+)">', look(client, f"{page}/record/t1-r1"))
    assert cell == drawn
    assert said in look(client, page)


def test_a_round_he_did_not_bet_on_is_not_shown(client: FlaskClient, floor: Floor) -> None:
    page = page_for(client, "bob")
    floor.open_bets()
    bet(client, shark=1_000)
    assert "You placed no bet in this round" in look(client, f"{page}/record/t1-r1", 404)


def test_a_void_round_says_under_which_row_the_stakes_came_back(client: FlaskClient, floor: Floor) -> None:
    page = page_for(client)
    floor.open_bets()
    bet(client, shark=1_000)
    floor.void("KC1")
    assert "void under row KC1" in look(client, f"{page}/record/t1-r1")
    assert "Void" in look(client, f"{page}/record")


def test_older_rounds_are_a_page_further(client: FlaskClient, floor: Floor) -> None:
    page = page_for(client)
    for number in range(1, play.ROUNDS_A_PAGE + 3):
        floor.open_bets(f"t1-r{number}", number)
        bet(client, shark=100 + number)
        floor.settle({})
    html = look(client, f"{page}/record?language=en")
    older = html.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    assert html.count("/record/t1-r") == play.ROUNDS_A_PAGE
    rest = look(client, older)
    assert rest.count("/record/t1-r") == 2
    assert "Older rounds" not in rest


def test_the_limits_are_shown_to_a_bettor_in_his_own_currency(client: FlaskClient, floor: Floor) -> None:
    rates = RatesSection(date="2026-01-31", worth={"JPY": "0.0061"})
    floor.config = floor.config.model_copy(update={"rates": rates})
    floor.show(
        game={
            "limits": {bet: (100, 100_000) for bet in BETS},
            "currencies": {"JPY": {bet: (170, 160_000) for bet in BETS}},
        }
    )
    assert "€1.00 – €1,000.00" in look(client, page_for(client))
    deposit = {"client_id": "j", "amount": 5_000, "currency": "JPY"}
    told = client.post("/api/v1/bettors/jun/deposits", headers=NORTH, json=deposit)
    assert told.status_code == 200, told.get_json()
    page = look(client, page_for(client, "jun"))
    assert "¥170 – ¥160,000" in page
    assert "€1.00 – €1,000.00" not in page
