"""`devices calibrate` and `devices enrol` as a technician types them, on pictures of the simulated felt and deck."""

from __future__ import annotations

import json
import random
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from dealer_ui.cli import main
from devices.camera.face.deck import NAMES, load_deck
from devices.camera.felt.calibration_file import load
from devices.camera.felt.layout import layout_for
from devices.sim.felt import SimFelt
from devices.sim.picture.deck_art import HOUSE_POKER, draw_face
from devices.sim.picture.deck_back import draw_back
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.technician.picture_cli import name_in
from studio.cards import Card
from studio.games import find_game

LAYOUT = layout_for(find_game("three_knights").felt.zones)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["devices", *arguments])


@pytest.fixture(scope="module")
def felt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("felt") / "felt.png"
    picture = FeltRenderer(SimFelt(LAYOUT, random.Random(1)), 7, FeltLook(hands=False)).frame(0)
    cv2.imwrite(str(path), picture)
    return path


def test_a_camera_is_calibrated_by_the_markers_in_a_picture(felt: Path, tmp_path: Path) -> None:
    file = tmp_path / "camera.json"
    result = run("calibrate", str(felt), str(file), "--game", "three_knights", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["markers_seen"], told["warnings"]) == (4, [])
    assert load(file, LAYOUT).empty is not None


def test_a_camera_is_calibrated_by_corners_somebody_measured(felt: Path, tmp_path: Path) -> None:
    run("calibrate", str(felt), str(tmp_path / "a.json"), "--game", "three_knights")
    measured = load(tmp_path / "a.json", LAYOUT).corners_px
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in measured)
    zones = "player1=3,player2=3,player3=3,banker=3,burn=4"
    result = run("calibrate", str(felt), str(tmp_path / "b.json"), "--zones", zones, "--corners", corners)
    assert result.exit_code == 0, result.output
    assert np.abs(load(tmp_path / "b.json", LAYOUT).corners_px - measured).max() < 0.2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["--zones", "player1"], "Say whose felt it is", id="no felt"),
        pytest.param(["--zones", "player1=²"], "Say whose felt it is", id="a digit that is none"),
        pytest.param(["--zones", f"player1={'9' * 5000}"], "Say whose felt it is", id="a number of many digits"),
        pytest.param(["--game", "poker"], "poker", id="no game"),
        pytest.param(["--game", "kkclash", "--corners", "1,2 3"], "Write four corners", id="no corners"),
        pytest.param(["--game", "kkclash", "--corners", "1,2 3,4"], "Click the four corners", id="two corners"),
    ],
)
def test_what_cannot_be_calibrated_is_said(felt: Path, tmp_path: Path, arguments: list[str], says: str) -> None:
    result = run("calibrate", str(felt), str(tmp_path / "a.json"), *arguments)
    assert (result.exit_code, says in result.output) == (1, True), result.output
    assert not (tmp_path / "a.json").exists()


def test_a_picture_without_markers_asks_for_corners(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((360, 640, 3), 90, np.uint8))
    result = run("calibrate", str(tmp_path / "bare.png"), str(tmp_path / "a.json"), "--game", "three_knights")
    assert "give --corners" in result.output
    (tmp_path / "words.png").write_text("no picture")
    for name, says in (("words.png", "no picture that can be read"), ("none.png", "no such file; check the name")):
        assert says in run("calibrate", str(tmp_path / name), "a.json", "--game", "three_knights").output


@pytest.mark.parametrize(
    ("stem", "name"), [("As", "As"), ("10h", "Th"), ("td_2", "Td"), ("back-1", "back"), ("IMG_12", ""), ("1c", "")]
)
def test_a_picture_may_be_called_as_its_card(stem: str, name: str) -> None:
    assert name_in(stem) == name


def _show(card: str, folder: Path) -> None:
    drawn = draw_back(5, 3.5) if card == "back" else draw_face(HOUSE_POKER, Card.parse(card), 3.5)
    height, width = drawn.shape[:2]
    cloth = np.full((height + 200, width + 240, 3), (60, 90, 30), np.float32)
    cover = drawn[:, :, 3:].astype(np.float32) / 255
    there = cloth[100 : 100 + height, 120 : 120 + width]
    there[:] = there * (1 - cover) + drawn[:, :, :3] * cover
    cv2.imwrite(str(folder / f"{card}.png"), cloth.astype(np.uint8))


def test_a_deck_that_lacks_cards_is_not_enrolled(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    shown.mkdir()
    _show("As", shown)
    result = run("enrol", str(shown), str(tmp_path / "deck.npz"), "--json")
    assert json.loads(result.stdout.splitlines()[0]) == {"file": "As.png", "card": "As", "refused": None, "missing": 52}
    assert "52 of 53 were not shown yet" in result.output
    assert not (tmp_path / "deck.npz").exists()


@pytest.mark.long
def test_a_deck_is_enrolled_from_a_folder_of_pictures(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    shown.mkdir()
    for name in NAMES:
        _show(name, shown)
    result = run("enrol", str(shown), str(tmp_path / "house.deck"), "--name", "house")
    assert result.exit_code == 0, result.output
    assert load_deck(tmp_path / "house.deck").name == "house"


@pytest.mark.parametrize("verb", [("calibrate", "--game", "three_knights"), ("enrol",)])
def test_a_source_that_is_not_there_is_said_and_not_that_its_cards_were_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]
) -> None:
    monkeypatch.setattr("devices.technician.picture_cli.PATIENCE_MS", 200)
    result = run(verb[0], str(tmp_path / "nothing"), str(tmp_path / "out"), *verb[1:])
    assert result.exit_code == 1
    assert f"There is no camera, film or folder {tmp_path / 'nothing'}" in result.output
    assert "not shown" not in result.output
