"""No face of a card that is sealed leaves the studio by any door, or lies in its file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from running_studio import TABLE, House
from sealed_search import HIDDEN, assert_nowhere, files, sign_up, spellings, told

from dealer_ui.process.log import quiet_logs
from studio.cards import DECK, Card, parse_cards
from studio.errors import InvariantError
from studio.ports import Observation, ShoeDrewCard
from studio.tables import command as c

EARLY = Card.parse("Qs")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as made:
        sign_up(made)
        made.open()
        yield made


def burn(house: House, cards: tuple[Card, ...] = HIDDEN) -> None:
    house.do(c.StartRound)
    for number, card in enumerate(cards, 1):
        house.deal("burn", number, card, up=False)


def test_the_search_finds_a_card_that_is_open(house: House) -> None:
    """Else the other tests would prove nothing."""
    burn(house)
    house.do(c.OpenBetting)
    house.do(c.CloseBetting)
    house.deal("player1", 1, EARLY, up=True)
    pages = dict(told(house))
    for where in (
        f"/api/v1/tables/{TABLE} for operator",
        f"/dealer/{TABLE} for dealer",
        "view",
        f"/stream/dealer/{TABLE} for dealer",
    ):
        assert spellings(EARLY).search(pages[where]), where
    assert any(b'"Qs"' in data for _, data in files(house))


def test_a_burned_card_is_nowhere_to_be_read(house: House, capfd: pytest.CaptureFixture[str]) -> None:
    burn(house)
    out, err = capfd.readouterr()
    assert_nowhere(house, HIDDEN, out + err)
    any_face = re.compile("|".join(f'"{card}"' for card in DECK))
    assert [where for where, text in told(house) if any_face.search(text)] == []


def test_a_card_that_came_before_it_was_due_is_nowhere_to_be_read(
    house: House, capfd: pytest.CaptureFixture[str]
) -> None:
    burn(house)
    house.do(c.OpenBetting)
    house.draw(EARLY)
    assert house.until(lambda view: view.now.held).incidents.open
    out, err = capfd.readouterr()
    assert_nowhere(house, (*HIDDEN, EARLY), out + err)


def test_two_rounds_that_differ_in_sealed_cards_alone_look_the_same(tmp_path: Path) -> None:
    seen = []
    for number, cards in enumerate((HIDDEN, parse_cards("2c 2d Kc Ad"))):
        (tmp_path / str(number)).mkdir()
        with House(tmp_path / str(number)) as house:
            house.open()
            burn(house, cards)
            state = house.get(f"/tables/{TABLE}").json
            kinds = ("ShoeDrewCard", "CardBurned", "CameraSawCard", "CardConfirmed")
            rows = [(row.kind, len(row.body)) for row in house.floor.reader().events(kinds=kinds)]
            seen.append(({**state, "now_ms": 0, "seq": 0}, rows))  # two words of machines stand in one unit or in two
    assert seen[0] == seen[1]


def test_an_error_of_our_own_over_a_sealed_card_is_told_without_its_face(
    house: House, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def breaks(draft: object, seen: Observation) -> None:
        if isinstance(seen, ShoeDrewCard):
            face, letters = seen.card.card(), str(seen.card.card())  # what a traceback could tell
            raise InvariantError(f"This always held for {seen.card} ({len(letters)} {face is None}).")

    quiet_logs()
    monkeypatch.setattr("studio.tables.decide.read_shoe", breaks)
    house.do(c.StartRound)
    house.draw("8s")
    house.until(lambda view: bool(view.now.frozen_by))
    out, err = capfd.readouterr()
    assert "our own error froze the table" in out + err
    assert "InvariantError: This always held" in out + err
    assert_nowhere(house, (Card.parse("8s"),), out + err)


def test_a_refused_body_or_bet_tells_nothing_of_a_sealed_card(house: House) -> None:
    burn(house)
    answer = house.post(f"/tables/{TABLE}/bets", {"bets": [{"client_id": "x", "bettor": "a", "bet": "z", "stake": 1}]})
    assert not any(spellings(card).search(json.dumps(answer.json)) for card in HIDDEN)
