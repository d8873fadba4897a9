"""No face of a card that is sealed leaves the studio by any door, or lies in its file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_studio import API_KEY, TABLE, House

from dealer_ui.log import quiet_logs
from studio.cards import DECK, Card, parse_cards
from studio.errors import InvariantError
from studio.ports import Observation, ShoeDrewCard
from studio.tables import command as c

HIDDEN = parse_cards("8s 9h Kh 7s")
"""Hearts and spades: their letters are no hexadecimal digits, so no digest reads like one of them by chance."""

EARLY = Card.parse("Qs")
PAGES = (
    "/", "/sign-in", f"/dealer/{TABLE}", "/pit", f"/pit/{TABLE}", f"/display/{TABLE}", "/technician",
    f"/stream/dealer/{TABLE}", f"/stream/display/{TABLE}", "/metrics",
)  # fmt: skip
API = ("/tables", f"/tables/{TABLE}", f"/tables/{TABLE}/results", f"/tables/{TABLE}/stream")


def spellings(card: Card) -> re.Pattern[str]:
    """Any way this house writes a card, not as part of a longer word or number."""
    suit = {"s": "spades", "h": "hearts"}[card.suit]
    rank = {"K": "(?:K|king)", "Q": "(?:Q|queen)"}.get(card.rank, card.rank)
    return re.compile(rf"(?<![\w.#-]){rank}(?:{card.suit}|\ufe0e?[♠♥♤♡]| of {suit}|[-_ ]{suit})(?!\w)", re.IGNORECASE)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as made:
        made.staff()
        made.open()
        yield made


def burn(house: House, cards: tuple[Card, ...] = HIDDEN) -> None:
    house.do(c.StartRound)
    for number, card in enumerate(cards, 1):
        house.deal("burn", number, card, up=False)


def told(house: House) -> Iterator[tuple[str, str]]:
    """Everything a person, an operator or a monitoring system can get out of the studio, by where it came from."""
    for path in API:
        answer = house.api.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {API_KEY}"})
        yield path, first_of(answer)
    for badge, pin in (("1001", "1111"), ("2001", "2222")):
        client = house.api
        assert client.post("/sign-in", data={"badge": badge, "pin": pin}).status_code == 303
        for path in (*PAGES, f"/pit/{TABLE}/round/{house.view.round}"):
            answer = client.get(path, follow_redirects=True)
            yield f"{path} for {badge}", without_choices(first_of(answer))
    runtime = house.studio.workers[0].runtime
    yield "state", repr(runtime.state)
    yield "view", repr(house.view)
    yield "book", repr(runtime.book)
    yield "studio", repr(house.studio.floor) + repr(house.studio.workers)
    for row in house.floor.reader().events():
        yield f"journal {row.seq}", row.body.decode()


def first_of(answer: Any) -> str:
    """A page whole; of a stream its first words."""
    if not answer.is_streamed or answer.mimetype != "text/event-stream":
        return str(answer.get_data(as_text=True))
    words = iter(answer.response)
    said = b"".join(next(words) for _ in range(3))
    answer.close()
    return said.decode()


def without_choices(page: str) -> str:
    """A form in which any of the 52 cards can be chosen says nothing of the felt."""
    return re.sub(r"<option[^>]*>[^<]*</option>", "", page)


def files(house: House) -> Iterator[tuple[str, bytes]]:
    """The bytes of the database and of everything beside it, the keys and the pictures excepted."""
    for file in sorted(house.database.parent.glob("studio.db*")):
        if not file.name.endswith((".keys", ".pepper")):
            yield file.name, file.read_bytes()


def assert_nowhere(house: House, cards: tuple[Card, ...], words: str = "") -> None:
    places = [("said", words), *told(house)]
    assert len(places) > 40
    for card in cards:
        for where, text in places:
            found = spellings(card).search(text)
            assert found is None, f"{card} in {where}: …{text[max(0, found.start() - 60) : found.end() + 20]}…"
    for name, data in files(house):
        for card in cards:
            face = str(card).encode()
            assert re.search(rb"[\s\"'(\[,:]" + face + rb"[\s\"')\],.:]", data) is None, f"{card} in {name}"
            assert bytes((len(face),)) + face + bytes(8) not in data


def test_the_search_finds_a_card_that_is_open(house: House) -> None:
    """Else the other tests would prove nothing."""
    burn(house)
    house.do(c.OpenBetting)
    house.do(c.CloseBetting)
    house.deal("player1", 1, EARLY, up=True)
    pages = dict(told(house))
    for where in (f"/tables/{TABLE}", f"/dealer/{TABLE} for 1001", "view", f"/stream/dealer/{TABLE} for 1001"):
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
    assert house.until(lambda view: view.held).incidents
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
            seen.append(({**state, "now_ms": 0}, rows))
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
    house.until(lambda view: bool(view.frozen_by))
    out, err = capfd.readouterr()
    assert "our own error froze the table" in out + err
    assert "InvariantError: This always held" in out + err
    assert_nowhere(house, (Card.parse("8s"),), out + err)


def test_a_refused_body_or_bet_tells_nothing_of_a_sealed_card(house: House) -> None:
    burn(house)
    answer = house.post(f"/tables/{TABLE}/bets", {"bets": [{"client_id": "x", "bettor": "a", "bet": "z", "stake": 1}]})
    assert not any(spellings(card).search(json.dumps(answer.json)) for card in HIDDEN)
