"""An MJPEG stream is cut into its pictures as they came; a slow reader gets the newest."""

from __future__ import annotations

import socket
import threading
from contextlib import closing, contextmanager

import cv2
import numpy as np
import pytest
from patience import PATIENCE_MS, PATIENCE_S, wait_until

from devices.camera.picture.frame import PackedPicture
from devices.camera.source.live import StreamSource
from devices.camera.source.mjpeg import BrokenStreamError, NoStreamError, PictureStream

HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=%b\r\n\r\n"


def jpeg(level: int) -> bytes:
    return cv2.imencode(".jpg", np.full((16, 16, 3), level, np.uint8))[1].tobytes()


ONE, TWO = jpeg(40), jpeg(200)


def sized(picture, boundary=b"--frame"):
    return b"%b\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (boundary, len(picture), picture)


def unsized(picture, boundary=b"--frame"):
    return b"%b\r\nContent-type: image/jpeg\r\n\r\n%b\r\n" % (boundary, picture)


def chunked(data):
    cut = [data[at : at + 100] for at in range(0, len(data), 100)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in cut) + b"0\r\n\r\n"


@contextmanager
def served(*answers, requests=None):
    """A camera that gives each client the next answer and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            for answer in answers:
                client, _ = server.accept()
                with client:
                    asked = client.recv(65_536)
                    if requests is not None:
                        requests.append(asked)
                    client.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join(PATIENCE_S)


PATIENT = {"open_s": PATIENCE_S, "read_s": PATIENCE_S}


def pictures_of(answer):
    """Every picture up to the stream's end, or to where it breaks."""
    found = []
    with (
        served(answer) as place,
        closing(PictureStream(f"http://{place}/felt.mjpg", **PATIENT)) as stream,
    ):
        while True:
            try:
                found.append(stream.read())
            except BrokenStreamError:
                return found


@pytest.mark.parametrize(
    ("boundary", "body"),
    [
        pytest.param(b"frame", sized(ONE) + sized(TWO), id="with lengths"),
        pytest.param(b"frame", unsized(ONE) + unsized(TWO), id="without lengths"),
        pytest.param(b"--frame", sized(ONE) + sized(TWO), id="boundary named with its dashes"),
        pytest.param(b'"frame"', sized(ONE) + sized(TWO), id="boundary in quotes"),
        pytest.param(b"frame", b"\r\n" + sized(ONE) + b"\r\n\r\n" + sized(TWO), id="empty lines between"),
        pytest.param(b"frame", sized(ONE, b"frame") + sized(TWO, b"frame"), id="boundary without dashes"),
        pytest.param(b"frame", sized(ONE + b"\0\0") + sized(TWO + b"\0\0"), id="padded pictures"),
    ],
)
def test_pictures_come_out_as_they_went_in(boundary, body):
    found = [picture.rstrip(b"\0") for picture in pictures_of(HEAD % boundary + body)]
    assert found == [ONE, TWO]


def test_a_chunked_answer_is_put_together_first():
    head = (
        (HEAD % b"frame")
        .replace(b"HTTP/1.0", b"HTTP/1.1")
        .replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n")
    )
    assert pictures_of(head + chunked(sized(ONE) + unsized(TWO))) == [ONE, TWO]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(sized(TWO)[:-40], id="cut short"),
        pytest.param(sized(b"no picture"), id="no picture"),
        pytest.param(sized(TWO[:-2]), id="a picture without its end"),
        pytest.param(b"--frame\r\nContent-Length: 99999999\r\n\r\n", id="larger than any picture"),
        pytest.param(b"--frame\r\n" + b"X-Filler: y\r\n" * 60, id="headers without end"),
        pytest.param(b"--frame\r\nX-Filler: " + b"y" * 2_000 + b"\r\n\r\n", id="a header without end"),
        pytest.param(b"something else\r\n", id="no boundary"),
    ],
)
def test_what_is_no_picture_ends_the_stream(broken):
    assert pictures_of(HEAD % b"frame" + sized(ONE) + broken + sized(TWO)) == [ONE]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"HTTP/1.0 401 Unauthorized\r\n\r\n", "401"),
        (b"HTTP/1.0 200 OK\r\nContent-Type: video/mp4\r\n\r\n", "video/mp4"),
        (b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace\r\n\r\n", "boundary"),
        (b"RTSP/1.0 nonsense\r\n\r\n", "no HTTP"),
    ],
)
def test_another_service_is_left_to_another_reader(answer, why):
    with served(answer) as place, pytest.raises(NoStreamError, match=why):
        PictureStream(f"http://{place}/", **PATIENT)


def test_a_login_in_the_address_is_sent_as_one():
    asked: list[bytes] = []
    with served(HEAD % b"frame", requests=asked) as place:
        PictureStream(f"http://eye:s%20t@{place}/cam?res=720", **PATIENT).close()
    assert asked[0].startswith(b"GET /cam?res=720 HTTP/1.1\r\n")
    assert b"Authorization: Basic ZXllOnMgdA==" in asked[0]


def test_a_slow_reader_is_given_the_newest_picture_and_told_how_many_it_missed(monkeypatch):
    monkeypatch.setattr("devices.camera.source.live._PAUSE_MS", PATIENCE_MS)
    levels = (10, 60, 110, 160, 210)
    body = HEAD % b"frame" + b"".join(sized(jpeg(level)) for level in levels)
    now_s = 50.0
    gate = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            client, _ = server.accept()
            with client:
                client.recv(65_536)
                client.sendall(body)
                gate.wait(PATIENCE_S)

        thread = threading.Thread(target=serve)
        thread.start()
        source = StreamSource(f"http://127.0.0.1:{server.getsockname()[1]}/felt.mjpg", clock_s=lambda: now_s)
        try:
            wait_until(lambda: source.flow.taken == len(levels))
            now_s += 0.4
            assert source.wait(PATIENCE_S)
            frame = source.grab(0)
            assert isinstance(frame, PackedPicture)
            assert abs(int(frame.whole[8, 8, 0]) - 210) < 4
            assert (source.flow.taken, source.flow.skipped, round(source.flow.age_ms)) == (5, 4, 400)
            assert source.grab(0) is None
            assert not source.wait(0.01)
        finally:
            gate.set()
            source.close()
            thread.join(PATIENCE_S)


def test_only_a_picture_that_was_waited_for_is_known_to_be_new():
    """Three lie in the socket when the reader comes to them, after seconds; the fourth is sent while it waits."""
    now_s, ask, waits = 50.0, threading.Event(), threading.Event()

    def clock_s():
        return now_s

    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            nonlocal now_s
            client, _ = server.accept()
            with client:
                client.recv(65_536)
                client.sendall(HEAD % b"frame" + sized(ONE) * 3)
                ask.set()
                waits.wait(PATIENCE_S)
                now_s = 58.0
                client.sendall(sized(TWO))

        thread = threading.Thread(target=serve)
        thread.start()
        place = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with closing(PictureStream(place, **PATIENT, clock_s=clock_s)) as stream:
            assert ask.wait(PATIENCE_S)
            now_s = 56.0
            assert [(stream.read(), stream.taken_s) for _ in range(3)] == [(ONE, 50.0)] * 3
            threading.Timer(0.2, waits.set).start()
            assert (stream.read(), stream.taken_s) == (TWO, 58.0)
        thread.join(PATIENCE_S)
