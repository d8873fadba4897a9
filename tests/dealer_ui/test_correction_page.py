"""A settled round is corrected in a running studio: on pages of the pit, by two people, and told to the operator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from running_studio import TABLE, House

from dealer_ui.pages.pit.correction_route import spoken
from dealer_ui.words.language import Languages
from studio.cards import Card
from studio.errors import RefusedError
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.proof.audit.database import verify
from studio.tables import command as c
from studio.tables.event.situation import CardReads, HandsRead, Stands


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A round in which Ann's bet on Player 1 tied."""
    folder: Path = tmp_path_factory.mktemp("studio")
    with House(folder) as made:
        made.betting()
        made.floor.staff.add(NewStaff("p2", "2002", "Pavel", ("pit_boss",), Pin("730163")))
        made.bet("one", stake=1_000)
        made.do(c.CloseBetting)
        made.deal_all()
        made.finish()
        yield made


class Person:
    """Somebody at a station, posting forms as a browser does."""

    def __init__(self, house: House, badge: str, pin: str) -> None:
        self.client: FlaskClient = house.studio.app.test_client()
        assert self.client.post("/sign-in", data={"badge": badge, "pin": pin}).status_code == 303

    def page(self, path: str) -> tuple[int, str]:
        answer = self.client.get(path, headers={"Accept": "text/html"})
        return answer.status_code, answer.get_data(as_text=True)

    def post(self, path: str, form: str, **fields: str) -> Any:
        """Send a form of that page, its hidden fields as they stand there."""
        text = self.page(form)[1]
        csrf = re.search(r'name="csrf" value="([^"]+)"', text)
        assert csrf is not None
        return self.client.post(path, data={"csrf": csrf[1], **fields}, headers={"Accept": "text/html"})


def card_of(house: House, page: str, place: str) -> str:
    cards = re.findall(r"<h3>([^<]+)</h3>.*?name=\"(card\.[^\"]+)\"", page, re.S)
    return next(name for title, name in cards if title == place)


def test_two_people_correct_a_round_on_their_pages(house: House) -> None:
    round = house.view.round.id
    correct = f"/pit/{TABLE}/round/{round}/correct"
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    assert f'href="{correct}"' in petra.page(f"/pit/{TABLE}/round/{round}")[1]
    name = card_of(house, petra.page(correct)[1], "Player 1, card 3")
    before = house.get("/bettors/ann/balance").json["balance"]

    twice = petra.post(correct, correct, **{name: "Ts"})
    assert twice.status_code == 200
    shown = twice.get_data(as_text=True)
    assert "Bettors who change: 1 · €10.00 back, €0.00 out" in shown
    assert house.get("/bettors/ann/balance").json["balance"] == before

    hidden = dict(re.findall(r'name="(digest|id)" value="([^"]+)"', shown))
    asked = {name: "Ts", **hidden, "ask": "1", "reason_code": "dealer_error", "words": "It was the ten."}
    assert petra.post(correct, correct, **asked).status_code == 409  # without the PIN
    assert petra.post(correct, correct, **asked, pin="730162").status_code == 303
    assert "correction" in pavel.page("/pit")[1]
    waiting = f"/pit/{TABLE}/correction"
    assert "It was the ten." in pavel.page(waiting)[1]
    assert house.view.aftermath.correction is not None
    told = {"correction": house.view.aftermath.correction.id, "answer": "approve"}
    assert petra.post(waiting, waiting, **told, pin="730162").status_code == 409  # his own
    assert pavel.post(waiting, waiting, **told).status_code == 409  # without the PIN
    assert pavel.post(waiting, waiting, **told, pin="730163").status_code == 303
    house.until(lambda view: view.aftermath.correction is None)

    assert house.get("/bettors/ann/balance").json["balance"] == before - 1_000
    assert house.get("/bets/one").json["returns"] == 0
    [line] = house.get("/bettors/ann/record").json["rounds"]
    assert (line["corrected"], line["status"], line["returns"]) == (1, "settled", 0)
    assert line["first_result"]["player1"]["result"] == "tie"
    [result] = house.get(f"/tables/{TABLE}/results").json["results"]
    assert result["corrected"]
    assert result["before"]["player1"]["result"] == "tie"
    assert result["outcome"]["player1"]["result"] == "lose"
    assert "10♠" in petra.page(f"/pit/{TABLE}/round/{round}")[1] or "Ts" in petra.page(f"/pit/{TABLE}/round/{round}")[1]
    assert verify(house.database).ok


def corrected(house: House, place: str, face: str) -> None:
    """The whole way over the pages, both people."""
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    correct, waiting = f"/pit/{TABLE}/round/{house.view.round.id}/correct", f"/pit/{TABLE}/correction"
    fields = {card_of(house, petra.page(correct)[1], place): face, "reason_code": "other", "words": "Once more."}
    assert petra.post(correct, correct, **fields, ask="1", pin="730162").status_code == 303
    asked = house.view.aftermath.correction
    assert asked is not None
    assert pavel.post(waiting, waiting, correction=asked.id, answer="approve", pin="730163").status_code == 303
    house.until(lambda view: view.aftermath.correction is None)


def test_what_a_bettor_owes_is_told_and_paid_by_his_next_deposit(house: House) -> None:
    corrected(house, "Player 1, card 3", "6d")
    balance = house.get("/bettors/ann/balance").json["balance"]
    assert house.post("/bettors/ann/withdrawals", {"client_id": "w1", "amount": balance}).status_code == 200
    corrected(house, "Player 1, card 3", "Ts")
    assert house.get("/bettors/ann/balance").json == {"bettor": "ann", "balance": 0, "currency": "EUR", "owed": 1_000}
    told = house.post("/bettors/ann/deposits", {"client_id": "d2", "amount": 1_500}).json
    assert (told["status"], told["balance"], told["owed"]) == ("accepted", 500, 0)
    again = house.post("/bettors/ann/deposits", {"client_id": "d2", "amount": 1_500}).json
    assert (again["status"], again["balance"]) == ("duplicate", 500)
    assert verify(house.database).ok


def test_a_correction_that_cannot_be_is_told_on_the_page(house: House) -> None:
    round = house.view.round.id
    correct = f"/pit/{TABLE}/round/{round}/correct"
    petra = Person(house, "2001", "730162")
    name = card_of(house, petra.page(correct)[1], "Player 2, card 1")
    answer = petra.post(correct, correct, **{name: "9d"})
    assert answer.status_code == 409
    assert "Void the round" in answer.get_data(as_text=True)
    assert petra.post(correct, correct, **{name: "no card"}).status_code == 409
    assert petra.post(correct, correct, move="x", to="player1.99").status_code == 409


def test_with_two_pit_bosses_on_the_floor_the_dealer_does_not_ask(house: House) -> None:
    correct = f"/pit/{TABLE}/round/{house.view.round.id}/correct"
    dana = Person(house, "1001", "4826")
    petra = Person(house, "2001", "730162")
    Person(house, "2002", "730163")
    fields = {"void": "1", "ask": "1", "reason_code": "other", "words": "All of it."}
    answer = dana.post(correct, correct, **fields, pin="4826")
    assert answer.status_code == 409
    assert "more than one pit boss" in answer.get_data(as_text=True)
    assert dana.page(f"/pit/{TABLE}/correction")[0] == 200
    assert petra.page(f"/pit/{TABLE}/round/none/correct")[0] == 404


def test_a_change_is_said_in_the_readers_words() -> None:
    english, japanese = Languages().speak("en"), Languages().speak("ja")
    was, shall = (CardReads(("banker", 3), Card.parse("9d")),), (CardReads(("banker", 3), Card.parse("2d")),)
    assert spoken(english, ((Stands(void=False),), (Stands(void=True),))) == ("Settled", "Void")
    assert spoken(english, (was, shall)) == ("Banker, card 3 9♦", "Banker, card 3 2♦")
    exchanged = ((HandsRead("player1", "player3", exchanged=now),) for now in (False, True))
    assert spoken(english, (next(exchanged), next(exchanged)))[1].endswith("exchanged")
    assert "2♦" in spoken(japanese, (was, shall))[1]


def test_a_round_of_a_closed_year_says_where_it_is(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: object) -> None:
        raise RefusedError("closed_year", "This round belongs to a year that is closed: look it up in the archive.")

    monkeypatch.setattr("dealer_ui.pages.audit.route.need_open_year", closed)
    monkeypatch.setattr("dealer_ui.pages.pit.correction_route.read_dossier", closed)
    petra = Person(house, "2001", "730162")
    for path in ("round/t1-0000000", "round/t1-0000000/correct"):
        status, text = petra.page(f"/pit/{TABLE}/{path}")
        assert (status, "look it up in the archive" in text) == (404, True)


def test_the_pits_page_of_a_table_has_the_way_to_override_a_result(house: House) -> None:
    text = Person(house, "2001", "730162").page(f"/pit/{TABLE}")[1]
    assert "Override a result, reopen a round" in text
    assert f'href="/pit/{TABLE}/round/{house.view.round.id}/correct"' in text
