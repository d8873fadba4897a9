"""The camera as a technician sees it: places over the picture, what stays unseen, a calibration by four corners."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.camera.face.explanation import Explained
from devices.camera.face.reader import CardReader
from devices.camera.felt.calibration import Calibration, calibrate
from devices.camera.felt.calibration_file import load
from devices.camera.felt.layout import layout_for
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.view.explained_picture import explained_picture
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.technician.camera_bench import CameraBench
from devices.technician.self_test import camera_findings
from devices.technician.workbench import faces_in
from studio.cards import Card
from studio.diagnosis import Unseen
from studio.errors import RefusedError
from studio.ports import CameraBlind, CameraSawEmpty, CameraSeesAgain, CardFace, LinkDown, LinkUp

LAYOUT = layout_for({"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4})
NOW_MS = 5_000


@cache
def _camera() -> FeltRenderer:
    return FeltRenderer(SimFelt(LAYOUT, random.Random(1)), 7, FeltLook(hands=False))


@cache
def _bare_calibration() -> Calibration | None:
    return calibrate(_camera().frame(NOW_MS), LAYOUT)


class Camera:
    """A watcher's calibration and a live picture, over a simulated felt."""

    def __init__(self, path: Path) -> None:
        self.felt = SimFelt(LAYOUT, random.Random(1))
        self.renderer = _camera().over(self.felt)
        self.calibration: Calibration | None = _bare_calibration()
        self.signal = True
        self.came_ms: int | None = None
        self.hidden: Collection[str] = ()
        self.bench = CameraBench(
            "cam", LAYOUT, self, frame=self.jpeg, hidden=lambda came_ms: self.hidden, path=path
        )  # fmt: skip

    def frame(self) -> Pixels:
        return self.renderer.frame(NOW_MS)

    def jpeg(self) -> tuple[bytes, int] | None:
        if not self.signal:
            return None
        return cv2.imencode(".jpg", self.frame(), (cv2.IMWRITE_JPEG_QUALITY, 90))[1].tobytes(), NOW_MS

    def recalibrate(self, fixed: Calibration | None) -> None:
        self.calibration = fixed


@pytest.fixture
def camera(tmp_path: Path) -> Camera:
    return Camera(tmp_path / "calibrations" / "cam.json")


def picture(camera: Camera, *hidden: str) -> tuple[bytes, int] | Unseen:
    camera.hidden = hidden
    return camera.bench.picture()


def shown(camera: Camera, hidden: tuple[str, ...]) -> Pixels:
    found = picture(camera, *hidden)
    assert not isinstance(found, Unseen)
    return np.asarray(cv2.imdecode(np.frombuffer(found[0], np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def cards_in(picture: Pixels) -> set[str]:
    """What an eager eye makes of it, one that names a card long before the reader would."""
    with pytest.MonkeyPatch.context() as eager:
        eager.setattr("devices.camera.face.reader.SURE_FREE", 0.6)
        return {str(found.card) for found in CardReader().read(picture) if found.card is not None}


# --- what stays unseen -----------------------------------------------------------------------------------


@pytest.mark.long
def test_a_hidden_zone_is_painted_over_and_open_ones_are_seen(camera: Camera) -> None:
    camera.felt.lay("player1", 1, Card.parse("Kh"), CardFace.UP)
    camera.felt.lay("burn", 1, Card.parse("9s"), CardFace.UP)
    assert cards_in(shown(camera, ())) == {"Kh", "9s"}
    assert cards_in(shown(camera, ("burn",))) == {"Kh"}
    assert cards_in(shown(camera, ("burn", "player1"))) == set()


@pytest.mark.long
def test_a_card_that_was_dropped_beside_the_places_cannot_be_read(camera: Camera) -> None:
    camera.felt.lay_stray(0.5, 0.5 + 0.155, Card.parse("Qd"), CardFace.UP)
    assert cards_in(shown(camera, ())) == {"Qd"}
    covered = shown(camera, ("burn",))
    assert cards_in(covered) == set()


def test_nothing_of_a_hidden_place_is_left_in_the_picture(camera: Camera) -> None:
    """The pixels of a hidden zone do not depend on the card that lies there."""
    pictures = []
    for card in ("9s", "Qd"):
        camera.felt.clear()
        camera.felt.lay("burn", 2, Card.parse(card), CardFace.UP)
        pictures.append(shown(camera, ("burn",)))
    outline = next(one for one in camera.bench.outlines if (one.zone, one.place) == ("burn", 2))
    height, width = pictures[0].shape[:2]
    inside = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(inside, np.array([(x * width, y * height) for x, y in outline.points], np.int32), 1)
    core = cv2.erode(inside, np.ones((9, 9), np.uint8)) > 0
    assert core.sum() > 5_000
    assert np.array_equal(pictures[0][core], pictures[1][core])


def test_an_explained_picture_has_a_list_beside_it_and_nothing_of_a_hidden_zone(
    camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Sequence[Explained]] = []

    def noted(picture: Pixels, outlines: Sequence[Explained]) -> Pixels:
        told.append(outlines)
        return explained_picture(picture, outlines)

    monkeypatch.setattr("devices.technician.camera_bench.explained_picture", noted)
    camera.felt.lay("player1", 1, Card.parse("Kh"), CardFace.UP)
    camera.felt.lay("burn", 1, Card.parse("9s"), CardFace.UP)
    camera.hidden = ("burn",)
    found = camera.bench.explained()
    assert not isinstance(found, Unseen)
    drawn = cv2.imdecode(np.frombuffer(found[0], np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert drawn.shape[1] > shown(camera, ("burn",)).shape[1] + 300
    assert {one.card for one in told[0] if one.card} == {"Kh"}
    camera.signal = False
    assert camera.bench.explained() is Unseen.NONE


def test_without_a_calibration_nothing_is_shown_while_something_is_hidden(camera: Camera) -> None:
    camera.calibration = None
    assert picture(camera, "burn") is Unseen.HIDDEN
    assert not isinstance(picture(camera), Unseen)


def test_what_is_hidden_is_asked_for_the_time_at_which_the_picture_came_and_covered_once(camera: Camera) -> None:
    kept, came = camera.jpeg(), []
    hidden: tuple[str, ...] = ("burn",)

    def since(came_ms: int) -> tuple[str, ...]:
        came.append(came_ms)
        return hidden

    bench = CameraBench("cam", LAYOUT, camera, frame=lambda: kept, hidden=since, path=Path("nowhere"))
    first, again = bench.picture(), bench.picture()
    assert not isinstance(first, Unseen)
    assert not isinstance(again, Unseen)
    assert again[0] is first[0]
    hidden = ("burn", "player1")
    assert bench.picture() not in (first, kept)
    hidden = ()
    assert bench.picture() == kept
    assert came == [NOW_MS] * 4


def test_a_picture_that_is_none_costs_no_error(camera: Camera) -> None:
    jpeg = camera.jpeg()
    assert jpeg is not None
    size = jpeg[0].find(b"\xff\xc0") + 5
    for broken in (b"", b"\xff\xd8", jpeg[0][:size] + b"\xea\x60\xea\x60" + jpeg[0][size + 4 :]):
        bench = CameraBench(
            "cam", LAYOUT, camera, frame=lambda: (broken, NOW_MS), hidden=lambda _: ("burn",), path=Path("nowhere")  # noqa: B023
        )  # fmt: skip
        assert bench.picture() is Unseen.BROKEN
        assert bench.explained() is Unseen.BROKEN


def test_no_signal_is_no_picture(camera: Camera) -> None:
    camera.signal = False
    assert camera.bench.picture() is Unseen.NONE
    assert camera.bench.picture_ms is None
    with pytest.raises(RefusedError, match="gives no picture"):
        camera.bench.propose([(0, 0)] * 4)
    camera.came_ms = NOW_MS
    assert camera.bench.picture() is Unseen.AWAITED, "one came, and the watcher has not looked at it yet"


# --- calibrating -----------------------------------------------------------------------------------------


def test_the_places_lie_over_the_picture(camera: Camera) -> None:
    outlines = camera.bench.outlines
    assert {one.zone for one in outlines} == {"player1", "player2", "player3", "banker", "burn", "discard"}
    assert len(outlines) == 17
    assert all(0 < x < 1 and 0 < y < 1 for one in outlines for x, y in one.points)


def test_four_corners_make_a_calibration_that_the_watcher_takes_and_the_file_keeps(
    camera: Camera, tmp_path: Path
) -> None:
    corners = camera.bench.marked()
    camera.calibration = None
    proposal = camera.bench.propose(corners)
    assert camera.bench.outlines == ()
    assert (len(proposal.outlines), proposal.warnings) == (17, ())
    assert proposal.card_px > 100
    camera.bench.calibrate(corners)
    assert camera.bench.corners == pytest.approx(np.array(corners), abs=0.002)
    kept = load(tmp_path / "calibrations" / "cam.json", LAYOUT)
    assert kept.frame_px == (1280, 720)
    assert kept.empty is not None


def test_a_picture_with_cards_is_not_kept_as_the_bare_felt(camera: Camera, tmp_path: Path) -> None:
    camera.felt.lay("player1", 1, Card.parse("Kh"), CardFace.UP)
    proposal = camera.bench.calibrate(camera.bench.marked())
    assert any("clear the felt" in warning for warning in proposal.warnings)
    assert load(tmp_path / "calibrations" / "cam.json", LAYOUT).empty is None


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        pytest.param([(0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9)], "do not go round", id="crossed"),
        pytest.param([(0.1, 0.1), (0.1, 0.9), (0.9, 0.9), (0.9, 0.1)], "do not go round", id="the wrong way"),
        pytest.param([(0.1, 0.1), (0.12, 0.1), (0.12, 0.12), (0.1, 0.12)], "too close together", id="tiny"),
        pytest.param([(0.1, 0.1)], "four corners", id="one corner"),
    ],
)
def test_corners_that_are_no_felt_are_refused(camera: Camera, corners: list[tuple[float, float]], says: str) -> None:
    before = camera.calibration
    with pytest.raises(RefusedError, match=says):
        camera.bench.calibrate(corners)
    assert camera.calibration is before


def test_a_disk_that_takes_nothing_is_said_and_the_watcher_keeps_what_it_has(camera: Camera, tmp_path: Path) -> None:
    corners, before = camera.bench.marked(), camera.calibration
    (tmp_path / "calibrations").write_text("a file, no folder")
    with pytest.raises(RefusedError, match="cannot be written"):
        camera.bench.calibrate(corners)
    assert camera.calibration is before


# --- ladder and self-test --------------------------------------------------------------------------------


def ladder(camera: Camera, now_ms: int = NOW_MS) -> list[str]:
    return [rung.state for rung in camera.bench.ladder(now_ms)]


def test_the_ladder_follows_what_the_camera_says(camera: Camera) -> None:
    assert ladder(camera)[0] == "waiting"
    camera.bench.note([LinkUp(device="cam", at_ms=1, url="")])
    assert ladder(camera) == ["good", "good", "good", "waiting"]
    camera.bench.note([CameraBlind(device="cam", at_ms=2, reason="dark")])
    assert camera.bench.ladder(NOW_MS)[2].key == "felt.dark"
    camera.bench.note(
        [CameraSeesAgain(device="cam", at_ms=3), CameraSawEmpty(device="cam", at_ms=3, zone="burn", place=1)]
    )
    assert ladder(camera)[2] == "good"
    assert ladder(camera, NOW_MS + 9_000)[1] == "bad"
    camera.came_ms = NOW_MS + 8_800  # this machine is full and has not looked at it: no cable is at fault
    assert ladder(camera, NOW_MS + 9_000) == ["good", "good", "good", "waiting"]
    camera.bench.note([LinkDown(device="cam", at_ms=4, url="", reason="Plug it in.")])
    assert ladder(camera)[0] == "bad"


def test_a_camera_that_was_switched_off_and_on_is_not_blind_for_what_it_was_before(camera: Camera) -> None:
    camera.bench.note([LinkUp(device="cam", at_ms=1, url=""), CameraBlind(device="cam", at_ms=2, reason="frozen")])
    camera.bench.note(
        [LinkDown(device="cam", at_ms=4, url="", reason="Plug it in."), LinkUp(device="cam", at_ms=5, url="")]
    )
    assert ladder(camera)[2] == "good"


def findings(camera: Camera, *, closed: bool = True) -> dict[str, str]:
    return {one.key: one.state for one in camera_findings(camera.bench, NOW_MS, faces_in if closed else None)}


@pytest.mark.long
def test_a_camera_that_hangs_well_passes_its_test(camera: Camera) -> None:
    camera.felt.lay("player1", 1, Card.parse("Kh"), CardFace.UP)
    found = findings(camera)
    assert set(found.values()) == {"good"}, found
    assert {"picture.good", "markers.all", "error.good", "size.good", "reads.good"} <= set(found)


def test_no_card_is_read_by_the_test_of_an_open_tables_camera(camera: Camera) -> None:
    camera.felt.lay("player1", 1, Card.parse("Kh"), CardFace.UP)
    assert findings(camera, closed=False)["reads.open"] == "skipped"


def test_no_signal_fails_the_test(camera: Camera) -> None:
    camera.signal = False
    assert findings(camera) == {"picture.none": "bad"}


def test_a_felt_that_is_not_found_fails_the_test(camera: Camera) -> None:
    camera.calibration = None
    assert findings(camera)["felt.lost"] == "bad"
