"""The only place that measures how long a frame with sixteen cards takes to read, on one processor core."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from statistics import median

import cv2
import numpy as np

from bench.figure import Figure
from devices.camera.layout import layout_for
from devices.camera.reader import CardReader
from devices.camera.rectify import Pixels
from devices.sim.felt import Felt
from devices.sim.felt_render import FeltRenderer
from studio.cards import DECK
from studio.games import find_game
from studio.ports import CardFace

TIMES = 15


def measure() -> Sequence[Figure]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        frame, reader = _frame(), CardReader()
        found = reader.read(frame)
        seen = sum(1 for card in found if card.face is not CardFace.UNSURE)
        whole = median(_ms(lambda: reader.read(frame)) for _ in range(TIMES))
        cards = [np.zeros((128, 96, 3), np.uint8)] * 16
        network = median(_ms(lambda: reader.scores(cards)) for _ in range(TIMES))
        decoding = median(_ms(_decoded(frame)) for _ in range(TIMES))
    finally:
        cv2.setNumThreads(threads)
    return [
        Figure(
            name=f"1280×720, 16 cards laid, {seen} read", value=whole, unit="ms", raw=network,
            raw_name="network alone", target="16 read", holds=seen == 16,
        ),
        Figure(
            name="the same, beside decoding the frame", value=whole, unit="ms", raw=decoding,
            raw_name="JPEG decode, blur",
        ),
    ]  # fmt: skip


def _frame() -> Pixels:
    """Twelve cards face up and four burned, as a round of Three Knights lies on the felt."""
    zones = find_game("three_knights").zones
    rng = random.Random(1)
    deck = list(DECK)
    rng.shuffle(deck)
    felt = Felt(layout_for(zones), rng)
    for zone, places in zones.items():
        for place in range(1, places + 1):
            if zone != "discard":
                felt.lay(zone, place, deck.pop(), CardFace.DOWN if zone == "burn" else CardFace.UP)
    picture = FeltRenderer(felt, 1).frame(60_000)
    assert picture.shape == (720, 1280, 3), picture.shape
    return picture


def _decoded(frame: Pixels) -> Callable[[], object]:
    jpeg = cv2.imencode(".jpg", frame)[1]

    def decode() -> object:
        picture = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
        assert picture is not None
        return cv2.GaussianBlur(picture, (5, 5), 0)

    return decode


def _ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3
