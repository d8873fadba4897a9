"""`studio devices read-cards`: one line a picture, and a bad file stops nobody."""

from __future__ import annotations

import json

import cv2
import pytest
from click.testing import CliRunner

from bench.table_picture import table_picture
from devices.camera.cli import read_cards
from devices.sim.picture.felt_render import FeltLook


@pytest.fixture(scope="module")
def picture(tmp_path_factory) -> str:
    file = tmp_path_factory.mktemp("pictures") / "table.png"
    cv2.imwrite(str(file), table_picture(3, FeltLook(hands=False)).picture)
    return str(file)


def test_each_picture_is_one_json_object_on_one_line(picture):
    done = CliRunner().invoke(read_cards, ["--json", picture, picture])
    assert done.exit_code == 0
    lines = [json.loads(line) for line in done.output.splitlines()]
    assert [line["image"] for line in lines] == [picture, picture]
    assert set(lines[0]) == {"image", "ms", "cards"}
    assert {card["face"] for card in lines[0]["cards"]} <= {"up", "down", "unknown"}
    for card in lines[0]["cards"]:
        assert set(card) == {"card", "face", "confidence", "quad"}
        assert (card["card"] is not None) == (card["face"] == "up")
        assert len(card["quad"]) == 4
        assert 0 <= card["confidence"] <= 1


def test_a_wrong_file_gives_an_error_line_and_the_rest_goes_on(picture, tmp_path):
    text, empty = tmp_path / "text.jpg", tmp_path / "empty.jpg"
    text.write_text("no picture")
    empty.touch()
    names = [str(tmp_path / "none.jpg"), str(text), str(empty), str(tmp_path), picture]
    done = CliRunner().invoke(read_cards, ["--json", *names])
    assert done.exit_code == 1
    lines = [json.loads(line) for line in done.output.splitlines()]
    assert [line["image"] for line in lines] == names
    assert ["error" in line for line in lines] == [True, True, True, True, False]
    assert all(line["error"].endswith(".") for line in lines[:4])


def test_people_get_words(picture):
    done = CliRunner().invoke(read_cards, [picture])
    assert "face down" in done.output
    assert "ms)" in done.output
