"""The camera as a device: what it says of a rendered felt that misbehaves, and of a line that does."""

from __future__ import annotations

import functools
import hashlib
import random

import cv2
import numpy as np
import pytest

from devices.camera.face.reader import CardReader
from devices.camera.felt.calibration import calibrate_from
from devices.camera.felt.layout import layout_for
from devices.camera.source.live import Gone, open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.felt import SimFelt
from devices.sim.picture.deck_art import HOUSE_CASINO
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.sim.picture.felt_scene import view_of
from studio.cards import DECK, Card, Sealer
from studio.ports import CameraSawCard, CardFace, LinkDown

UP, DOWN = CardFace.UP, CardFace.DOWN
LAYOUT = layout_for({"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4})
READER = CardReader()


class Kept:
    def __init__(self) -> None:
        self.pictures: dict[str, bytes] = {}

    def keep(self, picture: bytes) -> str:
        digest = hashlib.sha256(picture).hexdigest()
        self.pictures[digest] = picture
        return digest


@functools.cache
def camera_of(seed: int, look: FeltLook | None = None) -> FeltRenderer:
    return FeltRenderer(SimFelt(LAYOUT, random.Random(1)), seed, look)


class Bench:
    """A watcher over a rendered felt, with a clock of its own."""

    def __init__(self, *, seed: int = 1, look: FeltLook | None = None, **settings) -> None:
        self.felt = SimFelt(LAYOUT, random.Random(seed))
        self.camera = camera_of(seed, look).over(self.felt)
        source = open_source("sim://felt", {"felt": self.camera.frame})
        sealer = Sealer(random.Random(seed).randbytes)
        self.watcher = Watcher(source, self.felt.layout, sealer, settings=WatchSettings(reader=READER, **settings))
        self.now_ms = 0

    def sees(self, wait_ms: int = 2_000, step_ms: int = 80) -> list:
        said = []
        for _ in range(wait_ms // step_ms):
            self.now_ms += step_ms
            said += self.watcher.step(self.now_ms)
        return said

    def names(self, wait_ms: int = 2_000) -> list[str]:
        return [type(said).__name__ for said in self.sees(wait_ms)]


@pytest.mark.parametrize("design", ["poker", pytest.param("casino", marks=pytest.mark.long)])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.long)])
def test_a_whole_deck_dealt_on_the_felt_is_read_without_a_wrong_card(design, seed):
    look = FeltLook(back=seed) if design == "poker" else FeltLook(design=HOUSE_CASINO, back=seed)
    bench = Bench(seed=seed, look=look)
    bench.sees(1_000)
    deck = list(DECK)
    random.Random(seed).shuffle(deck)
    places = [slot for slot in bench.felt.layout.slots if not slot.pile]
    read = 0
    while deck:
        laid = {slot.name: deck.pop() for slot in places[: len(deck)]}
        for (zone, place), card in laid.items():
            bench.felt.lay(zone, place, card, UP)
        for said in bench.sees(1_600):
            if isinstance(said, CameraSawCard) and said.card is not None:
                assert said.card.card() == laid[said.zone, said.place]
                read += 1
        bench.felt.clear()
        bench.sees(1_000)
    assert read >= 51


def test_a_card_turned_over_before_its_time_is_seen_with_its_face():
    bench = Bench()
    bench.felt.lay("banker", 3, Card.parse("Ac"), DOWN)
    bench.sees()
    bench.felt.turn("banker", 3)
    (said,) = bench.sees()
    assert (said.zone, said.place, said.face, said.card.card()) == ("banker", 3, UP, Card.parse("Ac"))


@pytest.mark.parametrize(
    ("zone", "place", "direction"),
    [
        ("banker", 2, "right"),
        ("banker", 1, "left"),
        ("player1", 2, "bottom"),
        pytest.param("player3", 3, "right", marks=pytest.mark.long),
        pytest.param("burn", 1, "top", marks=pytest.mark.long),
        ("burn", 4, "top"),
        pytest.param("player2", 2, "bottom", marks=pytest.mark.long),
    ],
)
def test_a_card_that_slides_away_is_followed_over_the_edge(zone, place, direction):
    bench = Bench(seed=place)
    for slot in bench.felt.layout.slots:
        bench.felt.lay(slot.zone, slot.place, Card.parse("Th"), DOWN if slot.zone == "burn" else UP)
    bench.sees()
    bench.felt.drop(zone, place, direction)
    (lost,) = [said for said in bench.sees() if not isinstance(said, CameraSawCard)]
    assert (lost.zone, lost.place, lost.direction, lost.identified) == (zone, place, direction, zone != "burn")


def test_a_card_that_a_hand_takes_away_has_not_slid_away():
    bench = Bench()
    bench.felt.lay("player2", 2, Card.parse("Th"), UP)
    bench.sees()
    bench.felt.hand_over("player2", 2, on=True)
    bench.sees(240)
    bench.felt.take("player2", 2)
    bench.felt.hand_over("player2", 2, on=False)
    assert bench.names() == ["CameraSawEmpty"]


def test_two_cards_on_each_other_are_never_a_card():
    bench = Bench()
    bench.sees()
    bench.felt.lay("player1", 1, Card.parse("2h"), UP)
    bench.felt.lay("player1", 1, Card.parse("Ks"), UP)
    for said in bench.sees():
        assert not (isinstance(said, CameraSawCard) and said.card is not None and said.card.card() != Card.parse("Ks"))


@pytest.mark.parametrize("spoil", ["dark", pytest.param("unsharp", marks=pytest.mark.long), "moved"])
def test_a_picture_that_cannot_be_trusted_is_told_and_nothing_is_read_from_it(spoil):
    bench = Bench()
    bench.felt.lay("player1", 1, Card.parse("2h"), UP)
    bench.sees()
    bench.camera.spoil = spoil
    (blind,) = bench.sees()
    assert blind.reason == spoil
    bench.felt.lay("player1", 2, Card.parse("3h"), UP)
    assert bench.sees() == []
    bench.camera.spoil = ""
    said = bench.sees()
    assert type(said[0]).__name__ == "CameraSeesAgain"
    assert len(said) == 1 + len(bench.felt.layout.slots)


def test_what_keeps_a_picture_bad_meanwhile_is_told_once_it_has_lasted():
    bench = Bench()
    bench.sees()
    bench.camera.spoil = "frozen"
    assert [one.reason for one in bench.sees(6_000)] == ["frozen"]
    bench.camera.spoil = "dark"
    assert bench.sees(1_500) == []
    assert [one.reason for one in bench.sees(6_000)] == ["dark"]
    bench.camera.spoil = ""
    assert bench.names()[0] == "CameraSeesAgain"


def test_a_felt_that_is_not_found_does_not_hide_that_the_camera_was_moved():
    bench = Bench()
    bench.sees()
    bench.camera.spoil = "moved"
    assert [one.reason for one in bench.sees(9_000)] == ["moved"]


def test_a_picture_that_stands_still_is_frozen():
    bench = Bench()
    bench.sees()
    bench.camera.spoil = "frozen"
    (blind,) = bench.sees(6_000)
    assert blind.reason == "frozen"
    bench.camera.spoil = ""
    assert bench.names()[0] == "CameraSeesAgain"


def test_a_camera_that_was_moved_a_little_finds_its_felt_again_by_the_markers():
    felt = SimFelt(LAYOUT, random.Random(1))
    camera, shift = camera_of(1).over(felt), [0.0]

    def feed(now_ms: int) -> np.ndarray:
        moved = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, -shift[0] / 3]])
        return cv2.warpAffine(camera.frame(now_ms), moved, (1280, 720))

    felt.lay("player1", 1, Card.parse("2h"), UP)
    watcher = Watcher(
        open_source("sim://felt", {"felt": feed}), felt.layout, Sealer(random.Random(1).randbytes),
        settings=WatchSettings(reader=READER),
    )  # fmt: skip
    for now_ms in range(0, 2_000, 80):
        watcher.step(now_ms)
    shift[0] = 9.0
    said = [o for now_ms in range(2_000, 5_000, 80) for o in watcher.step(now_ms)]
    assert [type(o).__name__ for o in said[-19:-17]] == ["CameraBlind", "CameraSeesAgain"]
    (card,) = [o for o in said if isinstance(o, CameraSawCard) and o.card is not None][-1:]
    assert (card.zone, card.place, card.card.card()) == ("player1", 1, Card.parse("2h"))


def test_a_picture_without_the_felt_is_no_picture():
    desk = np.random.default_rng(1).integers(60, 200, (720, 1280, 3)).astype(np.uint8)
    source = open_source("sim://desk", {"desk": lambda now_ms: np.roll(desk, now_ms, axis=1)})
    watcher = Watcher(source, LAYOUT, Sealer(random.Random(1).randbytes), settings=WatchSettings(reader=READER))
    said = [o for now_ms in range(0, 1_500, 250) for o in watcher.step(now_ms)]
    assert [type(o).__name__ for o in said] == ["LinkUp", "CameraBlind"]
    assert said[1].reason == "no_picture"


def test_a_felt_calibrated_by_hand_needs_no_markers():
    felt = SimFelt(LAYOUT, random.Random(1))
    clicked = cv2.perspectiveTransform(np.array([felt.layout.markers]), view_of(felt.layout))[0]
    bench = Bench(fixed=calibrate_from([tuple(point) for point in clicked], felt.layout, (1280, 720)))
    bench.felt.lay("player1", 1, Card.parse("2h"), UP)
    assert "2h" in [str(o.card.card()) for o in bench.sees() if isinstance(o, CameraSawCard) and o.card]


def test_a_picture_is_kept_of_every_card_that_is_told():
    kept = Kept()
    bench = Bench(evidence=kept)
    bench.sees()
    bench.felt.lay("player1", 1, Card.parse("2h"), UP)
    (said,) = bench.sees()
    picture = cv2.imdecode(np.frombuffer(kept.pictures[said.evidence], np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[0] > 150


def test_a_missing_camera_is_told_once_and_the_felt_anew_when_it_is_back():
    class Cable:
        url = "sim://cable"
        gone = True

        def grab(self, now_ms):
            return Gone("The camera at sim://cable gives no picture.") if self.gone else camera.frame(now_ms)

        def close(self) -> None:
            pass

    felt = SimFelt(LAYOUT, random.Random(1))
    camera, cable = camera_of(1).over(felt), Cable()
    watcher = Watcher(cable, felt.layout, Sealer(random.Random(1).randbytes), settings=WatchSettings(reader=READER))
    assert [type(o) for o in (*watcher.step(0), *watcher.step(80))] == [LinkDown]
    for again in (1_000, 5_000):
        cable.gone = False
        said = [type(o).__name__ for now_ms in range(again, again + 1_000, 80) for o in watcher.step(now_ms)]
        assert said == ["LinkUp"] + ["CameraSawEmpty"] * 17
        cable.gone = True
        assert [type(o) for o in watcher.step(again + 2_000)] == [LinkDown]


def test_a_camera_that_stays_away_for_another_reason_says_so_once():
    class Cable:
        url = "sim://cable"
        reason = "Plug it in."

        def grab(self, now_ms):
            return Gone(self.reason)

        def close(self) -> None:
            pass

    cable = Cable()
    watcher = Watcher(cable, LAYOUT, Sealer(random.Random(1).randbytes), settings=WatchSettings(reader=READER))
    assert [one.reason for now_ms in (0, 80, 160) for one in watcher.step(now_ms)] == ["Plug it in."]
    cable.reason = "Its certificate is over."
    assert [one.reason for now_ms in (240, 320) for one in watcher.step(now_ms)] == ["Its certificate is over."]


def test_a_camera_that_falls_silent_is_a_link_that_is_down():
    class Silent:
        url = "sim://silent"

        def grab(self, now_ms):
            return None

        def close(self) -> None:
            pass

    watcher = Watcher(Silent(), LAYOUT, Sealer(random.Random(1).randbytes), settings=WatchSettings(reader=READER))
    said = [o for now_ms in range(0, 10_000, 500) for o in watcher.step(now_ms)]
    assert [type(o) for o in said] == [LinkDown]
    assert "no new picture" in said[0].reason


def test_no_repr_of_an_observation_names_the_card():
    bench = Bench()
    bench.felt.lay("player1", 1, Card.parse("Qh"), UP)
    assert not [said for said in bench.sees() if "Qh" in repr(said)]
