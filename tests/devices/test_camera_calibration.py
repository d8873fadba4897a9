"""A felt calibrated by hand: its file, how good it is, and a running watcher that takes it over."""

from __future__ import annotations

import base64
import functools
import json
import random

import cv2
import numpy as np
import pytest

from devices.camera.face.reader import CardReader
from devices.camera.felt.calibration import calibrate, calibrate_from_corners
from devices.camera.felt.calibration_file import load, save
from devices.camera.felt.layout import layout_for
from devices.camera.felt.marker import find_markers
from devices.camera.source.live import open_source
from devices.camera.view.fitness import fitness
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.sim.picture.felt_scene import view_of
from studio.cards import Card, Sealer
from studio.errors import BadInputError
from studio.ports import CameraBlind, CameraSawCard, CameraSeesAgain, CardFace

BOXES = {"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4}
LAYOUT = layout_for(BOXES)
READER = CardReader()
SIZE = (1280, 720)
CORNERS = [tuple(point) for point in cv2.perspectiveTransform(np.array([LAYOUT.corners]), view_of(LAYOUT))[0].tolist()]


@functools.cache
def camera() -> FeltRenderer:
    return FeltRenderer(SimFelt(LAYOUT, random.Random(1)), 1, FeltLook(hands=False))


def empty_felt() -> np.ndarray:
    return camera().frame(0)


def by_hand(empty: np.ndarray | None = None):
    return calibrate_from_corners(CORNERS, LAYOUT, SIZE, empty=empty)


class Bench:
    """A watcher over a rendered felt, whose picture may be bent on its way."""

    def __init__(self, **settings) -> None:
        self.felt = SimFelt(LAYOUT, random.Random(1))
        self.camera = camera().over(self.felt)
        self.bend = lambda frame: frame
        source = open_source("sim://felt", {"felt": lambda now_ms: self.bend(self.camera.frame(now_ms))})
        sealer = Sealer(random.Random(1).randbytes)
        self.watcher = Watcher(source, LAYOUT, sealer, settings=WatchSettings(reader=READER, **settings))
        self.now_ms = 0

    def sees(self, wait_ms: int = 1_600, step_ms: int = 100) -> list:
        said = []
        for _ in range(wait_ms // step_ms):
            self.now_ms += step_ms
            said += self.watcher.step(self.now_ms)
        return said

    def names(self, wait_ms: int = 1_600) -> list[str]:
        return [str(one.card.card()) for one in self.sees(wait_ms) if isinstance(one, CameraSawCard) and one.card]


def test_a_calibration_comes_back_from_its_file_as_it_was_saved(tmp_path):
    before = by_hand(empty_felt())
    save(before, tmp_path / "new" / "camera.json")
    after = load(tmp_path / "new" / "camera.json", LAYOUT)
    assert after.frame_px == SIZE
    assert np.abs(after.corners_px - before.corners_px).max() < 0.02
    assert after.empty is not None
    assert float(cv2.absdiff(after.empty, before.empty).mean()) < 3
    kept = json.loads((tmp_path / "new" / "camera.json").read_text())
    assert (kept["layout"], kept["frame_px"]) == (LAYOUT.key, [1280, 720])


def test_a_calibration_without_a_picture_is_kept_too(tmp_path):
    save(by_hand(), tmp_path / "camera.json")
    assert load(tmp_path / "camera.json", LAYOUT).empty is None


def test_a_calibration_found_by_markers_can_be_kept_for_the_day_they_are_worn_off(tmp_path):
    found = calibrate(empty_felt(), LAYOUT)
    save(found, tmp_path / "camera.json")
    assert np.abs(load(tmp_path / "camera.json", LAYOUT).px(np.array(LAYOUT.markers)) - found.px(
        np.array(LAYOUT.markers))).max() < 0.1  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        pytest.param({"version": 9}, "not of version 1", id="another version"),
        pytest.param({"layout": "0123"}, "another felt", id="the felt of another game"),
        pytest.param({"frame_px": [1280]}, "how large the picture is", id="half a size"),
        pytest.param({"frame_px": [1280.5, 720]}, "how large the picture is", id="half a pixel"),
        pytest.param({"frame_px": [10**9, 720]}, "how large the picture is", id="an absurd size"),
        pytest.param({"corners_px": [[0, 0], [1, 0], [1, 1]]}, "four corners", id="three corners"),
        pytest.param({"corners_px": [[0, 0], [1, "x"], [1, 1], [0, 1]]}, "four corners", id="a word for a number"),
        pytest.param({"corners_px": [[0, 0], [1e999, 0], [1, 1], [0, 1]]}, "four corners", id="no number at all"),
        pytest.param({"corners_px": list(reversed(CORNERS))}, "top left corner first", id="the wrong way round"),
        pytest.param({"empty_jpeg": "%%%"}, "picture of the empty felt is damaged", id="a damaged picture"),
        pytest.param({"empty_jpeg": 7}, "picture of the empty felt is damaged", id="a number for a picture"),
        pytest.param(
            {"empty_jpeg": base64.b64encode(cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))[1]).decode()},
            "picture of the empty felt is damaged", id="a picture of another size",
        ),
    ],
)  # fmt: skip
def test_a_file_that_is_no_calibration_is_refused_with_a_sentence(tmp_path, changed, says):
    save(by_hand(), tmp_path / "camera.json")
    kept = json.loads((tmp_path / "camera.json").read_text())
    (tmp_path / "camera.json").write_text(json.dumps({**kept, **changed}))
    with pytest.raises(BadInputError, match=says):
        load(tmp_path / "camera.json", LAYOUT)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\0"])
def test_a_file_of_rubbish_and_a_missing_one_are_refused(tmp_path, text):
    (tmp_path / "camera.json").write_text(text)
    with pytest.raises(BadInputError, match=r"Calibrate the camera again\."):
        load(tmp_path / "camera.json", LAYOUT)
    with pytest.raises(BadInputError, match="no calibration"):
        load(tmp_path / "nowhere.json", LAYOUT)


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        pytest.param([CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]], "go round the felt", id="crossed"),
        pytest.param([CORNERS[1], CORNERS[0], CORNERS[3], CORNERS[2]], "go round the felt", id="mirrored"),
        pytest.param([(10, 10), (40, 10), (40, 30), (10, 30)], "too close together", id="a stamp"),
        pytest.param(CORNERS[:3], "four corners", id="three"),
    ],
)
def test_corners_that_cannot_be_a_felt_are_refused(corners, says):
    with pytest.raises(BadInputError, match=says):
        calibrate_from_corners(corners, LAYOUT, SIZE)


def test_a_good_calibration_has_its_figures_and_no_warning():
    good = fitness(by_hand(), empty_felt())
    assert good.good
    assert good.markers_seen == 4
    assert good.reprojection_px < 1.5
    assert [zone.zone for zone in good.zones] == [*BOXES, "discard"]
    assert all(110 < zone.card_height_px < 130 and zone.slant > 0.9 and zone.inside for zone in good.zones)


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        pytest.param([(100, 60), (1000, 60), (1000, 560), (100, 560)], "never be named", id="too small"),
        pytest.param([(-190, 16), (1450, 16), (1500, 900), (-240, 900)], "outside the picture", id="outside"),
        pytest.param([(40, 300), (1240, 300), (1279, 700), (0, 700)], "too slanted", id="slanted"),
        pytest.param([(44, 40), (1236, 40), (1236, 660), (44, 660)], "which is little", id="little"),
    ],
)
def test_a_camera_that_hangs_badly_is_told_so(corners, says):
    told = fitness(calibrate_from_corners(corners, LAYOUT, SIZE)).warnings
    assert any(says in sentence for sentence in told)
    assert all(sentence.endswith(".") and "'" in sentence for sentence in told)


def test_a_calibration_that_misses_the_printed_markers_says_by_how_much():
    shifted = [(x + 14, y) for x, y in CORNERS]
    told = fitness(calibrate_from_corners(shifted, LAYOUT, SIZE), empty_felt())
    assert told.reprojection_px == pytest.approx(14, abs=1.5)
    assert "pixels from where this calibration has it" in " ".join(told.warnings)


def test_a_card_that_lies_on_the_felt_while_it_is_calibrated_is_told():
    felt = SimFelt(LAYOUT, random.Random(1))
    felt.lay("banker", 2, Card.parse("7d"), CardFace.UP)
    told = fitness(by_hand(), camera().over(felt).frame(0)).warnings
    assert told == (
        "A card lies in the zone 'banker'; clear the felt and calibrate again, so that the empty felt is known.",
    )


def test_a_running_watcher_takes_a_calibration_over_at_once():
    bench = Bench()
    bench.bend = without_markers
    assert [one.reason for one in bench.sees() if isinstance(one, CameraBlind)] == ["no_picture"]
    bench.felt.lay("player1", 1, Card.parse("2h"), CardFace.UP)
    bench.watcher.recalibrate(by_hand())
    assert bench.names() == ["2h"]
    assert np.abs(bench.watcher.calibration.corners_px - np.array(CORNERS)).max() < 0.1
    bench.watcher.recalibrate(None)
    assert [one.reason for one in bench.sees() if isinstance(one, CameraBlind)] == ["no_picture"]
    assert bench.watcher.calibration is None


@pytest.mark.parametrize("knows_the_empty_felt", [True, False])
def test_a_camera_without_markers_that_was_moved_is_blind_until_somebody_calibrates_it(knows_the_empty_felt):
    plain = without_markers(empty_felt())
    bench = Bench(fixed=by_hand(plain if knows_the_empty_felt else None))
    bench.bend = without_markers
    bench.felt.lay("player1", 1, Card.parse("2h"), CardFace.UP)
    assert bench.names() == ["2h"]
    bench.bend = lambda frame: shifted(without_markers(frame))
    assert [one.reason for one in bench.sees() if isinstance(one, CameraBlind)] == ["moved"]
    assert bench.sees() == []
    moved = [(x + 60, y + 22) for x, y in CORNERS]
    bench.watcher.recalibrate(calibrate_from_corners(moved, LAYOUT, SIZE))
    said = bench.sees()
    assert isinstance(said[0], CameraSeesAgain)
    assert [str(one.card.card()) for one in said if isinstance(one, CameraSawCard) and one.card] == ["2h"]


def test_a_moved_camera_that_is_hung_back_is_known_again():
    bench = Bench(fixed=by_hand(without_markers(empty_felt())))
    bench.bend = lambda frame: shifted(without_markers(frame))
    assert [one.reason for one in bench.sees() if isinstance(one, CameraBlind)] == ["moved"]
    bench.bend = without_markers
    assert isinstance(bench.sees()[0], CameraSeesAgain)


def test_a_moved_camera_with_markers_finds_its_felt_though_it_was_calibrated_by_hand():
    bench = Bench(fixed=by_hand(empty_felt()))
    bench.felt.lay("player1", 1, Card.parse("2h"), CardFace.UP)
    bench.sees()
    bench.bend = lambda frame: cv2.warpAffine(frame, np.array([[0.93, 0, 40.0], [0, 0.93, 25.0]]), SIZE)
    assert bench.names(2_400) == ["2h"]
    assert np.abs(bench.watcher.calibration.corners_px - np.array(CORNERS)).max() > 10


def without_markers(frame: np.ndarray) -> np.ndarray:
    """The frame with its four markers under plain cloth."""
    frame = frame.copy()
    for x, y in cv2.perspectiveTransform(np.array([LAYOUT.markers]), view_of(LAYOUT))[0].astype(int):
        frame[max(0, y - 40) : y + 40, max(0, x - 40) : x + 40] = (60, 104, 36)
    return frame


def shifted(frame: np.ndarray) -> np.ndarray:
    return cv2.warpAffine(frame, np.array([[1.0, 0, 60.0], [0, 1.0, 22.0]]), SIZE)


def test_the_picture_without_markers_shows_none():
    assert find_markers(without_markers(empty_felt())) == {}


def printed(frame: np.ndarray) -> np.ndarray:
    """The same view of a cloth with bold white boxes, and a word across each."""
    view, frame = view_of(LAYOUT), frame.copy()
    for slot in LAYOUT.slots:
        half = np.array([(-34, -46), (34, -46), (34, 46), (-34, 46)]) + np.array((slot.x_mm, slot.y_mm))
        box = cv2.perspectiveTransform(half[None], view)[0].astype(np.int32)
        cv2.polylines(frame, [box], isClosed=True, color=(226, 230, 228), thickness=5, lineType=cv2.LINE_AA)
        x, y = box.mean(axis=0).astype(int)
        cv2.putText(frame, "ROSE", (x - 38, y + 12), cv2.FONT_HERSHEY_DUPLEX, 1.0, (210, 214, 226), 4, cv2.LINE_AA)
    return frame


def on_print(bench: Bench, **light: float) -> None:
    """Put the rendered cards on printed cloth."""
    bench.camera._bare = printed(bench.camera._bare)
    bench.camera._still = (-1, bench.camera._bare)
    level = light.get("level", 1.0)
    bench.bend = lambda frame: np.clip(frame * level, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("level", [1.0, 0.8])
def test_bold_print_on_the_cloth_is_no_thing_once_the_empty_felt_is_known(level):
    plain = Bench()
    on_print(plain)
    plain.sees(600)
    bench = Bench(fixed=by_hand(plain.camera.frame(plain.now_ms)))
    on_print(bench, level=level)
    assert {type(one).__name__ for one in bench.sees()} == {"LinkUp", "CameraSawEmpty"}
    bench.felt.lay("player1", 1, Card.parse("2h"), CardFace.UP)
    bench.felt.lay("burn", 2, Card.parse("2c"), CardFace.DOWN)
    said = {(one.zone, one.place, str(one.card.card()) if one.card else one.face.value) for one in bench.sees()}
    assert said == {("player1", 1, "2h"), ("burn", 2, "down")}
