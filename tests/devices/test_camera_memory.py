"""Fans after the program was restarted: what the kept pictures tell of covered cards, and what they do not."""

from __future__ import annotations

import functools
import hashlib
import random

import cv2
import numpy as np
import pytest

from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import layout_for
from devices.camera.picture.frame import note_of, with_note
from devices.camera.place.memory import remembered
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from studio.cards import Card, Sealer
from studio.ports import CameraSawCard, CardFace

UP, DOWN = CardFace.UP, CardFace.DOWN
LAYOUT = layout_for({"1": 20, "2": 20, "dealer": 12})
READER = CardReader()


class Kept:
    def __init__(self) -> None:
        self.pictures: dict[str, bytes] = {}

    def keep(self, picture: bytes) -> str:
        digest = hashlib.sha256(picture).hexdigest()
        self.pictures[digest] = picture
        return digest


@functools.cache
def camera() -> FeltRenderer:
    return FeltRenderer(SimFelt(LAYOUT, random.Random(1)), 1, FeltLook(hands=False))


class Bench:
    """A felt of fans under one camera, whose program may be started again."""

    def __init__(self) -> None:
        self.felt = SimFelt(LAYOUT, random.Random(1))
        self.camera = camera().over(self.felt)
        self.kept = Kept()
        self.told: dict[tuple[str, int], CameraSawCard] = {}
        self.now_ms = 0
        self.start()

    def start(self, **changed: bytes) -> None:
        """Start the program; it remembers the last picture of each place."""
        source = open_source("sim://felt", {"felt": self.camera.frame})
        settings = WatchSettings(reader=READER, evidence=self.kept)
        self.watcher = Watcher(source, LAYOUT, Sealer(random.Random(1).randbytes), settings=settings)
        pictures = {slot: self.kept.pictures[one.evidence] for slot, one in self.told.items() if one.evidence}
        self.watcher.remember(pictures)
        self.told = {}

    def sees(self, wait_ms: int = 900) -> dict[str, str]:
        """What is told of each place with a card."""
        for _ in range(wait_ms // 100):
            self.now_ms += 100
            for one in self.watcher.step(self.now_ms):
                if isinstance(one, CameraSawCard):
                    self.told[one.zone, one.place] = one
        return {
            f"{zone} {place}": str(one.card.card()) if one.card else one.face.value
            for (zone, place), one in sorted(self.told.items())
        }

    def lay(self, zone: str, *cards: str, face: CardFace = UP, first: int = 1) -> None:
        for place, card in enumerate(cards, first):
            self.felt.lay(zone, place, Card.parse(card), face)
            self.sees()


@pytest.fixture
def bench():
    built = Bench()
    built.sees(600)
    built.lay("1", "5s", "Jd", "2c")
    return built


def test_covered_cards_that_show_the_same_strip_are_known_after_a_restart(bench):
    bench.lay("dealer", "Kh")
    bench.lay("dealer", "9s", face=DOWN, first=2)
    for _ in range(2):
        bench.start()
        assert bench.sees() == {"1 1": "5s", "1 2": "Jd", "1 3": "2c", "dealer 1": "Kh", "dealer 2": "down"}
        assert all(one.evidence for one in bench.told.values())


def test_without_pictures_covered_cards_are_unsure_after_a_restart(bench):
    bench.kept.pictures = dict.fromkeys(bench.kept.pictures, b"")
    bench.start()
    assert bench.sees(1_500) == {"1 1": "unsure", "1 2": "unsure", "1 3": "2c"}


def test_a_covered_card_exchanged_while_the_program_was_away_is_unsure(bench):
    bench.felt.take("1", 1)
    bench.felt.lay("1", 1, Card.parse("7h"), UP)
    bench.start()
    assert bench.sees() == {"1 1": "unsure", "1 2": "Jd", "1 3": "2c"}


def test_another_hand_laid_while_the_program_was_away_is_read_as_it_lies(bench):
    bench.felt.clear()
    bench.felt.lay("1", 1, Card.parse("8h"), UP)
    bench.start()
    assert bench.sees() == {"1 1": "8h"}


def test_a_felt_cleared_while_the_program_was_away_is_bare(bench):
    bench.felt.clear()
    bench.start()
    assert bench.sees() == {}


def test_a_kept_picture_that_another_network_read_or_that_is_damaged_tells_nothing(bench):
    picture = bench.kept.pictures[bench.told["1", 3].evidence]
    assert remembered(picture, READER.digest).said.card is Card.parse("2c")
    assert "2c" not in repr(remembered(picture, READER.digest))
    assert remembered(picture, "another") is None
    note = note_of(picture)
    plain = cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))[1].tobytes()
    for changed in ({"scores": [[1]]}, {"scores": "x"}, {"quad": None}, {"quad": [[1e999, 0]] * 4}, {"scores": None}):
        assert remembered(with_note(plain, {**note, **changed}), READER.digest) is None
    for broken in (b"", b"\xff\xd8\xff\xfe", picture[:40], b"\xff\xd8\xff\xfe\x00\x09{nojson"):
        assert remembered(broken, READER.digest) is None
