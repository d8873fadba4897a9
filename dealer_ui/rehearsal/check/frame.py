"""Looks at a simulated night through real eyes: the felt rendered, watched and read."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from dealer_ui.rehearsal.night import Night
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher
from devices.sim.felt import LyingCard
from devices.sim.picture.felt_render import FeltRenderer
from studio.cards import Sealer
from studio.ports import CameraSawCard, CardFace
from studio.spoken import Slot

_FRAMES: Final = 30
_FRAME_MS: Final = 80


class FrameCheck:
    """The real camera on the felt of a night: it agrees with every card that lies there, or is not sure of it."""

    def __init__(self, night: Night) -> None:
        self.read = 0
        """Cards named, or seen face down."""
        self.unsure = 0
        self._night = night
        self._renderer = FeltRenderer(night.rig.felt, night.options.seed)
        self._sealer = Sealer(random.Random(f"{night.options.seed}/frames").randbytes)

    def look(self) -> Iterator[str]:
        """Look at the felt as it lies now; gives a sentence for each card that is seen wrongly."""
        felt = self._night.rig.felt
        watcher = Watcher(open_source("sim://felt", {"felt": self._renderer.frame}), felt.layout, self._sealer)
        try:
            yield from self._compare(self._told(watcher), felt.view().top())
        finally:
            watcher.close()

    def _told(self, watcher: Watcher) -> dict[Slot, CameraSawCard]:
        """The last word on every place that holds a card."""
        told = {}
        for frame in range(_FRAMES):
            for seen in watcher.step(self._night.now_ms + frame * _FRAME_MS):
                if isinstance(seen, CameraSawCard):
                    told[seen.zone, seen.place] = seen
        return told

    def _compare(self, told: dict[Slot, CameraSawCard], lying: dict[Slot, LyingCard]) -> Iterator[str]:
        for (zone, place), seen in told.items():
            there = lying.get((zone, place))
            if seen.face is CardFace.UNSURE:
                self.unsure += 1
            elif there is None:
                yield f"The camera sees a card at {zone} {place}, and none lies there."
            elif seen.face is not there.face or (seen.card is not None and seen.card.card() is not there.card):
                word = str(seen.card.card()) if seen.card is not None else str(seen.face)
                yield f"The camera reads {word} at {zone} {place}, and {there.card} lies there {there.face}."
            else:
                self.read += 1
