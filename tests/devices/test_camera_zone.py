"""The life of one place, told without a picture."""

from __future__ import annotations

import random

import numpy as np
import pytest

from devices.camera.face.reader import Judgement, fuse, judge
from devices.camera.outline.search import Nothing
from devices.camera.place.zone import CameraPlace, CardLook, WatchTiming
from studio.cards import Card
from studio.ports import CardFace

TIMING = WatchTiming(settle_ms=200, hand_ms=700, unsure_ms=1_000, give_up_ms=3_000)


def scores(card: str = "As", sure: float = 0.999, *, kind: int = 0, lower: str = "") -> np.ndarray:
    """Probabilities of both halves that name a card; the lower half another one when given."""
    rows = []
    for name in (card, lower or card):
        wanted = Card.parse(name)
        row = np.zeros(20)
        row[kind] = 1.0
        row[3:16], row[16:20] = (1 - sure) / 12, 0.0
        row[3 + wanted.index // 4], row[16 + wanted.index % 4] = sure, 1.0
        rows.append(row)
    return np.stack(rows)


def seen(place: CameraPlace, look, start_ms: int, wait_ms: int = 600) -> list:
    """What a place says while it looks the same for a time."""
    said = []
    for now_ms in range(start_ms, start_ms + wait_ms, 50):
        if place.wants_look(now_ms):
            said.append(place.see(look, now_ms))
    return [what for what in said if what is not None]


def test_a_fresh_place_is_told_once_as_it_stands():
    place = CameraPlace(TIMING)
    assert seen(place, Nothing.BARE, 0, 3_000) == ["empty"]
    assert not place.wants_look(10_000)


def test_a_card_is_named_only_when_it_lies_still_and_two_frames_are_sure():
    place = CameraPlace(TIMING)
    seen(place, Nothing.BARE, 0)
    place.disturb(1_000)
    assert not place.wants_look(1_150)
    assert place.wants_look(1_200)
    assert place.see(CardLook(scores(), 118), 1_200) is None
    told = place.see(CardLook(scores(), 118), 1_280)
    assert isinstance(told, Judgement)
    assert (told.face, told.card) == (CardFace.UP, Card.parse("As"))


def test_a_card_that_stays_doubtful_is_told_unsure_and_named_when_it_becomes_clear():
    place = CameraPlace(TIMING)
    (told,) = seen(place, CardLook(scores(sure=0.7), 118), 0, 1_800)
    assert (told.face, told.card) == (CardFace.UNSURE, None)
    assert 0 < told.confidence < 1
    (clear,) = seen(place, CardLook(scores(), 118), 1_800, 600)
    assert clear.card == Card.parse("As")


def test_what_lies_there_as_a_card_does_is_not_sure_though_the_networks_take_it_for_cloth():
    place = CameraPlace(TIMING)
    seen(place, Nothing.BARE, 0)
    place.disturb(1_000)
    (told,) = seen(place, CardLook(scores(kind=2), 118), 1_200, 8_000)
    assert (told.face, told.card) == (CardFace.UNSURE, None)


def test_a_doubtful_card_is_given_up_after_a_while_so_that_nothing_is_computed_for_ever():
    place = CameraPlace(TIMING)
    seen(place, CardLook(scores(sure=0.7), 118), 0, 5_000)
    assert not place.restless


def test_a_card_that_was_given_up_is_looked_at_again_for_a_moment_every_few_seconds():
    place = CameraPlace(TIMING)
    doubtful = CardLook(scores(sure=0.7), 118)
    seen(place, doubtful, 0, 5_000)
    looks = [
        now_ms for now_ms in range(5_000, 12_000, 50) if place.wants_look(now_ms) and not place.see(doubtful, now_ms)
    ]
    assert len(looks) == 2 * 6
    assert not place.restless
    (clear,) = seen(place, CardLook(scores(), 118), 12_000, 2_000)
    assert clear.card == Card.parse("As")
    assert seen(place, CardLook(scores(), 118), 14_000, 8_000) == []


def test_halves_that_disagree_are_never_a_card():
    place = CameraPlace(TIMING)
    (told,) = seen(place, CardLook(scores("5d", lower="6d"), 118), 0, 2_000)
    assert told.face is CardFace.UNSURE
    assert told.confidence <= 0.5


def test_something_that_covers_the_place_is_a_hand_only_when_it_stays():
    place = CameraPlace(TIMING)
    seen(place, Nothing.BARE, 0)
    for now_ms in range(1_000, 1_400, 50):
        place.disturb(now_ms)
    assert seen(place, Nothing.BARE, 1_400) == []
    for now_ms in range(3_000, 3_650, 50):
        place.disturb(now_ms)
    assert seen(place, Nothing.COVERED, 3_650, 1_000) == ["hand"]
    assert seen(place, Nothing.BARE, 4_700, 1_000) == ["empty"]


def test_a_hand_that_never_keeps_still_is_told_too():
    place = CameraPlace(TIMING)
    seen(place, Nothing.BARE, 0)
    said = []
    for now_ms in range(1_000, 3_000, 50):
        place.disturb(now_ms)
        if place.wants_look(now_ms):
            said.append(place.see(Nothing.COVERED, now_ms))
    assert [what for what in said if what] == ["hand"]


def test_the_same_card_after_a_passing_hand_is_no_news():
    place = CameraPlace(TIMING)
    seen(place, CardLook(scores(), 118), 0)
    place.disturb(1_000)
    assert seen(place, CardLook(scores(), 118), 1_050) == []
    assert place.identified


@pytest.mark.parametrize(
    ("of_card", "height_px", "face"),
    [
        pytest.param(scores(), 118, CardFace.UP, id="both halves agree and are sure"),
        pytest.param(scores(), 92, CardFace.UNSURE, id="too small to tell clubs from spades"),
        pytest.param(scores(sure=0.94), 118, CardFace.UNSURE, id="not sure enough"),
        pytest.param(scores(lower="Ac"), 118, CardFace.UNSURE, id="another suit below"),
        pytest.param(scores(kind=1), 118, CardFace.DOWN, id="a back"),
        pytest.param(scores(kind=2), 118, CardFace.UNSURE, id="neither face nor back"),
        pytest.param(np.stack((scores()[0], scores(kind=1)[0])), 118, CardFace.UNSURE, id="half a face, half a back"),
    ],
)
def test_the_rule_by_which_a_card_is_named(of_card, height_px, face):
    said = judge(of_card, height_px)
    assert said.face is face
    assert (said.card is not None) == (face is CardFace.UP)


def test_one_doubtful_frame_among_sure_ones_keeps_its_weight():
    assert judge(fuse([scores(), scores(sure=0.3)]), 118).face is CardFace.UNSURE
    assert judge(fuse([scores(), scores("Ks")]), 118).face is CardFace.UNSURE


def test_times_shrink_with_a_faster_dealer_and_link_times_do_not():
    fast = TIMING.faster(20)
    assert (fast.settle_ms, fast.hand_ms, fast.frozen_ms) == (30, 250, TIMING.frozen_ms)
    assert TIMING.faster(2).hand_ms == 350


@pytest.mark.parametrize("seed", range(20))
def test_whoever_wants_a_look_was_known_to_want_one_before_anything_moved(seed: int):
    rng, place, wanted = random.Random(seed), CameraPlace(TIMING), 0
    looks = (Nothing.BARE, Nothing.COVERED, CardLook(scores(), 118), CardLook(scores(sure=0.7), 118))
    for now_ms in range(0, 30_000, 50):
        known = place.may_want_look(now_ms)
        if rng.random() < 0.04:
            place.disturb(now_ms)
        if place.wants_look(now_ms):
            assert known
            wanted += 1
            place.see(rng.choice(looks), now_ms)
    assert wanted > 10
