"""Cards read from pictures: never a wrong one, and a refusal wherever a person would hesitate too."""

from __future__ import annotations

import itertools
import random
import time
from dataclasses import replace
from importlib import resources

import cv2
import numpy as np
import pytest

from bench.table_picture import Tally, table_picture, tally
from devices.camera.face.reader import CardReader, judge
from devices.camera.picture.quadrilateral import CARD_PX
from devices.sim.picture.deck_art import HOUSE_CASINO, HOUSE_POKER, Design, random_design
from devices.sim.picture.deck_back import draw_back, draw_cut_card, draw_joker
from devices.sim.picture.felt_render import FeltLook
from studio.cards import DECK
from studio.ports import CardFace

NOBODY = Tally(0, 0, 0, 0, 0, 0)


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


def deck_of_tables(design: Design, seed: int) -> list:
    """Five felts that show all 52 cards between them."""
    cards = list(DECK)
    random.Random(seed).shuffle(cards)
    look = FeltLook(design=design, back=seed, hands=False)
    return [table_picture(seed * 10 + i, look, cards=tuple(cards[i * 12 : i * 12 + 12])) for i in range(5)]


@pytest.mark.parametrize("design", [HOUSE_POKER, HOUSE_CASINO], ids=["poker faces", "casino faces"])
def test_the_house_decks_are_read_whole_and_without_a_wrong_card(reader, design):
    count = sum((tally(reader, table) for table in deck_of_tables(design, 1)), NOBODY)
    assert count.shown == 60
    assert count.wrong == 0
    assert count.refused <= 6


@pytest.mark.long
def test_decks_nobody_has_seen_are_read_without_a_wrong_card(reader):
    count = NOBODY
    for seed in range(12):
        look = FeltLook(design=random_design(random.Random(seed + 900)), back=seed + 900, hands=False)
        count += tally(reader, table_picture(seed + 900, look))
    assert count.wrong == 0
    assert count.refused <= 0.16 * count.shown


def test_a_blurred_felt_is_refused_and_not_guessed(reader):
    table = table_picture(4, FeltLook(blur_px=3.2, hands=False))
    count = tally(reader, table)
    assert count.wrong == 0
    assert count.refused > 0.7 * count.shown


def disc(radius: int) -> np.ndarray:
    """What a lens out of focus makes of a point."""
    spot = np.zeros((2 * radius + 1,) * 2, np.float32)
    cv2.circle(spot, (radius, radius), radius, 1.0, -1)
    return spot / spot.sum()


@pytest.mark.long
@pytest.mark.parametrize("radius", [3, 4, 5, 6])
def test_no_card_is_named_wrongly_when_the_lens_is_out_of_focus(reader, radius):
    for seed in range(6):
        design = random_design(random.Random(seed + 900)) if seed % 2 else HOUSE_POKER
        table = table_picture(seed, FeltLook(design=design, back=seed, hands=False))
        blurred = replace(table, picture=cv2.filter2D(table.picture, -1, disc(radius)))
        assert tally(reader, blurred).wrong == 0


def test_cards_too_small_to_tell_clubs_from_spades_are_refused(reader):
    table = table_picture(5, FeltLook(hands=False))
    small = cv2.resize(table.picture, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA)
    found = reader.read(small)
    assert len(found) >= 12
    assert not [card for card in found if card.card is not None]


def test_a_card_with_its_indices_covered_is_not_named(reader):
    table = table_picture(6, FeltLook(design=HOUSE_CASINO, hands=False))
    picture = table.picture.copy()
    for x, y, _ in table.lying:
        cv2.circle(picture, (round(x), round(y - 36)), 33, (128, 160, 214), -1)
    assert not [card for card in reader.read(picture) if card.card is not None]


def flat_card(art: np.ndarray, seed: int) -> np.ndarray:
    """Card art as the rectifier would give it, with a sensor's noise."""
    cover = art[:, :, 3:] / 255.0
    flat = art[:, :, :3] * cover + np.array([60, 110, 40]) * (1 - cover)
    noisy = flat + np.random.default_rng(seed).normal(0, 4, flat.shape)
    return cv2.resize(np.clip(noisy, 0, 255).astype(np.uint8), CARD_PX, interpolation=cv2.INTER_AREA)


def test_a_back_of_any_design_is_never_read_as_a_face(reader):
    backs = [flat_card(draw_back(seed, 2.0), seed) for seed in range(5_000, 5_150)]
    faces = [judge(scores, 118).face for scores in reader.scores(backs)]
    assert CardFace.UP not in faces
    assert faces.count(CardFace.DOWN) >= 0.95 * len(faces)


def test_jokers_and_cut_cards_are_never_named(reader):
    odd = [flat_card(draw(seed, 2.0), seed) for seed in range(7_000, 7_040) for draw in (draw_joker, draw_cut_card)]
    assert not [scores for scores in reader.scores(odd) if judge(scores, 118).card is not None]


def test_lettering_chips_and_bare_cloth_are_no_cards(reader):
    felt = np.full((720, 1280, 3), (66, 112, 38), np.uint8)
    cv2.putText(felt, "DEALER MUST DRAW TO 16", (80, 200), cv2.FONT_HERSHEY_TRIPLEX, 2.2, (230, 230, 230), 5)
    cv2.rectangle(felt, (900, 400), (980, 512), (230, 230, 230), -1)
    for x, y in itertools.product(range(100, 700, 130), (420, 560)):
        cv2.circle(felt, (x, y), 48, (40, 40, 200), -1)
        cv2.circle(felt, (x, y), 30, (240, 240, 240), 4)
    assert not [card for card in reader.read(felt) if card.face is CardFace.UP]


def test_a_picture_of_nothing_holds_no_card(reader):
    assert reader.read(np.zeros((480, 640, 3), np.uint8)) == []
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    assert not [card for card in reader.read(noise) if card.card is not None]


def test_corners_run_clockwise_from_a_short_side(reader):
    card = reader.read(table_picture(7, FeltLook(hands=False)).picture)[0]
    top, right = np.linalg.norm(card.quad[1] - card.quad[0]), np.linalg.norm(card.quad[2] - card.quad[1])
    assert top < right
    assert cv2.contourArea(card.quad, oriented=True) > 0


def test_the_models_are_small_and_load_at_once():
    folder = resources.files("devices.camera") / "model"
    assert sum(len((folder / f"{name}.onnx").read_bytes()) for name in ("reader", "second")) <= 4_000_000
    started_s = time.perf_counter()
    CardReader()
    assert time.perf_counter() - started_s < 1
