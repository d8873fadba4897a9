"""The cards of an export: each that was opened fits its commitment, and those of before commitments are counted."""

from __future__ import annotations

import base64
import json
import random

import pytest

from studio.cards import Card, SealedCard, Sealer
from studio.care.export_cards import OpenedCards, WrongCardError

ACE, KING = Card.parse("Ah"), Card.parse("Kd")


@pytest.fixture
def sealer() -> Sealer:
    return Sealer(random.Random(5).randbytes)


def row(**event: object) -> str:
    return json.dumps({"table": "t1", "event": event})


def seal(card: SealedCard, parts: int = 4) -> list[str]:
    id, *rest = card.written()
    return [id, *(part.hex() for part in rest)][:parts]


def key(card: SealedCard) -> str:
    return base64.b64encode(card.publish_key()).decode()


def drawn(card: SealedCard, parts: int = 4) -> str:
    return row(kind="ObservationRecorded", observation={"card": seal(card, parts)})


def dealt(card: SealedCard, face: Card | None = None, parts: int = 4) -> str:
    fact = {"card": seal(card, parts), "face": face and str(face), "key": key(card) if face else None}
    return row(kind="FactStood", fact=fact)


def revealed(card: SealedCard, face: Card) -> str:
    return row(kind="FactStood", fact={"keys": [key(card)], "faces": [str(face)]})


def read(*rows: str) -> OpenedCards:
    found = OpenedCards()
    for one in rows:
        found.take(one)
    return found


def test_cards_dealt_open_and_revealed_are_counted_as_checked(sealer: Sealer) -> None:
    up, down = sealer.card(ACE), sealer.card(KING)
    rows = drawn(up), drawn(down), dealt(up, ACE), dealt(down), revealed(down, KING)
    found = read(row(kind="RoundStarted"), *rows)
    assert (found.opened, found.uncommitted) == (2, 0)


def test_a_card_dealt_to_another_face_is_found(sealer: Sealer) -> None:
    with pytest.raises(WrongCardError, match="a face it was not committed to"):
        read(dealt(sealer.card(ACE), KING))


def test_a_reveal_of_another_face_is_found_where_the_round_is_whole(sealer: Sealer) -> None:
    down = sealer.card(ACE)
    with pytest.raises(WrongCardError, match="none dealt in its round"):
        read(row(kind="RoundStarted"), dealt(down), revealed(down, KING))
    assert read(dealt(down), revealed(down, KING)).opened == 0, "it began before the export"


def test_a_face_that_people_ruled_may_be_revealed(sealer: Sealer) -> None:
    down = sealer.card(ACE)
    ruled = row(kind="FactStood", fact={"face": str(KING)})
    assert read(row(kind="RoundStarted"), dealt(down), ruled, revealed(down, KING)).opened == 0


def test_cards_of_before_are_counted_and_may_not_come_after_committed_ones(sealer: Sealer) -> None:
    old, new = sealer.card(ACE), sealer.card(KING)
    found = read(drawn(old, 3), dealt(old, ACE, 3), drawn(new), dealt(new, KING))
    assert (found.opened, found.uncommitted) == (1, 1)
    with pytest.raises(WrongCardError, match="cards before it were"):
        read(drawn(new), drawn(old, 3))
