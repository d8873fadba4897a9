"""Measures what watching the felt of Blackjack costs: an unchanged frame, and cards being laid."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from statistics import mean, median

import cv2

from bench.figure import Figure
from devices.camera.felt.layout import layout_for
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltRenderer
from studio.cards import DECK, Sealer
from studio.games import find_game
from studio.ports import CameraSawCard, CardFace

FRAME_MS = 80
IDLE_FRAMES = 100
CARDS = 21
FRAMES_A_CARD = 12
IDLE_MS_MAX = 1.0


def measure() -> Sequence[Figure]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return _watched(_Table())
    finally:
        cv2.setNumThreads(threads)


class _Table:
    """A watcher over a rendered felt; the frames are drawn before they are timed."""

    def __init__(self) -> None:
        self.felt = SimFelt(layout_for(find_game("blackjack").felt.zones), random.Random(1))
        self.read = 0
        self._camera = FeltRenderer(self.felt, 1)
        self._frame = self._camera.frame(0)
        source = open_source("sim://felt", {"felt": self._picture})
        self._watcher = Watcher(source, self.felt.layout, Sealer(random.Random(2).randbytes))
        self._now_ms = 0

    def frames(self, count: int) -> Iterator[float]:
        """How many milliseconds of a processor each of these frames took."""
        for _ in range(count):
            self._now_ms += FRAME_MS
            self._frame = self._camera.frame(self._now_ms)
            began = time.thread_time()
            said = self._watcher.step(self._now_ms)
            yield (time.thread_time() - began) * 1e3
            self.read += sum(isinstance(one, CameraSawCard) and one.card is not None for one in said)

    def _picture(self, now_ms: int) -> Pixels:
        return self._frame


def _watched(table: _Table) -> Sequence[Figure]:
    rng = random.Random(3)
    for _ in table.frames(30):
        pass
    taken: list[float] = []
    for at in range(CARDS):
        table.felt.lay(str(at % 7 + 1), at // 7 + 1, rng.choice(DECK), CardFace.UP)
        taken += table.frames(FRAMES_A_CARD)
    idle = median(table.frames(IDLE_FRAMES))
    return [
        Figure(
            name="1920×1080, a frame in which nothing changes", value=idle, unit="ms",
            target=f"≤ {IDLE_MS_MAX:g} ms", holds=idle <= IDLE_MS_MAX,
        ),
        Figure(
            name=f"the same while {CARDS} cards are laid, {table.read} read", value=mean(taken), unit="ms",
            raw=max(taken), raw_name="the slowest frame", target=f"{CARDS} read", holds=table.read == CARDS,
        ),
    ]  # fmt: skip
