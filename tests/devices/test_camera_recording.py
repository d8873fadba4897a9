"""Films and folders as cameras: their pace, their end, files that vanish and come back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from devices.camera.pace.load import Flowing
from devices.camera.picture.frame import Gone
from devices.camera.source.recording import FilmSource, FolderSource


def film(path, levels=(10, 60, 110, 160), fps=10):
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for level in levels:
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return str(path)


def level(frame) -> int:
    return round(float(frame.mean()), -1)


def picture(path, grey: int):
    cv2.imwrite(str(path), np.full((8, 8, 3), grey, np.uint8))


# --- films --------------------------------------------------------------------------------------------------


def test_a_film_is_played_at_its_own_pace(tmp_path):
    source = FilmSource(film(tmp_path / "four.avi"))
    assert level(source.grab(1_000)) == 10
    assert [source.grab(at) for at in (1_020, 1_099)] == [None, None]
    assert level(source.grab(1_100)) == 60
    assert isinstance(source, Flowing)
    assert (source.flow.taken, source.flow.skipped) == (2, 0)
    source.close()


def test_a_film_that_is_grabbed_too_seldom_leaves_frames_out(tmp_path):
    source = FilmSource(film(tmp_path / "four.avi"))
    source.grab(0)
    assert level(source.grab(310)) == 160
    assert (source.flow.taken, source.flow.skipped) == (4, 2)
    source.close()


def test_a_film_is_gone_at_its_end_and_begins_when_another_lies_there(tmp_path):
    source = FilmSource(film(tmp_path / "film.avi", levels=(10, 200)))
    assert [level(source.grab(at)) for at in (0, 100)] == [10, 200]
    assert "at its end" in source.grab(200).reason
    assert "at its end" in source.grab(5_000).reason
    film(tmp_path / "film.avi", levels=(90, 90, 90))
    later = [source.grab(at) for at in range(5_100, 8_000, 100)]
    assert isinstance(later[0], Gone)
    assert 90 in [level(one) for one in later if isinstance(one, np.ndarray)]
    source.close()


def test_a_film_that_is_not_there_is_looked_for_with_growing_pauses(tmp_path, monkeypatch):
    tries: list[int] = []
    now = [0]
    source = FilmSource(str(tmp_path / "late.avi"))
    look = source._open
    monkeypatch.setattr(source, "_open", lambda now_ms: (tries.append(now_ms), look(now_ms))[1])
    for now[0] in range(0, 10_000, 50):
        assert "no camera, film or folder" in source.grab(now[0]).reason
    assert tries == [0, 250, 750, 1_750, 3_750, 5_750, 7_750, 9_750]
    film(tmp_path / "late.avi")
    assert level(source.grab(11_800)) == 10
    source.close()


def test_a_file_that_is_no_film_says_so_and_is_not_opened_again_until_it_changes(tmp_path):
    path = tmp_path / "text.mp4"
    path.write_text("no film")
    source = FilmSource(str(path))
    assert "cannot be read as a film" in source.grab(0).reason
    assert "cannot be read as a film" in source.grab(3_000).reason
    film(tmp_path / "other.avi")
    (tmp_path / "other.avi").replace(path)
    assert level(source.grab(6_000)) == 10
    source.close()


def test_a_film_that_vanishes_while_it_plays_plays_on_or_is_gone_and_comes_back(tmp_path):
    path = tmp_path / "film.avi"
    source = FilmSource(film(path, levels=(10, 10)))
    source.grab(0)
    path.unlink()
    assert [type(source.grab(at)).__name__ for at in (100, 200, 3_000)] == ["ndarray", "Gone", "Gone"]
    assert "no camera, film or folder" in source.grab(6_000).reason
    film(path, levels=(150,))
    assert level(source.grab(9_000)) == 150
    source.close()


# --- folders ------------------------------------------------------------------------------------------------


def test_pictures_that_come_later_are_given_as_they_come_each_once(tmp_path):
    picture(tmp_path / "001.png", 10)
    source = FolderSource(str(tmp_path))
    assert level(source.grab(0)) == 10
    assert source.grab(100) is None
    picture(tmp_path / "002.png", 20)
    picture(tmp_path / "003.png", 30)
    assert source.grab(200) is None
    assert [level(source.grab(at)) for at in (300, 310)] == [20, 30]
    assert source.grab(900) is None
    assert source.flow.taken == 3
    source.close()
    assert source.grab(2_000) is None


def test_a_picture_that_is_still_being_written_is_waited_for_and_a_broken_one_left_out(tmp_path):
    picture(tmp_path / "whole.png", 50)
    whole = (tmp_path / "whole.png").read_bytes()
    (tmp_path / "whole.png").unlink()
    (tmp_path / "001.png").write_bytes(b"")
    source = FolderSource(str(tmp_path))
    assert source.grab(0) is None
    (tmp_path / "001.png").write_bytes(whole)
    assert level(source.grab(20)) == 50
    (tmp_path / "002.png").write_bytes(b"never a picture")
    assert [source.grab(at) for at in range(300, 2_000, 50)] == [None] * 34
    (tmp_path / "003.png").write_bytes(whole)
    assert level(source.grab(2_500)) == 50
    source.close()


def test_a_folder_that_vanishes_is_gone_and_goes_on_when_it_is_back(tmp_path):
    folder = tmp_path / "camera"
    folder.mkdir()
    picture(folder / "001.png", 10)
    source = FolderSource(str(folder))
    assert level(source.grab(0)) == 10
    folder.rename(tmp_path / "away")
    assert "no folder" in source.grab(300).reason
    assert "no folder" in source.grab(400).reason
    (tmp_path / "away").rename(folder)
    picture(folder / "002.png", 20)
    assert level(source.grab(3_000)) == 20
    source.close()


def test_an_empty_folder_says_so_until_pictures_are_put_into_it(tmp_path):
    source = FolderSource(str(tmp_path))
    assert "holds no picture" in source.grab(0).reason
    picture(tmp_path / "001.jpg", 70)
    assert level(source.grab(2_500)) == 70
    source.close()


@pytest.mark.parametrize("kind", [FilmSource, FolderSource])
def test_a_source_that_is_closed_before_it_was_used_is_closed(tmp_path, kind):
    kind(str(tmp_path / "nowhere")).close()
