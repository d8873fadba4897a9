"""The table's picture on the page of a bettor who plays: the camera, or the media server of the configuration."""

from __future__ import annotations

import threading
from typing import Any

import cv2
import numpy as np
from flask.testing import FlaskClient
from test_play_page import Floor, app, client, clock, floor, look, page_for  # noqa: F401 - fixtures

from dealer_ui.config.file import TableSection
from dealer_ui.frame.picture_rack import OLD_MS, PictureRack
from dealer_ui.live.telling import Rest
from dealer_ui.pages.play.table_picture import Video, moving_picture


def jpeg(shade: int) -> bytes:
    good, encoded = cv2.imencode(".jpg", np.full((90, 160, 3), shade, np.uint8))
    assert good
    return encoded.tobytes()


def told(floor: Any, looks: int) -> list[bytes]:  # noqa: F811
    """What is sent in so many looks, the camera giving another picture before each."""
    telling, parts = moving_picture(floor, PictureRack(floor), "t1", lambda: True, threading.Event()), []
    for shade in range(looks):
        floor.now += 1_000
        floor.picture = (jpeg(shade * 20), floor.now)
        while not isinstance(said := next(telling), Rest):
            parts.append(said)
    return parts


def test_the_camera_is_told_picture_by_picture(floor: Floor) -> None:  # noqa: F811
    parts = told(floor, 3)
    assert len(parts) == 3
    assert all(part.startswith(b"--picture\r\nContent-Type: image/jpeg\r\n") for part in parts)


def test_a_closed_table_shows_nothing(floor: Floor) -> None:  # noqa: F811
    floor.show(now={"status": "closed"})
    assert told(floor, 2) == []


def test_a_picture_that_is_old_is_none(floor: Floor) -> None:  # noqa: F811
    floor.picture = (jpeg(9), floor.now - OLD_MS - 1)
    assert PictureRack(floor).live("t1", "medium") == b""  # type: ignore[arg-type]


def test_whoever_only_looks_on_gets_no_picture(client: FlaskClient) -> None:  # noqa: F811
    assert client.get(f"{page_for(client)}/picture").status_code == 204


def test_a_media_server_is_named_and_allowed(client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    address = "https://media.example:8443/t1/whep"
    section = TableSection(key="t1", title="Clash 1", game="kkclash", video=address)
    floor.config = floor.config.model_copy(update={"tables": (section,)})
    path = page_for(client, plays=True)
    assert f'data-whep="{address}"' in look(client, path)
    policy = client.get(path).headers["Content-Security-Policy"]
    assert "connect-src 'self' https://media.example:8443; media-src https://media.example:8443" in policy
    assert Video("https://media.example/t1.m3u8?key=1").kind == "hls"
