"""A night on a real file: what the machines and the journal know of sealed cards is nowhere in the file's bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer_ui.rehearsal.hand.script_act import DOWN, acts_of
from dealer_ui.rehearsal.night import Night, NightOptions
from studio.cards import DECK
from studio.games import HOUSE_GAMES
from studio.journal import Reader
from studio.ports import CardFace
from studio.rounds import CardBurned, Revealed
from studio.tables.event import table as e
from studio.tables.event.record import read_body

DEALT_DOWN = [game.key for game in HOUSE_GAMES if set(DOWN) & set(acts_of(game.key))]
FACES = "|".join(str(card) for card in DECK)
WRITTEN_FACE = re.compile(rf'"({FACES})"'.encode())
ENQ_CARD = re.compile(rb"\x05[\x30-\x3f][DdR].[\x80-\xff]\x03")
"""A card's frame as it stands on the shoe's line."""


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    yield from night_of("three_knights", tmp_path)


def night_of(game: str, folder: Path) -> Iterator[Night]:
    made = Night(NightOptions(game, seed=5, database=str(folder / "night.db")))
    yield made
    made.close()


def bytes_of(path: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(path.parent.glob(f"{path.name}*")):
        if not file.name.endswith(".keys"):
            yield file.name, file.read_bytes()


def test_while_the_first_cards_burn_no_face_at_all_is_in_the_file(night: Night, tmp_path: Path) -> None:
    path = tmp_path / "night.db"
    burned = 0
    for _ in range(20_000):
        night.step()
        now = 0 if night.state.round is None else len(night.state.round.deal.cards)
        if now == burned:
            continue
        burned = now
        if any(slot[0] != "burn" for slot in night.state.round.deal.cards):  # type: ignore[union-attr]
            break
        for name, data in bytes_of(path):
            assert WRITTEN_FACE.search(data) is None, name
            assert ENQ_CARD.search(data) is None, name
            for lying in night.rig.felt.view().cards:
                face = str(lying.card).encode()
                assert bytes((len(face),)) + face + bytes(8) not in data, name
    assert burned > 4, "the night never came to its first open card"
    assert any(WRITTEN_FACE.search(data) for _, data in bytes_of(path)), "an open card is in the file, and was found"


def test_after_rounds_no_row_that_names_a_burned_card_says_a_face(night: Night, tmp_path: Path) -> None:
    while night.state.rounds < 4:
        night.step()
    with Reader.open(tmp_path / "night.db") as reader:
        rows = list(reader.events())
    events = [read_body(row.body).event for row in rows]
    burned = {
        one.fact.card.id.encode() for one in events if isinstance(one, e.FactStood) and isinstance(one.fact, CardBurned)
    }
    assert len(burned) >= 12
    about = [row for row in rows if any(id in row.body for id in burned)]
    assert len(about) > len(burned)
    assert [row.seq for row in about if WRITTEN_FACE.search(row.body)] == []


@pytest.mark.parametrize("game", DEALT_DOWN)
def test_no_row_before_the_reveal_says_the_face_of_a_down_card(game: str, tmp_path: Path) -> None:
    for night in night_of(game, tmp_path):
        while night.state.rounds < 5:
            night.step()
    with Reader.open(tmp_path / "night.db") as reader:
        rows = list(reader.events())
    told = revealed = 0
    down: dict[str, set[bytes]] = {}
    for row in reversed(rows):
        event = read_body(row.body).event
        match event:
            case e.FactStood(fact=Revealed(box=box, faces=faces)):
                down[box] = {str(face).encode() for face in faces}
                revealed += len(faces)
            case e.RoundStarted():
                down.clear()
        faces_due = set().union(*down.values()) if down else set()
        if not isinstance(event, e.FactStood) and faces_due & set(WRITTEN_FACE.findall(row.body)):
            told += 1
    assert revealed > 4
    assert told == 0


@pytest.mark.parametrize("game", DEALT_DOWN)
def test_while_cards_lie_face_down_their_faces_are_not_in_the_file(game: str, tmp_path: Path) -> None:
    path, looked = tmp_path / "night.db", 0
    for night in night_of(game, tmp_path):
        for _ in range(20_000):
            night.step()
            view = night.view()
            if view.round.number > 1:
                break
            if view.now.act.key not in ("act.bets_open", "act.decide", "act.reveal"):
                continue
            lying = [one for one in night.rig.felt.view().cards if one.face is CardFace.DOWN]
            for name, data in bytes_of(path) if lying else ():
                looked += 1
                for one in lying:
                    face = str(one.card).encode()
                    assert f'"{one.card}"'.encode() not in data, name
                    assert bytes((len(face),)) + face + bytes(8) not in data, name
    assert looked > 4
