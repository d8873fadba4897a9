"""Measures how long a frame takes to read on one core: sixteen cards, six, one, none that moved.

Times are the processor's, not the clock's: they stand on a machine that has other work too.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from statistics import median

import cv2
import numpy as np

from bench.figure import Figure
from devices.camera.face.reader import CardReader
from devices.camera.felt.calibration import calibrate
from devices.camera.felt.layout import layout_for
from devices.camera.picture.gate import thumbnail
from devices.camera.picture.quadrilateral import CARD_PX, Pixels
from devices.camera.place.sight import Sight
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltRenderer
from studio.cards import DECK
from studio.games import find_game
from studio.ports import CardFace

TIMES = 15


def measure() -> Sequence[Figure]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return [*_reading(), *_watching()]
    finally:
        cv2.setNumThreads(threads)


def _reading() -> Sequence[Figure]:
    frame, few, reader = _frame(), _frame(most=6), CardReader()
    found = reader.read(frame)
    seen = sum(1 for card in found if card.face is not CardFace.UNSURE)
    whole = median(_ms(lambda: reader.read(frame)) for _ in range(TIMES))
    cards = [np.zeros((CARD_PX[1], CARD_PX[0], 3), np.uint8)] * 16
    network = median(_ms(lambda: reader.scores(cards)) for _ in range(TIMES))
    decoding = median(_ms(_decoded(frame)) for _ in range(TIMES))
    six = median(_ms(lambda: reader.read(few)) for _ in range(TIMES))
    network_six = median(_ms(lambda: reader.scores(cards[:6])) for _ in range(TIMES))
    return [
        Figure(
            name=f"1280×720, 16 cards laid, {seen} read", value=whole, unit="ms", raw=network,
            raw_name="network alone", target="16 read", holds=seen == 16,
        ),
        Figure(
            name="the same, beside decoding the frame", value=whole, unit="ms", raw=decoding,
            raw_name="JPEG decode, blur",
        ),
        Figure(
            name="6 cards laid (aim: 25 ms)", value=six, unit="ms", raw=network_six, raw_name="network alone",
        ),
        Figure(
            name="a card of them (aim: 3 ms)", value=six / 6, unit="ms", raw=network_six / 6, raw_name="network alone",
        ),
    ]  # fmt: skip


def _watching() -> Sequence[Figure]:
    """What a calibrated felt costs while nothing changes."""
    frame = _frame()
    calibration = calibrate(frame, layout_for(find_game("three_knights").felt.zones))
    assert calibration is not None, "The markers of a rendered felt are always found."
    sight = Sight(calibration, thumbnail(frame))
    gate = median(_ms(lambda: sight.changes(thumbnail(frame))) for _ in range(TIMES * 4))
    copying = median(_ms(lambda: frame.copy()) for _ in range(TIMES * 4))
    return [
        Figure(name="nothing changed (aim: 1 ms)", value=gate, unit="ms", raw=copying, raw_name="copy of the frame"),
    ]


def _frame(most: int = 16) -> Pixels:
    """Twelve cards face up and four burned, as a round of Three Knights lies on the felt; or the first of them."""
    zones = find_game("three_knights").felt.zones
    rng = random.Random(1)
    deck = list(DECK)
    rng.shuffle(deck)
    felt = SimFelt(layout_for(zones), rng)
    for zone, places in zones.items():
        for place in range(1, places + 1):
            if zone != "discard" and len(felt.view().cards) < most:
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
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1e3
