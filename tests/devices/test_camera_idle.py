"""A camera over a felt that nobody touches: hours of noise and of fading light are no news, and no picture is kept."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import cv2
import pytest

from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import layout_for
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltRenderer
from studio.cards import Card, Sealer
from studio.games import find_game
from studio.ports import CameraSawCard, CameraSawEmpty, CardFace, LinkUp, Observation

FRAMES = 24
"""So many pictures, each with a noise of its own, go round."""
STEP_MS = 2_000
HOUR_MS = 3_600_000


class Kept:
    def __init__(self) -> None:
        self.pictures = 0

    def keep(self, picture: bytes) -> str:
        self.pictures += 1
        return f"{self.pictures:064d}"


def dusk(pictures: list[Pixels], for_ms: int) -> Iterator[Pixels]:
    """The same felt from noon to dusk and half way back."""
    for now_ms in range(0, for_ms, STEP_MS):
        light = 1 + 0.25 * math.sin(1.5 * math.pi * now_ms / for_ms)
        yield cv2.convertScaleAbs(pictures[now_ms // STEP_MS % len(pictures)], alpha=light)


def watched(game: str, kept: Kept, for_ms: int) -> list[Observation]:
    layout = layout_for(find_game(game).felt.zones)
    felt = SimFelt(layout, random.Random(1))
    if game == "three_knights":
        felt.lay("player1", 1, Card.parse("8s"), CardFace.DOWN)
        felt.lay("banker", 1, Card.parse("Kh"), CardFace.UP)
    camera = FeltRenderer(felt, 3)
    pictures = [camera.frame(10_000 + 80 * number) for number in range(FRAMES)]
    light = dusk(pictures, for_ms)
    source = open_source("sim://felt", {"felt": lambda now_ms: next(light)})
    settings = WatchSettings(reader=CardReader(), evidence=kept)
    watcher = Watcher(source, layout, Sealer(random.Random(2).randbytes), settings=settings)
    return [one for now_ms in range(0, for_ms, STEP_MS) for one in watcher.step(now_ms)]


@pytest.mark.parametrize("game", ["three_knights", pytest.param("blackjack", marks=pytest.mark.long)])
@pytest.mark.parametrize("hours", [0.1, pytest.param(1.5, marks=pytest.mark.night)])
def test_a_felt_that_nobody_touches_is_told_once(game: str, hours: float) -> None:
    kept = Kept()
    seen = watched(game, kept, round(hours * HOUR_MS))
    assert {type(one) for one in seen} <= {LinkUp, CameraSawEmpty, CameraSawCard}
    cards = [(one.zone, one.face) for one in seen if isinstance(one, CameraSawCard)]
    assert len(cards) == len(set(cards)) == (2 if game == "three_knights" else 0)
    assert kept.pictures <= len(cards)
    places = [(one.zone, one.place) for one in seen if isinstance(one, CameraSawEmpty)]
    assert len(places) == len(set(places))
