"""A network camera that misbehaves: every fault of its stream is told, none is waited for, and it is found again."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from patience import LOOK_S, PATIENCE_MS, PATIENCE_S, wait_until

from devices.camera.picture.frame import PackedPicture
from devices.camera.source.live import Gone, StreamSource, open_source

HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=cut\r\n\r\n"


def jpeg(level: int, size: tuple[int, int] = (48, 64)) -> bytes:
    return cv2.imencode(".jpg", np.full((*size, 3), level, np.uint8))[1].tobytes()


def part(picture: bytes, *, sized: bool = True) -> bytes:
    length = b"Content-Length: %d\r\n" % len(picture) if sized else b""
    return b"--cut\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + picture + b"\r\n"


Script = Callable[[socket.socket, threading.Event], None]


class Camera:
    """Serves one connection after the other, each by the next of its scripts, the last one again and again; `visited`
    is told of each."""

    def __init__(self, *scripts: Script, visited: Callable[[], None] = lambda: None) -> None:
        self._scripts = scripts
        self._visited = visited
        self.visits = 0
        self.over = threading.Event()
        self._door = socket.create_server(("127.0.0.1", 0))
        self._door.settimeout(0.05)
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}/felt.mjpg"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self.over.is_set():
            try:
                line, _ = self._door.accept()
            except TimeoutError:
                continue
            with line:
                line.settimeout(PATIENCE_S)
                self._visited()
                script = self._scripts[min(self.visits, len(self._scripts) - 1)]
                self.visits += 1
                try:
                    line.recv(4096)
                    script(line, self.over)
                except OSError:
                    continue

    def close(self) -> None:
        self.over.set()
        self._thread.join()
        self._door.close()


def sends(*pieces: bytes, then: str = "hang up") -> Script:
    def script(line: socket.socket, over: threading.Event) -> None:
        for piece in (HEAD, *pieces):
            line.sendall(piece)
        while then == "stall" and not over.is_set() and _is_held(line):
            pass

    return script


def _is_held(line: socket.socket) -> bool:
    """Whether the other end still holds the line; looks for a twentieth of a second."""
    line.settimeout(0.05)
    try:
        return bool(line.recv(1))
    except TimeoutError:
        return True


def streams(level: int, size: tuple[int, int] = (48, 64)) -> Script:
    def script(line: socket.socket, over: threading.Event) -> None:
        line.sendall(HEAD)
        while not over.wait(0.02):
            line.sendall(part(jpeg(level, size)))

    return script


@pytest.fixture
def watch(monkeypatch):
    """Open a camera's stream; everything is closed at the end. `fails`: its first connection may pause for a moment
    only, as one that stalls for ever; those after it as long as a busy machine makes them."""
    monkeypatch.setattr("devices.camera.source.live._READ_MS", 150)
    monkeypatch.setattr("devices.camera.source.live._REOPEN_S", (0.01, 0.02))
    opened: list = []

    def pause(at_most_ms: int) -> None:
        monkeypatch.setattr("devices.camera.source.live._PAUSE_MS", at_most_ms)

    def open_(*scripts: Script, fails: bool = False):
        pause(150 if fails else PATIENCE_MS)
        camera = Camera(*scripts, visited=lambda: pause(PATIENCE_MS))
        source = open_source(camera.url)
        opened.extend((source, camera))
        return camera, source

    yield open_
    for one in opened:
        one.close()


def told(source: StreamSource, until: Callable[[object], bool]) -> list:
    """What is grabbed, nothing left out, up to the first that is wanted."""
    pause, seen = threading.Event(), []
    for _ in range(int(PATIENCE_S / LOOK_S)):
        grabbed = source.grab(0)
        if grabbed is not None:
            seen.append(grabbed)
            if until(grabbed):
                return seen
        pause.wait(LOOK_S)
    raise AssertionError(f"it never came; there were {[type(one).__name__ for one in seen]}")


def gone(grabbed: object) -> bool:
    return isinstance(grabbed, Gone)


def of_level(level: int) -> Callable[[object], bool]:
    return lambda grabbed: isinstance(grabbed, PackedPicture) and abs(float(grabbed.whole.mean()) - level) < 4


FAULTS = {
    "it stalls": sends(part(jpeg(60)), then="stall"),
    "it stalls within a frame": sends(part(jpeg(60))[:-200], then="stall"),
    "it breaks off within a frame": sends(part(jpeg(60))[:-200]),
    "it breaks off within a frame without a length": sends(part(jpeg(60), sized=False)[:-200]),
    "garbage after a frame": sends(part(jpeg(60)), bytes(range(256)) * 40),
    "garbage at once": sends(bytes(range(256)) * 40),
    "a frame that is no JPEG": sends(part(b"GIF89a" + bytes(500))),
    "a frame of no bytes": sends(part(b"")),
    "a frame larger than any": sends(b"--cut\r\nContent-Length: 99999999999\r\n\r\n" + jpeg(60)),
    "a length that is no number": sends(b"--cut\r\nContent-Length: x\r\n\r\n" + jpeg(60)[:-2]),
    "headers without end": sends(b"--cut\r\n" + b"X: y\r\n" * 500),
    "a line without end": sends(b"-" * 100_000),
    "nothing": sends(),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_stream_that_fails_is_gone_and_is_found_again(watch, fault):
    camera, source = watch(fault, streams(200), fails=True)
    seen = told(source, of_level(200))
    assert any(gone(one) for one in seen)
    assert all(gone(one) or of_level(60)(one) or of_level(200)(one) for one in seen)
    assert all(one.reason.endswith(".") for one in seen if gone(one))
    assert camera.visits == 2


@pytest.mark.parametrize("sized", [True, False])
def test_a_stream_with_and_without_lengths_is_read(watch, sized):
    _, source = watch(sends(*[part(jpeg(level), sized=sized) for level in (40, 90, 140)], then="stall"))
    assert of_level(140)(told(source, of_level(140))[-1])
    assert (source.flow.taken, source.flow.skipped) >= (3, 0)


def test_a_picture_that_changes_its_size_is_given_as_it_is(watch):
    def script(line: socket.socket, over: threading.Event) -> None:
        line.sendall(HEAD)
        number = 0
        while not over.wait(0.01):
            number += 1
            line.sendall(part(jpeg(90, (48, 64) if number % 8 < 4 else (96, 128))))

    _, source = watch(script)
    sizes = {one.size_px for one in told(source, lambda one: one.size_px[1] == 96)}
    sizes |= {one.size_px for one in told(source, lambda one: one.size_px[1] == 48)}
    assert sizes == {(64, 48), (128, 96)}


def test_a_camera_that_accepts_and_says_nothing_is_not_called_without_pause(watch, monkeypatch):
    monkeypatch.setattr("devices.camera.source.live._REOPEN_S", (0.01, 0.02, 60.0))
    camera, source = watch(sends())
    pause = threading.Event()
    for _ in range(60):
        pause.wait(0.005)
        source.grab(0)
    assert camera.visits <= 4


def test_a_picture_that_lay_there_too_long_is_never_taken_for_live(monkeypatch):
    monkeypatch.setattr("devices.camera.source.live._PAUSE_MS", PATIENCE_MS)
    clock = [100.0]
    camera = Camera(sends(part(jpeg(60)), then="stall"))
    source = StreamSource(camera.url, lambda: clock[0])
    assert source.wait(PATIENCE_S)
    clock[0] += 2.5
    assert source.grab(0) is None
    assert (source.flow.taken, source.flow.skipped) == (1, 1)
    source.close()
    camera.close()


def test_only_the_newest_picture_is_kept_however_many_come(watch):
    pictures = [part(jpeg(level)) for level in range(0, 250, 2)]
    _, source = watch(sends(*pictures, then="stall"))
    wait_until(lambda: source.flow.taken == len(pictures))
    assert of_level(248)(source.grab(0))
    assert source.grab(0) is None
    assert (source.flow.taken, source.flow.skipped) == (125, 124)


@pytest.mark.parametrize(
    "url", ["http://[nowhere/felt.mjpg", "http://127.0.0.1:notaport/", "/dev/video93", "/dev/v4l/by-id/none", "93"]
)
def test_an_address_that_is_none_is_gone_with_a_sentence(url):
    source = open_source(url)
    assert told(source, gone)[-1].reason.endswith(".")
    source.close()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.0 401 Unauthorized\r\n\r\n", "correct the user and the password"),
        (b"HTTP/1.0 403 Forbidden\r\n\r\n", "correct the user and the password"),
        (b"HTTP/1.0 404 Not Found\r\n\r\n", "correct its address"),
        (b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "correct its address"),
    ],
    ids=["a wrong password", "a user without the right", "no such path", "a page"],
)
def test_a_camera_that_answers_and_gives_no_stream_is_told_as_that(watch, answer, said):
    _, source = watch(lambda line, over: line.sendall(answer))
    seen = told(source, lambda grabbed: gone(grabbed) and "gives no picture" not in grabbed.reason)
    assert said in seen[-1].reason


def test_a_film_at_an_address_that_ends_is_not_told_as_no_stream(watch, tmp_path):
    film = tmp_path / "felt.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(10):
        writer.write(np.full((48, 64, 3), 120, np.uint8))
    writer.release()
    body = film.read_bytes()
    head = b"HTTP/1.0 200 OK\r\nContent-Type: video/avi\r\nContent-Length: %d\r\n\r\n" % len(body)
    _, source = watch(lambda line, over: line.sendall(head + body))
    seen = told(source, gone)
    assert source.flow.taken, "it was not opened at all"
    assert "gives no picture" in seen[-1].reason
