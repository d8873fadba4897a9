"""What happens on a rendered felt and is told as such: faces that flash, cards swapped or exchanged, hands that stay,
cards left in the open, and a picture that fails.
"""

from __future__ import annotations

import functools
import hashlib
import random

import cv2
import numpy as np
import pytest

from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import layout_for, open_spots
from devices.camera.picture.frame import note_of
from devices.camera.place.zone import WatchTiming
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from studio.cards import Card, Sealer
from studio.ports import (
    CameraBlind,
    CameraLostCard,
    CameraSawCard,
    CameraSawEmpty,
    CameraSawFlash,
    CameraSawHand,
    CameraSawStray,
    CameraSawSwap,
    CameraSeesAgain,
    CardFace,
)

UP, DOWN = CardFace.UP, CardFace.DOWN
LAYOUT = layout_for({"player1": 3, "banker": 3, "burn": 4})
READER = CardReader()
ACE, TEN, SIX = Card.parse("As"), Card.parse("Td"), Card.parse("6h")


class Kept:
    def __init__(self) -> None:
        self.pictures: dict[str, bytes] = {}

    def keep(self, picture: bytes) -> str:
        digest = hashlib.sha256(picture).hexdigest()
        self.pictures[digest] = picture
        return digest


@functools.cache
def camera_with(*, hands: bool) -> FeltRenderer:
    return FeltRenderer(SimFelt(LAYOUT, random.Random(1)), 1, FeltLook(hands=hands))


class Bench:
    """A watcher over a rendered felt, whose picture may be bent on its way."""

    def __init__(self, *, hands: bool = False, timing: WatchTiming | None = None) -> None:
        self.felt = SimFelt(LAYOUT, random.Random(1))
        self.camera = camera_with(hands=hands).over(self.felt)
        self.bend = lambda frame: frame
        self.kept = Kept()
        source = open_source("sim://felt", {"felt": lambda now_ms: self.bend(self.camera.frame(now_ms))})
        self.watcher = Watcher(
            source, LAYOUT, Sealer(random.Random(1).randbytes),
            settings=WatchSettings(reader=READER, evidence=self.kept, timing=timing or WatchTiming()),
        )  # fmt: skip
        self.now_ms = 0

    def sees(self, wait_ms: int = 900, step_ms: int = 100) -> list:
        said = []
        for _ in range(wait_ms // step_ms):
            self.now_ms += step_ms
            said += self.watcher.step(self.now_ms)
        return said

    def picture(self, digest: str) -> np.ndarray:
        return cv2.imdecode(np.frombuffer(self.kept.pictures[digest], np.uint8), cv2.IMREAD_COLOR)


def kinds(said: list) -> list[str]:
    return [type(one).__name__ for one in said]


@pytest.fixture
def bench():
    built = Bench()
    built.sees(600)
    return built


# --- faces that flash ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("frames", [1, 2])
def test_the_face_of_a_card_lying_face_down_that_shows_for_a_frame_is_told(bench, frames):
    bench.felt.lay("banker", 2, ACE, DOWN)
    bench.sees()
    bench.felt.turn("banker", 2)
    assert bench.sees(100 * frames) == []
    bench.felt.turn("banker", 2)
    (flash,) = bench.sees()
    assert isinstance(flash, CameraSawFlash)
    assert (flash.zone, flash.place, flash.card.card()) == ("banker", 2, ACE)
    assert "As" not in repr(flash)


def test_the_face_of_a_card_that_shows_while_it_is_laid_face_down_is_told(bench):
    bench.felt.lay("burn", 1, ACE, UP)
    assert bench.sees(100) == []
    bench.felt.turn("burn", 1)
    said = bench.sees()
    assert sorted(kinds(said)) == ["CameraSawCard", "CameraSawFlash"]
    assert {one.face for one in said if isinstance(one, CameraSawCard)} == {DOWN}


def test_the_face_of_a_card_that_shows_while_it_is_taken_away_is_told(bench):
    bench.felt.lay("banker", 2, ACE, DOWN)
    bench.sees()
    bench.felt.turn("banker", 2)
    bench.sees(100)
    bench.felt.take("banker", 2)
    assert kinds(bench.sees()) == ["CameraSawFlash", "CameraSawEmpty"]


def test_a_card_dealt_face_up_or_turned_to_stay_so_has_not_flashed():
    bench = Bench(hands=True)
    bench.sees(600)
    bench.felt.lay("banker", 1, ACE, UP)
    bench.felt.lay("banker", 2, TEN, DOWN)
    assert kinds(bench.sees(1_200)) == ["CameraSawCard"] * 2
    bench.felt.turn("banker", 2)
    assert kinds(bench.sees(1_200)) == ["CameraSawCard"]
    bench.felt.turn("banker", 2)
    assert kinds(bench.sees(1_200)) == ["CameraSawCard"]


def test_no_kept_picture_of_a_flash_can_be_read(bench):
    bench.felt.lay("banker", 2, ACE, DOWN)
    bench.sees()
    bench.felt.turn("banker", 2)
    bench.sees(100)
    bench.felt.turn("banker", 2)
    (flash,) = bench.sees()
    picture = bench.picture(flash.evidence)
    assert all(one.card is None for one in READER.read(picture))
    assert float(cv2.Laplacian(cv2.resize(picture, None, fx=0.1, fy=0.1), cv2.CV_32F).var()) > 0
    assert "scores" not in note_of(bench.kept.pictures[flash.evidence])


# --- cards swapped, exchanged, from nowhere -----------------------------------------------------------------


def covered(bench: Bench, *places: tuple[str, int], on: bool) -> None:
    for place in places:
        bench.felt.hand_over(*place, on=on)


@pytest.mark.parametrize("covered_ms", [300, 1_200], ids=["a moment", "long enough to be told as a hand"])
def test_two_cards_swapped_in_one_covered_moment_are_told_as_swapped(bench, covered_ms):
    bench.felt.lay("player1", 1, ACE, UP)
    bench.felt.lay("banker", 3, TEN, UP)
    bench.sees()
    covered(bench, ("player1", 1), ("banker", 3), on=True)
    bench.sees(covered_ms)
    ace, ten = bench.felt.take("player1", 1), bench.felt.take("banker", 3)
    bench.felt.lay("player1", 1, ten, UP)
    bench.felt.lay("banker", 3, ace, UP)
    covered(bench, ("player1", 1), ("banker", 3), on=False)
    said = bench.sees(2_000)
    assert kinds(said) == ["CameraSawSwap", "CameraSawCard", "CameraSawCard"]
    swap = said[0]
    assert {(swap.zone, swap.place), (swap.other_zone, swap.other_place)} == {("player1", 1), ("banker", 3)}
    assert {swap.evidence, swap.other_evidence} <= set(bench.kept.pictures)
    assert {(one.zone, str(one.card.card())) for one in said[1:]} == {("player1", "Td"), ("banker", "As")}


def test_two_cards_swapped_one_after_the_other_hand_are_told_as_swapped(bench):
    bench.felt.lay("player1", 1, ACE, UP)
    bench.felt.lay("banker", 3, TEN, DOWN)
    bench.sees()
    covered(bench, ("player1", 1), ("banker", 3), on=True)
    bench.sees(300)
    bench.felt.move(("player1", 1), ("burn", 4))
    bench.felt.move(("banker", 3), ("player1", 1))
    bench.felt.move(("burn", 4), ("banker", 3))
    covered(bench, ("player1", 1), on=False)
    early = bench.sees(600)
    covered(bench, ("banker", 3), on=False)
    said = [one for one in [*early, *bench.sees(2_000)] if isinstance(one, CameraSawSwap | CameraSawCard)]
    assert kinds(said) == ["CameraSawSwap", "CameraSawCard", "CameraSawCard"]


def test_a_card_exchanged_for_another_is_told_with_both_pictures(bench):
    bench.felt.lay("player1", 1, ACE, UP)
    (first,) = bench.sees()
    assert not first.exchanged
    covered(bench, ("player1", 1), on=True)
    bench.sees(300)
    bench.felt.take("player1", 1)
    bench.felt.lay("player1", 1, SIX, UP)
    covered(bench, ("player1", 1), on=False)
    (said,) = bench.sees()
    assert (said.card.card(), said.exchanged, said.before) == (SIX, True, first.evidence)
    assert said.evidence not in ("", first.evidence)


def test_a_card_laid_by_a_hand_is_handled_and_one_from_nowhere_is_not():
    for hands in (True, False):
        bench = Bench(hands=hands)
        bench.sees(600, step_ms=60)
        bench.felt.lay("player1", 1, ACE, UP)
        (said,) = bench.sees(1_200, step_ms=60)
        assert said.handled is hands


def test_a_kept_picture_says_which_network_read_it_and_what_it_said(bench):
    bench.felt.lay("player1", 1, ACE, UP)
    (said,) = bench.sees()
    note = note_of(bench.kept.pictures[said.evidence])
    assert note["model"] == said.model == READER.digest
    assert np.shape(note["scores"]) == (2, 20)
    assert bench.picture(said.evidence).shape[0] > 150
    assert note_of(b"\xff\xd8\xff\xe0") == {}


# --- hands, strays, departures ------------------------------------------------------------------------------


def test_a_hand_that_stays_is_told_once_more(bench):
    bench.felt.lay("banker", 1, ACE, UP)
    (card,) = bench.sees()
    covered(bench, ("banker", 1), on=True)
    said = [one for one in bench.sees(7_000, step_ms=250) if not isinstance(one, CameraSawCard)]
    hands = [one for one in said if isinstance(one, CameraSawHand) and one.zone == "banker" and one.place == 1]
    assert [one.stays for one in hands] == [False, True]
    assert hands[1].evidence == card.evidence
    covered(bench, ("banker", 1), on=False)
    assert any(isinstance(one, CameraSawCard) and one.card.card() is ACE for one in bench.sees(1_500))


def test_a_card_laid_down_in_the_open_for_a_moment_is_no_stray_and_one_that_lies_there_is(bench):
    x, y = open_spots(LAYOUT)[0]
    serial = bench.felt.lay_stray(x, y, ACE, UP)
    assert bench.sees(600) == []
    bench.felt.take_stray(serial)
    assert bench.sees(600) == []
    bench.felt.lay_stray(x, y, ACE, UP)
    (said,) = bench.sees(1_500)
    assert isinstance(said, CameraSawStray)
    assert said.evidence in bench.kept.pictures


def test_a_card_that_leaves_the_view_takes_its_last_picture_along(bench):
    bench.felt.lay("player1", 1, ACE, UP)
    (card,) = bench.sees()
    bench.felt.drop("player1", 1, "left")
    (lost,) = [one for one in bench.sees(1_500, step_ms=80) if isinstance(one, CameraLostCard | CameraSawEmpty)]
    assert (lost.direction, lost.identified, lost.evidence) == ("left", True, card.evidence)


# --- the picture as a whole ---------------------------------------------------------------------------------


def blown(frame: np.ndarray) -> np.ndarray:
    return np.clip(frame.astype(np.int16) * 5, 0, 255).astype(np.uint8)


def grey(frame: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def under_a_cloth(frame: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(int(frame[0, 0, 0])).integers(0, 6, frame.shape)
    return (np.full_like(frame, 120) + noise).astype(np.uint8)


def behind_a_sheet(frame: np.ndarray) -> np.ndarray:
    y, x = np.mgrid[0 : frame.shape[0], 0 : frame.shape[1]]
    lines = (((x // 40 + y // 60) % 2) * 90 + 120).astype(np.uint8)
    return cv2.add(np.repeat(lines[:, :, None], 3, axis=2), frame % 3)


@pytest.mark.parametrize(
    ("bend", "reason"),
    [
        pytest.param(blown, "glare", id="glare"),
        pytest.param(grey, "colourless", id="colour gone"),
        pytest.param(under_a_cloth, "covered", id="a cloth over the lens"),
        pytest.param(behind_a_sheet, "covered", id="a printed sheet before the lens"),
        pytest.param(lambda frame: frame // 16, "dark", id="the light went out"),
        pytest.param(lambda frame: cv2.GaussianBlur(frame, (0, 0), 7.0), "unsharp", id="out of focus"),
        pytest.param(lambda frame: frame[:480, :640], "resized", id="another size"),
    ],
)
def test_a_picture_that_fails_is_told_with_its_reason_and_nothing_is_read_until_it_is_good(bench, bend, reason):
    bench.felt.lay("player1", 1, ACE, UP)
    bench.sees()
    bench.bend = bend
    assert [one.reason for one in bench.sees(1_500) if isinstance(one, CameraBlind)] == [reason]
    bench.felt.lay("player1", 2, TEN, UP)
    assert bench.sees(600) == []
    bench.bend = lambda frame: frame
    said = bench.sees(1_500)
    assert isinstance(said[0], CameraSeesAgain)
    assert {str(one.card.card()) for one in said if isinstance(one, CameraSawCard) and one.card} == {"As", "Td"}


def test_a_larger_picture_of_the_same_view_is_calibrated_anew(bench):
    bench.felt.lay("player1", 1, ACE, UP)
    bench.sees()
    bench.bend = lambda frame: cv2.resize(frame, (1920, 1080), interpolation=cv2.INTER_CUBIC)
    said = bench.sees(1_500)
    assert kinds(said[:2]) == ["CameraBlind", "CameraSeesAgain"]
    assert said[0].reason == "resized"
    assert bench.watcher.calibration.frame_px == (1920, 1080)
    assert "As" in {str(one.card.card()) for one in said if isinstance(one, CameraSawCard) and one.card}


def test_a_felt_full_of_open_cards_is_no_glare(bench):
    for slot in LAYOUT.slots:
        bench.felt.lay(slot.zone, slot.place, ACE, UP)
    assert not [one for one in bench.sees(1_500) if isinstance(one, CameraBlind)]
