"""A hand of the poker room, played with known cards: no hole card leaves the studio but to its own seat.

Who looks on here (a bettor without a seat, every role, the operator's own list of the table) sees no face before it is
shown, and never the hand that is mucked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from running_studio import TABLE, House
from sealed_search import HIDDEN, assert_nowhere, sign_up, spellings, told
from test_studio_sealed_games import OPEN, due

from studio.cards import Card, parse_cards
from studio.tables import command as c

SEATS = {"seat1": "bob", "seat2": "cy"}
BURNED = parse_cards("Qh Jh Ah")


class Hand:
    """Bob and Cy heads-up; Cy is dealt the first card. Ann has a page, and no seat."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.hole = {"seat2": [HIDDEN[0], HIDDEN[2]], "seat1": [HIDDEN[1], HIDDEN[3]]}
        self._down = iter([*HIDDEN, *BURNED])
        self._open = iter(OPEN)
        self.out: list[Card] = []
        self._asked = 0
        sign_up(house)
        house.open()
        for bettor in ("ann", *SEATS.values()):
            deposit = {"client_id": f"d-{bettor}", "amount": 50_000}
            assert house.post(f"/bettors/{bettor}/deposits", deposit).status_code == 200
        self.token = house.post("/bettors/ann/pages", {"table": TABLE}).json["page"].removeprefix("/play/")
        for seat, bettor in SEATS.items():
            sit = {"client_id": f"s-{bettor}", "bettor": bettor, "act": "sit", "seat": seat, "amount": 10_000}
            assert house.post(f"/tables/{TABLE}/seats", sit).json["status"] == "accepted"
        house.do(c.StartRound)

    def go_on(self) -> None:
        """Deal until a seat has to choose, or a hand is to be turned."""
        while (view := self._next()).now.act.key in ("act.deal_down", "act.burn", "act.deal"):
            up = view.now.act.key == "act.deal"
            card = next(self._open if up else self._down)
            self.house.deal(*due(view), card, up=up)
            if not up:
                self.out.append(card)

    def _next(self) -> Any:
        return self.house.until(
            lambda view: view.now.act.key not in ("act.wait_camera", "act.turn") or bool(view.bets.turn)
        )

    def choose(self, option: str, to: str = "0") -> None:
        self._asked += 1
        seat = self.house.view.bets.turn
        choice = {"client_id": f"c{self._asked}", "bettor": SEATS[seat], "box": seat, "option": option, "to": int(to)}
        answer = self.house.post(f"/tables/{TABLE}/decisions", {"decisions": [choice]}).json["answers"][0]
        assert answer["status"] == "accepted", answer
        self.go_on()

    def check_down(self) -> None:
        for option in ("call", *["check"] * 7):
            self.choose(option)

    def turn(self, seat: str) -> None:
        for place, card in enumerate(self.hole[seat], 1):
            self.house.lay(seat, place, card)
        self.house.until(lambda view: any(box.places[0].face for box in view.boxes if box.key == seat))
        self.out = [card for card in self.out if card not in self.hole[seat]]
        self.go_on()


def test_no_hole_card_is_anywhere_before_its_seat_shows_and_a_mucked_hand_never(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with House(tmp_path, game="nlh") as house:
        hand = Hand(house)
        hand.go_on()
        assert len(hand.out) == 4
        _search(hand, capfd)
        hand.check_down()
        assert len(hand.out) == 7
        first = str(house.view.now.act.values["box"]).removeprefix("box.")
        hand.turn(first)
        hand.choose("muck")
        house.do(c.DeclareResult)
        house.until(lambda view: view.round.stage == "settled")
        assert len(hand.out) == 5
        _search(hand, capfd)
        pages = dict(told(house, token=hand.token))
        for where in (f"/dealer/{TABLE} for dealer", f"/display/{TABLE} for nobody", "view"):
            assert spellings(hand.hole[first][0]).search(pages[where]), where


def _search(hand: Hand, capfd: pytest.CaptureFixture[str]) -> None:
    out, err = capfd.readouterr()
    assert_nowhere(hand.house, hand.out, out + err, token=hand.token)


def test_pages_of_pay_tables_speak_of_blinds_and_a_round_of_what_was_bet(tmp_path: Path) -> None:
    with House(tmp_path, game="nlh") as house:
        hand = Hand(house)
        hand.go_on()
        for option in ("raise 300", "call", "bet 600", "fold"):
            hand.choose(*option.split())
        house.do(c.DeclareResult)
        house.until(lambda view: view.round.stage == "settled")
        pit, auditor = _signed_in(house, "2001", "730162"), _signed_in(house, "3001", "590427")
        game, returns = _page(pit, f"/pit/{TABLE}/game"), _page(auditor, "/reports/returns")
        assert "€0.50 / €1.00" in game
        assert "least." not in game
        assert "Seat 1" not in returns
        assert "Seat 1: Raise, €3.00 in front." in _page(auditor, f"/pit/{TABLE}/round/{house.view.round.id}")


def _signed_in(house: House, badge: str, pin: str) -> FlaskClient:
    client = house.api
    assert client.post("/sign-in", data={"badge": badge, "pin": pin}).status_code == 303
    return client


def _page(client: FlaskClient, path: str) -> str:
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 200, (path, answer.status_code)
    return str(answer.get_data(as_text=True))


def test_every_page_of_a_poker_table_answers_whoever_may_look(tmp_path: Path) -> None:
    """Pages that speak of pay tables, returns and limits have none here, and say so without falling over."""
    with House(tmp_path, game="nlh") as house:
        hand = Hand(house)
        hand.go_on()
        for badge, pin, paths in (
            (
                "2001",
                "730162",
                ("/pit", f"/pit/{TABLE}", f"/pit/{TABLE}/game", f"/dealer/{TABLE}", "/procedure", "/decks"),
            ),
            ("1001", "4826", (f"/dealer/{TABLE}", f"/dealer/{TABLE}/relief")),
            ("3001", "590427", ("/audit", "/reports", "/reports/returns", f"/pit/{TABLE}/round/{house.view.round.id}")),
            ("4001", "604718", ("/technician", "/devices")),
            ("9001", "915374", ("/staff", "/staff/d1", "/decks", "/procedure/exposed_card?table=t1")),
        ):
            client = _signed_in(house, badge, pin)
            for path in (*paths, f"/display/{TABLE}", f"/play/{hand.token}"):
                page = _page(client, path)
                assert ("plate-1" in page) <= ("css/oval.css" in page), path
