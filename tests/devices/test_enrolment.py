"""A deck is shown once; from then on no other design is believed, and its own is read where it was not before."""

from __future__ import annotations

import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from devices.camera.face.deck import BACK, NAMES, DeckLooks, load_deck
from devices.camera.face.enrolment import Enrolment
from devices.camera.face.half_reader import sureness
from devices.camera.face.reader import SETTLED, VERY_SOFT_PX, CardReader, fuse, judge
from devices.camera.picture.quadrilateral import CARD_PX, Pixels, halves_of
from devices.camera.picture.softness import softness_px
from devices.sim.picture.deck_art import HOUSE_POKER, Design, draw_face, random_design
from devices.sim.picture.deck_back import draw_back
from studio.cards import DECK, Card
from studio.errors import BadInputError, RefusedError
from studio.ports import CardFace

HEIGHT_PX = 118.0


def seen(art: Pixels, seed: int) -> Pixels:
    """Card art as the rectifier gives it, a little displaced, lit from one side, with a sensor's noise."""
    chance = np.random.default_rng(seed)
    cover = art[:, :, 3:] / 255.0
    flat = (art[:, :, :3] * cover + np.array([60, 110, 40]) * (1 - cover)).astype(np.float32)
    flat *= np.linspace(1 - chance.uniform(0, 0.3), 1.0, flat.shape[1], dtype=np.float32)[None, :, None]
    noisy = np.clip(flat + chance.normal(0, 5, flat.shape), 0, 255).astype(np.uint8)
    shift = np.array([[1, 0, chance.uniform(-1.5, 1.5)], [0, 1, chance.uniform(-1.5, 1.5)]])
    moved = cv2.warpAffine(noisy, shift, (flat.shape[1], flat.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(moved, CARD_PX, interpolation=cv2.INTER_AREA), np.uint8)


def face(design: Design, card: Card, seed: int) -> Pixels:
    return seen(draw_face(design, card, 2.0), seed)


def shown_deck(reader: CardReader, design: Design, back: int) -> DeckLooks:
    enrolment = Enrolment(reader, "house")
    for number, card in enumerate(DECK):
        enrolment.show(face(design, card, number), str(card))
    enrolment.show(seen(draw_back(back, 2.0), 99), BACK)
    return enrolment.finish()


@pytest.fixture(scope="module")
def plain() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def deck(plain: CardReader) -> DeckLooks:
    return shown_deck(plain, HOUSE_POKER, 15)


@pytest.fixture(scope="module")
def held(deck: DeckLooks) -> CardReader:
    return CardReader(deck)


def test_every_card_of_an_enrolled_deck_is_read_and_none_wrongly(held):
    cards = list(DECK)
    said = [
        judge(one, HEIGHT_PX) for one in held.scores([face(HOUSE_POKER, card, 500 + i) for i, card in enumerate(cards)])
    ]
    assert not [1 for card, one in zip(cards, said, strict=True) if one.card not in (card, None)]
    assert sum(one.card is not None for one in said) >= 51


def test_a_card_of_another_design_is_refused_as_foreign(held):
    foreign = random_design(random.Random(41))
    said = [judge(one, HEIGHT_PX) for one in held.scores([face(foreign, card, 700) for card in DECK[::4]])]
    assert not [one for one in said if one.card is not None]
    assert all(one.foreign for one in said)


def test_a_deck_in_the_same_colours_and_nearly_the_same_print_is_foreign(held):
    alike = replace(HOUSE_POKER, pip_mm=11.0, suit_mm=10.5, inset_mm=(4.4, 5.4), rank_wide=0.7)
    said = [judge(one, HEIGHT_PX) for one in held.scores([face(alike, card, 700) for card in DECK[::2]])]
    assert sum(one.foreign for one in said) >= 0.8 * len(said)


def test_an_own_card_falsely_exposed_is_none_of_another_deck(held):
    pictures = [face(HOUSE_POKER, card, 800 + i) for i, card in enumerate(DECK[::2])]
    tinted = [np.clip(one * np.array([0.55, 0.75, 1.05]) + 8, 0, 255).astype(np.uint8) for one in pictures]
    said = [judge(one, HEIGHT_PX) for one in held.scores(tinted)]
    assert not [one for one in said if one.foreign]
    assert all(one.card in (card, None) for card, one in zip(DECK[::2], said, strict=True))
    assert sum(one.card is not None for one in said) >= 0.9 * len(said)


def test_the_enrolled_back_is_named_face_down_and_a_foreign_back_is_not(held):
    own = [judge(one, HEIGHT_PX) for one in held.scores([seen(draw_back(15, 2.0), i) for i in range(12)])]
    other = [judge(one, HEIGHT_PX) for one in held.scores([seen(draw_back(36 + i, 2.0), i) for i in range(12)])]
    assert {one.face for one in own} == {CardFace.DOWN}
    assert CardFace.UP not in {one.face for one in other}
    assert CardFace.DOWN not in {one.face for one in other}


def test_looks_with_votes_are_fused_like_any_other(held):
    looks = [held.scores([face(HOUSE_POKER, DECK[0], seed)])[0] for seed in (1, 2, 3)]
    assert judge(fuse(looks), HEIGHT_PX).card == DECK[0]


def test_a_deck_is_kept_in_one_file_and_comes_back_the_same(deck, tmp_path):
    deck.save(tmp_path / "house.deck")
    again = load_deck(tmp_path / "house.deck")
    assert (again.name, again.digest) == ("house", deck.digest)
    assert [path.name for path in tmp_path.iterdir()] == ["house.deck"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no deck at all"], ids=["empty", "cut off", "text"])
def test_a_broken_deck_file_is_refused_with_what_to_do(content, tmp_path):
    (tmp_path / "bad.deck").write_bytes(content)
    with pytest.raises(BadInputError, match="enrol the deck again"):
        load_deck(tmp_path / "bad.deck")


def test_a_missing_deck_file_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(BadInputError, match="studio devices enrol"):
        load_deck(tmp_path / "none.deck")


def test_an_unfinished_enrolment_says_what_is_missing(plain):
    enrolment = Enrolment(plain, "house")
    enrolment.show(face(HOUSE_POKER, DECK[0], 1), str(DECK[0]))
    assert enrolment.missing == NAMES[1:]
    with pytest.raises(RefusedError, match="52 of 53 were not shown yet"):
        enrolment.finish()


def test_one_card_shown_under_two_names_is_noticed(plain, deck):
    enrolment = Enrolment(plain, "house")
    for name in NAMES:
        enrolment.show(deck.looks["As" if name == "Ks" else name][0], name)
    with pytest.raises(RefusedError, match="Ks and As were shown the same card"):
        enrolment.finish()


def test_a_card_read_by_itself_needs_no_name_and_an_unreadable_one_does(plain):
    enrolment = Enrolment(plain, "house")
    assert enrolment.show(face(HOUSE_POKER, DECK[5], 3)).name == str(DECK[5])
    with pytest.raises(RefusedError, match="say which card it is"):
        enrolment.show(np.full((CARD_PX[1], CARD_PX[0], 3), 128, np.uint8))


def test_a_card_alone_in_a_picture_is_taken_and_an_empty_picture_is_not(plain):
    picture = np.full((480, 640, 3), (50, 100, 40), np.uint8)
    enrolment = Enrolment(plain, "house")
    with pytest.raises(RefusedError, match="No card is in the picture"):
        enrolment.show_picture(picture)
    art = draw_face(HOUSE_POKER, DECK[7], 3.0)
    cover = art[:, :, 3:] / 255.0
    height, width = art.shape[:2]
    picture[100 : 100 + height, 200 : 200 + width] = art[:, :, :3] * cover + picture[0, 0] * (1 - cover)
    assert enrolment.show_picture(picture).name == str(DECK[7])


def test_a_deck_parts_no_suits_that_the_picture_is_too_soft_to_tell_apart(plain, held):
    soft = [(card, cv2.GaussianBlur(face(HOUSE_POKER, card, 7), (0, 0), blur)) for card in DECK for blur in (3.4, 4.2)]
    first = plain._first.hear([half for _, art in soft for half in halves_of(art)])[0].reshape(len(soft), 2, -1)
    settled = sureness(first).min(axis=1) >= SETTLED
    assert min(softness_px(art) for _, art in soft) > VERY_SOFT_PX
    for (card, _), scores, sure in zip(soft, held.scores([art for _, art in soft]), settled, strict=True):
        assert judge(scores, 120).card in ((card, None) if sure else (None,))
