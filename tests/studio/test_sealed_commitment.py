"""A sealed card is a promise: whoever sealed it can open it to one face only, also with every key in the house."""

from __future__ import annotations

import hashlib
import random
import struct
from contextlib import closing

import msgspec
import pytest
from blackjack_bench import BLACKJACK, Boxes
from table_bench import DEAL, Bench
from test_correction_audit import forged
from two_faces import two_faced

from studio.cards import DECK, Card, SealedCard, Sealer
from studio.errors import BadInputError, SealedError
from studio.journal.extract.walk import steps
from studio.ports import AnyObservation, ShoeDrewCard
from studio.proof.audit.card import check_key
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.rounds import CardDealt
from studio.tables.event import table as e
from studio.tables.event.record import read_body, write_body

ACE, KING = Card.parse("Ah"), Card.parse("Kd")
ID = "0123456789abcdef"


def sealer(seed: int = 1) -> Sealer:
    return Sealer(random.Random(seed).randbytes)


def journalled(card: SealedCard) -> SealedCard:
    """The card as a reader of the journal has it."""
    seen: AnyObservation = ShoeDrewCard(device="shoe", at_ms=1, card=card)
    event = read_body(write_body("t1", "r1", e.ObservationRecorded(observation=seen))).event
    assert isinstance(event, e.ObservationRecorded)
    assert isinstance(event.observation, ShoeDrewCard)
    return event.observation.card


def test_without_a_commitment_one_ciphertext_is_two_cards() -> None:
    nonce, ciphertext, (one, other) = two_faced(ID, ACE, KING)
    card = SealedCard(ID, nonce, ciphertext)
    assert not card.is_committed
    assert (card.with_key(one).card(), card.with_key(other).card()) == (ACE, KING)


def test_a_commitment_leaves_a_two_faced_card_one_face() -> None:
    nonce, ciphertext, (one, other) = two_faced(ID, ACE, KING)
    card = SealedCard(ID, nonce, ciphertext, commitment_as_told_outside(ID, nonce, one, ACE))
    assert journalled(card).with_key(one).card() is ACE
    with pytest.raises(SealedError, match="committed"):
        journalled(card).with_key(other).card()


def test_the_proof_took_either_face_and_takes_one() -> None:
    nonce, ciphertext, (one, other) = two_faced(ID, ACE, KING, seed=2)
    for key, face in ((one, ACE), (other, KING)):
        check_key(SealedCard(ID, nonce, ciphertext), key, face, 1)
    card = SealedCard(ID, nonce, ciphertext, commitment_as_told_outside(ID, nonce, one, ACE))
    check_key(card, one, ACE, 1)
    with pytest.raises(WrongError, match="does not open"):
        check_key(card, other, KING, 1)


def commitment_as_told_outside(id: str, nonce: bytes, key: bytes, face: Card) -> bytes:
    """Written from docs/checking.md, and from nothing of ours."""
    named = id.encode()
    parts = (b"studio-sealed 1\n", key, nonce, struct.pack("B", len(named)), named, str(face).encode())
    return hashlib.sha256(b"".join(parts)).digest()


@pytest.mark.parametrize("face", DECK[::7], ids=str)
def test_what_a_device_seals_is_committed_as_the_page_says(face: Card) -> None:
    card = sealer().card(face)
    assert card.is_committed
    assert card.commitment == commitment_as_told_outside(card.id, card.nonce, card.publish_key(), face)
    back = journalled(card)
    assert (back.written(), back.has_key) == (card.written(), False)
    assert back.with_key(card.publish_key()).card() is face


def test_raw_bytes_of_a_line_are_committed_too() -> None:
    [sealed] = sealer().raw(b"frame")
    assert sealed.is_committed
    assert sealed.open() == b"frame"


def test_a_commitment_tells_no_face() -> None:
    """It is another for the same face under each key, and all 52 guesses without the key find nothing."""
    source = sealer()
    cards = [source.card(ACE) for _ in range(40)]
    assert len({card.commitment for card in cards}) == 40
    card = cards[0]
    guesses = {commitment_as_told_outside(card.id, card.nonce, bytes(32), face) for face in DECK}
    assert card.commitment not in guesses
    assert card.commitment.hex() not in repr(card)


def test_rows_of_before_are_read_and_written_as_they_were() -> None:
    card = sealer().card(ACE)
    old = SealedCard(card.id, card.nonce, card.ciphertext)
    body = write_body("t1", "r1", e.CardSetAside(card=old, why="early"))
    assert f'["{card.id}","{card.nonce.hex()}","{card.ciphertext.hex()}"]'.encode() in body
    assert journalled(old).with_key(card.publish_key()).card() is ACE


@pytest.mark.parametrize("commitment", ["", "00", "zz" * 32, "00" * 33], ids=["empty", "short", "no hex", "long"])
def test_a_commitment_of_another_form_is_no_row(commitment: str) -> None:
    card = sealer().card(ACE)
    body = write_body("t1", "r1", e.CardSetAside(card=card, why="early"))
    with pytest.raises(BadInputError):
        read_body(body.replace(card.commitment.hex().encode(), commitment.encode()))


def uncommitted_until(table: Bench, draws: int) -> None:
    """The table's first cards are sealed as an older studio sealed them."""
    seal, left = table.sealer.card, [draws]

    def old(face: Card) -> SealedCard:
        card = seal(face)
        left[0] -= 1
        return SealedCard(card.id, card.nonce, card.ciphertext, key=card.publish_key()) if left[0] >= 0 else card

    class Older:
        card = staticmethod(old)
        raw = table.sealer.raw

    table.sealer = Older()  # type: ignore[assignment]


def played(table: Bench) -> Bench:
    table.open().deposit(50_000)
    table.start().betting(("player1_tie", 1000)).deal(*DEAL)
    table.finish()
    return table


def test_old_rows_are_counted_as_uncommitted() -> None:
    table = Bench()
    uncommitted_until(table, 5)
    with closing(played(table)):
        found = audit(steps(table.store.connection))
    assert (found.uncommitted, found.committed > 5) == (5, True)


def test_a_table_whose_cards_are_committed_takes_none_that_is_not() -> None:
    table = Bench()
    seal = table.sealer.card
    count = [0]

    def lapse(face: Card) -> SealedCard:
        card = seal(face)
        count[0] += 1
        return SealedCard(card.id, card.nonce, card.ciphertext, key=card.publish_key()) if count[0] == 4 else card

    class Lapsing:
        card = staticmethod(lapse)
        raw = table.sealer.raw

    table.sealer = Lapsing()  # type: ignore[assignment]
    with closing(played(table)), pytest.raises(WrongError, match="not committed"):
        audit(steps(table.store.connection))


def test_an_id_that_was_reported_names_no_other_card_afterwards() -> None:
    """Else who writes the journal could tell of another card under its name, and deal that one."""
    table = Bench()
    sealer = table.sealer
    ids: list[str] = []

    def named_again(face: Card) -> SealedCard:
        card = sealer.card(face)
        ids.append(card.id)
        key, id = card.publish_key(), ids[0] if len(ids) == 4 else card.id
        again = Sealer(lambda n: bytes.fromhex(id) + card.nonce + key).card(face)
        return again

    class Forging:
        card = staticmethod(named_again)
        raw = sealer.raw

    table.sealer = Forging()  # type: ignore[assignment]
    with closing(played(table)), pytest.raises(WrongError, match="as another one"):
        audit(steps(table.store.connection))


def test_a_card_that_was_drawn_once_is_dealt_once() -> None:
    """A shoe of eight decks holds each face eight times, so no count of faces finds it."""
    first: list[CardDealt] = []

    def twice(event: e.AnyEvent) -> e.AnyEvent:
        assert isinstance(event, e.FactStood)
        if not isinstance(fact := event.fact, CardDealt):
            return event
        first.append(fact)
        return e.FactStood(fact=msgspec.structs.replace(first[0], box=fact.box, place=fact.place))

    table = Boxes(BLACKJACK)
    table.deposit()
    table.open()
    table.tamper = forged(e.FactStood, twice)
    table.bet_on({"3:main": 1_000, "5:main": 1_000}).no_more_bets().cards("8h 9c")
    with closing(table), pytest.raises(WrongError, match="dealt twice"):
        audit(steps(table.store.connection))
