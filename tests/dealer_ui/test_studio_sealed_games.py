"""Every game a table can deal, played with known cards: no sealed face leaves the studio before its reveal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from running_studio import TABLE, House
from sample import sampled
from sealed_search import HIDDEN, assert_nowhere, sign_up, spellings, told

from dealer_ui.rehearsal.hand.script_act import BURN, DOWN, acts_of
from studio.cards import DECK, Card
from studio.games import HOUSE_GAMES, find_game
from studio.tables import command as c
from studio.views import TableView

KEYS = [game.key for game in HOUSE_GAMES]
SEALS = [game for game in KEYS if set((*BURN, *DOWN)) & set(acts_of(game))]
QUICK = {"ultimate_holdem"}
"""Cards face down in the dealer's hand; in both hands and the burn. The other games are searched in the long tests."""
OPEN = [card for card in DECK if card.suit in "dc"]
EARLY = Card.parse("Qs")


class Played:
    """A round dealt act by act, as the console asks for it. `sealed` are the cards out that nobody may know."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.token = ""
        self.sealed: list[Card] = []
        self._hidden, self._open = iter(HIDDEN), iter(OPEN)
        self._down: dict[tuple[str, int], Card] = {}

    def begin(self, game: str) -> None:
        sign_up(self.house)
        self.house.open()
        assert self.house.post("/bettors/ann/deposits", {"client_id": "d1", "amount": 100_000}).status_code == 200
        page = self.house.post("/bettors/ann/pages", {"table": TABLE}).json["page"]
        self.token = page.removeprefix("/play/")
        self.house.do(c.StartRound)

    def moments(self, game: str) -> Iterator[str]:
        """Deal on until the result; stops where everything sealed so far must be nowhere."""
        while (view := self._next()).now.act.key != "act.declare_result":
            key = view.now.act.key
            if key in (*BURN, *DOWN):
                self._deal_down(view)
                yield "a down card lies"
            elif key == "act.deal":
                self.house.deal(*due(view), next(self._open), up=True)
            elif key in ("act.open_bets", "act.open_decisions"):
                self.house.do(c.OpenBetting)
                self._bet(game)
                yield "a window is open"
                self.house.do(c.CloseBetting)
            elif key == "act.reveal":
                yield from self._reveal(str(view.now.act.values["box"]).removeprefix("box."))
            else:
                raise AssertionError(f"nobody here knows how to {key}")
        yield "the deal is finished"

    def _next(self) -> TableView:
        return self.house.until(lambda view: view.now.act.key not in ("act.wait_camera", "act.bets_open", "act.decide"))

    def _deal_down(self, view: TableView) -> None:
        slot, card = due(view), next(self._hidden)
        self.house.deal(*slot, card, up=False)
        self.sealed.append(card)
        if slot[0] != "burn":
            self._down[slot] = card

    def _bet(self, game: str) -> None:
        bet = {"client_id": "k1", "bettor": "ann", "bet": find_game(game).betting.bets[0], "stake": 200}
        self.house.post(f"/tables/{TABLE}/bets", {"bets": [bet]})
        choices = self.house.view.bets.deciding
        if choices:
            choice = {"client_id": "k2", "bettor": "ann", "option": choices[0]}
            self.house.post(f"/tables/{TABLE}/decisions", {"decisions": [choice]})

    def _reveal(self, box: str) -> Iterator[str]:
        """One card after another is turned: before the last of a hand lies open, none of it is told."""
        hand = [(slot, card) for slot, card in self._down.items() if slot[0] == box]
        for slot, card in hand[:-1]:
            self.house.lay(*slot, card)
            self.house.until(lambda view, slot=slot: camera_word(view, slot) == "up")  # type: ignore[misc]
            yield "a hand is half turned"
        slot, card = hand[-1]
        self.house.lay(*slot, card)
        self.house.until(lambda view: any(place.face == str(card) for one in view.boxes for place in one.places))
        self.sealed = [one for one in self.sealed if one not in [card for _, card in hand]]


def due(view: TableView) -> tuple[str, int]:
    return next((box.key, place.place) for box in view.boxes for place in box.places if place.state == "awaited")


def camera_word(view: TableView, slot: tuple[str, int]) -> str | None:
    return next(one.camera for box in view.boxes for one in box.places if (box.key, one.place) == slot)


@pytest.mark.parametrize("game", sampled(SEALS, *QUICK))
def test_no_sealed_card_is_anywhere_before_its_reveal(
    game: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with House(tmp_path, game=game) as house:
        round = Played(house)
        round.begin(game)
        seen = set()
        for moment in round.moments(game):
            if moment == "a down card lies" and len(round.sealed) not in (1, 3):
                continue  # one search after the first, one after most of them
            if (moment, len(round.sealed)) in seen:
                continue  # nothing more is sealed since
            seen.add((moment, len(round.sealed)))
            out, err = capfd.readouterr()
            assert_nowhere(house, round.sealed, out + err, token=round.token)
        assert {"a down card lies", "a window is open", "the deal is finished"} <= {moment for moment, _ in seen}


@pytest.mark.parametrize("game", sampled((game for game in SEALS if set(DOWN) & set(acts_of(game))), *QUICK))
def test_the_search_finds_the_cards_once_they_are_revealed(game: str, tmp_path: Path) -> None:
    """Else the other tests would prove nothing."""
    with House(tmp_path, game=game) as house:
        round = Played(house)
        round.begin(game)
        list(round.moments(game))
        pages = dict(told(house, token=round.token))
        page = f"/play/{round.token} for nobody"
        for where in (f"/api/v1/tables/{TABLE} for operator", f"/dealer/{TABLE} for dealer", "view", page):
            assert spellings(HIDDEN[0]).search(pages[where]), where


@pytest.mark.parametrize("game", sampled(KEYS, "kkclash", "dragon_tiger", "andar_bahar"))
def test_a_card_that_came_before_it_was_due_is_nowhere(
    game: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with House(tmp_path, game=game) as house:
        round = Played(house)
        round.begin(game)
        next(moment for moment in round.moments(game) if moment == "a window is open")
        house.draw(EARLY)
        assert house.until(lambda view: view.now.held).incidents.open
        out, err = capfd.readouterr()
        assert_nowhere(house, (*round.sealed, EARLY), out + err, token=round.token)
