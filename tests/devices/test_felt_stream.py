"""The simulated camera as a network camera: a real MJPEG stream, opened by OpenCV."""

from __future__ import annotations

import itertools
import random
import threading

import cv2
import pytest
from patience import LOOK_S, PATIENCE_S

from devices.camera.felt.layout import layout_for
from devices.camera.picture.frame import PackedPicture
from devices.camera.source.live import Gone, open_source
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltRenderer
from devices.sim.picture.mjpeg import MjpegServer


@pytest.fixture
def server():
    renderer = FeltRenderer(SimFelt(layout_for({"banker": 3}), random.Random(1)), 1)
    ticks = itertools.count(step=40)
    built = MjpegServer(lambda: renderer.frame(next(ticks)), fps=50).start()
    yield built
    built.close()


def next_of(source, wanted):
    """The next grab of the wanted kind; waits on the stream's own pace."""
    pause = threading.Event()
    for _ in range(int(PATIENCE_S / LOOK_S)):
        grabbed = source.grab(0)
        if isinstance(grabbed, wanted):
            return grabbed
        pause.wait(LOOK_S)
    raise AssertionError(f"no {wanted} came")


def test_opencv_opens_the_stream_like_any_network_camera(server):
    capture = cv2.VideoCapture(server.url, cv2.CAP_FFMPEG)
    read, frame = capture.read()
    capture.release()
    assert read
    assert frame.shape == (720, 1280, 3)


def test_a_source_follows_the_stream_through_a_pulled_cable(server):
    source = open_source(server.url)
    assert next_of(source, PackedPicture).whole.shape == (720, 1280, 3)
    server.plug(on=False)
    gone = next_of(source, Gone)
    assert "check its cable" in gone.reason
    server.plug(on=True)
    assert next_of(source, PackedPicture).whole.shape == (720, 1280, 3)
    source.close()


def test_a_stream_that_nobody_serves_is_gone_with_a_sentence():
    source = open_source("http://127.0.0.1:9/felt.mjpg")
    assert next_of(source, Gone).reason.endswith(".")
    source.close()


def test_closing_the_server_ends_its_streams(server):
    source = open_source(server.url)
    next_of(source, PackedPicture)
    server.close()
    next_of(source, Gone)
    source.close()
