"""What goes wrong while a studio lives: cables and machines, the disk, the clock, screens that are lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.rehearsal.own_hands.breakage import BREAKS
from dealer_ui.rehearsal.repertoire.by_machine import OTHER
from soak.process import RunningStudio
from soak.tester import Screen

DEVICES: Final = tuple(one for one in BREAKS if one.plain and one.name != OTHER)
BROKEN_S: Final = (2.0, 15.0)
FULL_S: Final = (2.0, 8.0)
ROOM_BYTES: Final = (4_096, 65_536)
JUMPS_S: Final = (-86_400.0, -3_600.0, -90.0, 90.0, 3_600.0, 86_400.0)

Later = Callable[[float, Callable[[], object]], None]
"""After so many seconds, this."""


@dataclass(slots=True)
class Blows:
    """Deals out blows to one living studio, from a seed. `told` is what was done, in words, with how often."""

    studio: RunningStudio
    screen: Screen
    rng: random.Random
    later: Later
    told: dict[str, int] = field(default_factory=dict)

    def strike(self) -> None:
        """One blow; what is broken by it is mended some seconds later."""
        [blow] = self.rng.choices((self._device, self._disk, self._clock, self._screen), (12, 2, 1, 1))
        what = blow()
        self.told[what] = self.told.get(what, 0) + 1

    def _device(self) -> str:
        table, broken = self.rng.choice(self.studio.tables), self.rng.choice(DEVICES)
        self.studio.ask("break", table=table, what=broken.key)
        if not broken.momentary:
            again = self.rng.uniform(*BROKEN_S)
            self.later(again, lambda: self.studio.ask("break", table=table, what=broken.key))
        return broken.key

    def _disk(self) -> str:
        self.studio.disk_takes(self.rng.choice(ROOM_BYTES))
        self.later(self.rng.uniform(*FULL_S), lambda: self.studio.disk_takes(None))
        return "disk full"

    def _clock(self) -> str:
        self.studio.ask("jump", by_s=self.rng.choice(JUMPS_S))
        return "clock moved"

    def _screen(self) -> str:
        self.screen.close()
        return "screen lost"
