"""Pictures that come packed: unpacked no further than they are looked at, and what is no picture has not come."""

from __future__ import annotations

import random
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from devices.camera.felt.layout import layout_for
from devices.camera.picture.frame import BrokenPictureError, PackedPicture, decoded, whole_of
from devices.camera.picture.gate import DIFFERENT, thumbnail
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.watch import Watcher
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltRenderer
from studio.cards import Card, Sealer
from studio.games import find_game
from studio.ports import CameraSawCard, CardFace, LinkUp

LAYOUT = layout_for(find_game("three_knights").felt.zones)
FRAME_MS = 100
UNEVEN = ((1283, 721), (320, 180), (200, 90))


def packed(frame: Pixels) -> bytes:
    return cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, 85))[1].tobytes()


def scene(width: int, height: int) -> Pixels:
    """Soft shapes, as a camera's pictures have them."""
    rough = np.random.default_rng(7).integers(0, 255, (9, 16, 3), np.uint8)
    return cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)


def is_whole(picture: PackedPicture) -> bool:
    return "whole" in vars(picture)


@pytest.mark.parametrize(
    "size", [(1280, 720), (1920, 1080), (640, 480), (2560, 1440), (1283, 721), (320, 180), (200, 90)]
)
def test_the_thumbnail_of_a_packed_picture_is_that_of_the_whole(size: tuple[int, int]) -> None:
    data = packed(scene(*size))
    picture, whole = PackedPicture(data), decoded(data)
    assert whole is not None
    assert picture.thumb.shape == (180, 320, 3)
    assert cv2.norm(picture.thumb, thumbnail(whole), cv2.NORM_INF) < DIFFERENT
    assert picture.size_px == size
    assert is_whole(picture) == (size in UNEVEN), "a part of it is no mean of whole pixels"
    assert np.array_equal(picture.whole, whole)
    assert picture.size_px == size


@pytest.mark.parametrize("size", [(1280, 720), (1282, 722), (1283, 721), (1366, 768), (1920, 1080), (2590, 1942)])
def test_a_felt_looks_the_same_packed_and_whole_and_whoever_looks(size: tuple[int, int]) -> None:
    felt = SimFelt(LAYOUT, random.Random(2))
    felt.lay("player1", 1, Card.parse("2h"), CardFace.UP)
    felt.lay("player2", 1, Card.parse("Ks"), CardFace.DOWN)
    data = packed(cv2.resize(FeltRenderer(felt, 3).frame(0), size, interpolation=cv2.INTER_CUBIC))
    whole = decoded(data)
    assert whole is not None
    calm, looked_at = PackedPicture(data), PackedPicture(data)
    assert looked_at.whole.shape == (size[1], size[0], 3)
    assert np.array_equal(calm.thumb, looked_at.thumb)
    assert cv2.norm(calm.thumb, thumbnail(whole), cv2.NORM_INF) < DIFFERENT


def test_the_size_of_a_picture_that_is_to_be_turned_is_as_it_stands() -> None:
    data = packed(scene(640, 360))
    turned = (
        data[:2] + b"\xff\xe1\x00\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0" + data[2:]
    )
    lazy, eager = PackedPicture(turned), PackedPicture(turned)
    assert eager.whole.shape[:2] == (640, 360)
    assert lazy.size_px == eager.size_px == (360, 640)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8\xff\xd9", b"GIF89a" + bytes(500)], ids=["empty", "ends", "another kind"]
)
def test_what_is_no_picture_says_so_at_every_look(data: bytes) -> None:
    for look in ("thumb", "size_px", "whole"):
        with pytest.raises(BrokenPictureError):
            getattr(PackedPicture(data), look)
    assert whole_of(PackedPicture(data)) is None


class Stream:
    """A camera over a felt whose pictures come packed; `broken` ones are no pictures."""

    url = "sim://packed"

    def __init__(self, felt: SimFelt) -> None:
        self._frames = FeltRenderer(felt, 3)
        self.broken = False
        self.given: list[PackedPicture] = []

    def grab(self, now_ms: int) -> PackedPicture:
        data = packed(self._frames.frame(now_ms))
        self.given.append(PackedPicture(b"\xff\xd8" + data[600:] if self.broken else data))
        return self.given[-1]

    def close(self) -> None:
        pass


@pytest.fixture
def watched() -> Iterator[tuple[SimFelt, Stream, Watcher]]:
    felt = SimFelt(LAYOUT, random.Random(2))
    stream = Stream(felt)
    watcher = Watcher(stream, LAYOUT, Sealer(random.Random(1).randbytes))
    yield felt, stream, watcher
    watcher.close()


def test_a_felt_on_which_nothing_moves_is_looked_at_without_unpacking_it(
    watched: tuple[SimFelt, Stream, Watcher],
) -> None:
    felt, stream, watcher = watched
    for number in range(20):
        watcher.step(number * FRAME_MS)
    del stream.given[:]
    said = [seen for number in range(20, 60) for seen in watcher.step(number * FRAME_MS)]
    assert said == []
    assert sum(map(is_whole, stream.given)) <= 40 * FRAME_MS // 2_000 + 1
    felt.lay("player1", 1, Card.parse("2h"), CardFace.UP)
    said = [seen for number in range(60, 80) for seen in watcher.step(number * FRAME_MS)]
    assert [seen.zone for seen in said if isinstance(seen, CameraSawCard)] == ["player1"]


def test_a_broken_picture_between_good_ones_is_as_if_it_had_not_come(watched: tuple[SimFelt, Stream, Watcher]) -> None:
    _, stream, watcher = watched
    stream.broken = True
    assert [seen for number in range(5) for seen in watcher.step(number * FRAME_MS)] == []
    stream.broken = False
    assert isinstance(watcher.step(5 * FRAME_MS)[0], LinkUp)
    for number in range(6, 26):
        watcher.step(number * FRAME_MS)
        stream.broken = not stream.broken
    stream.broken = False
    assert [seen for number in range(26, 40) for seen in watcher.step(number * FRAME_MS)] == []
    assert watcher.calibration is not None


def test_what_only_moves_over_an_open_card_is_not_unpacked_until_it_rests(
    watched: tuple[SimFelt, Stream, Watcher],
) -> None:
    felt, stream, watcher = watched
    felt.lay("player1", 1, Card.parse("2h"), CardFace.UP)
    for number in range(30):
        watcher.step(number * FRAME_MS)
    del stream.given[:]
    for number in range(30, 36):
        felt.hand_over("player1", 1, on=number % 2 == 0)
        watcher.step(number * FRAME_MS)
    assert sum(map(is_whole, stream.given)) <= 1
    del stream.given[:]
    for number in range(36, 50):
        watcher.step(number * FRAME_MS)
    assert sum(map(is_whole, stream.given)) >= 2
