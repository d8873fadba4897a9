"""Where frames come from; a missing source is a value with a sentence."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from devices.camera.source.live import Gone, open_source


def test_a_simulated_camera_gives_a_fresh_frame_at_every_grab():
    source = open_source("sim://felt", {"felt": lambda now_ms: np.full((4, 4, 3), now_ms, np.uint8)})
    assert source.grab(7)[0, 0, 0] == 7
    assert source.grab(8)[0, 0, 0] == 8
    source.close()
    assert isinstance(source.grab(9), Gone)


def test_a_folder_gives_its_pictures_by_name_and_then_nothing_more(tmp_path):
    for name, level in (("b.png", 20), ("a.png", 10)):
        cv2.imwrite(str(tmp_path / name), np.full((8, 8, 3), level, np.uint8))
    (tmp_path / "c.jpg").write_bytes(b"no picture")
    source = open_source(str(tmp_path))
    assert [source.grab(0)[0, 0, 0], source.grab(0)[0, 0, 0], source.grab(0)] == [10, 20, None]
    source.close()


def test_a_film_is_gone_at_its_end(tmp_path):
    film = str(tmp_path / "two.avi")
    writer = cv2.VideoWriter(film, cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for level in (10, 200):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    source = open_source(film)
    assert source.grab(0).shape == (48, 64, 3)
    assert source.grab(100) is not None
    assert "at its end" in source.grab(200).reason
    source.close()


@pytest.mark.parametrize("url", ["sim://nowhere", "/no/such/film.mp4"])
def test_what_is_not_there_says_so_at_the_first_grab(url):
    source = open_source(url)
    gone = source.grab(0)
    assert isinstance(gone, Gone)
    assert gone.reason.endswith(".")
    source.close()


def test_an_empty_folder_and_a_file_that_is_no_film_are_gone_with_a_sentence(tmp_path):
    assert "holds no picture" in open_source(str(tmp_path)).grab(0).reason
    text = tmp_path / "text.mp4"
    text.write_text("no film")
    source = open_source(str(text))
    assert "cannot be read as a film" in source.grab(0).reason
    source.close()
