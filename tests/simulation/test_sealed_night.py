"""A night on a real file: what the machines and the journal know of sealed cards is nowhere in the file's bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer_ui.rehearsal.night import Night, NightOptions
from studio.cards import DECK
from studio.journal import Reader
from studio.rounds import CardBurned
from studio.tables import event as e
from studio.tables.record import read_body

FACES = "|".join(str(card) for card in DECK)
WRITTEN_FACE = re.compile(rf'"({FACES})"'.encode())
ENQ_CARD = re.compile(rb"\x05[\x30-\x3f][DdR].[\x80-\xff]\x03")
"""A card's frame as it stands on the shoe's line."""


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = Night(NightOptions("three_knights", seed=5, database=str(tmp_path / "night.db")))
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
        now = 0 if night.state.round is None else len(night.state.round.cards)
        if now == burned:
            continue
        burned = now
        if any(slot[0] != "burn" for slot in night.state.round.cards):  # type: ignore[union-attr]
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
