"""The only place where one simulated table's machines are put together, on the far side of their wires."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from devices.camera.layout import layout_for
from devices.catalogue import DriverSpec, build_driver
from devices.link import LineSettings, open_link
from devices.shoe.barcode import REPEAT_MS
from devices.sim.eye import EyeModel, SeededEye
from devices.sim.far_end import Pacing
from devices.sim.felt import Felt
from devices.sim.shoe import SimShoe
from devices.sim.shoe_voice import SHOES
from devices.sim.shuffler import ShuffleTimes, SimShuffler
from devices.supervisor import Pace, Supervisor
from devices.wire import PatchBay, Wire
from studio.cards import DECK, Card, Sealer
from studio.games import find_game
from studio.ports import Device
from studio.tables.config import TableConfig

SHUFFLER_LINE = LineSettings(baud=9600)


@dataclass(frozen=True, slots=True)
class RigOptions:
    """`speed` divides every wait of the machines. `paced`: bytes take the time they take on a real line.

    `shoe`: the driver whose protocol the simulated shoe speaks.
    """

    seed: int
    speed: float = 1.0
    paced: bool = True
    eye: EyeModel = field(default_factory=EyeModel)
    times: ShuffleTimes = field(default_factory=ShuffleTimes)
    read_timeout_s: float = 0.0
    shoe: str = "angel_eye"


class Rig:
    """The shoe, the shuffler and the felt of one simulated table, and their wires.

    Everything a simulated dealer does with his hands goes through here, under one lock: the machines may be
    pumped by one thread while a person draws a card on another.
    """

    def __init__(self, config: TableConfig, options: RigOptions) -> None:
        self.config = config
        self.rng = random.Random(f"{options.seed}/{config.key}/machines")
        self._options = options
        self._lock = threading.RLock()
        self.wires = {config.shoe: Wire(), config.shuffler: Wire()}
        self.bay = PatchBay()
        for name, wire in self.wires.items():
            self.bay.plug(f"{config.key}/{name}", wire)
        self.shoe = SimShoe(
            self.wires[config.shoe], self.rng, _pacing(SHOES[options.shoe].line, options), driver=options.shoe
        )
        pacing = _pacing(SHUFFLER_LINE, options)
        self.shuffler = SimShuffler(
            self.wires[config.shuffler], self.rng, pacing, times=options.times, decks=find_game(config.game).decks
        )
        self.felt = Felt(layout_for(find_game(config.game).zones), random.Random(f"{options.seed}/{config.key}/felt"))

    def power_on(self) -> None:
        with self._lock:
            self.shoe.power_on()
            self.shuffler.power_on()

    def pump(self, now_ms: int) -> None:
        """Let the machines go on; whoever owns the clock calls it."""
        with self._lock:
            self.shoe.step(now_ms)
            self.shuffler.step(now_ms)

    def do(self, act: Callable[[Rig], Card | None]) -> Card | None:
        """One thing a dealer's hands do, undisturbed by the pump."""
        with self._lock:
            return act(self)

    def fresh_deck(self) -> list[Card]:
        """The cards of a whole deck, as they come from the discard."""
        deck = list(DECK) * find_game(self.config.game).decks
        self.rng.shuffle(deck)
        return deck

    def devices(self, sealer: Sealer, camera: Device | None = None) -> Sequence[Device]:
        """The drivers on our side of the wires, and the camera (the seeded model of the reader unless given)."""
        serial = [
            self._supervisor(self.config.shoe, self._options.shoe, sealer),
            self._supervisor(self.config.shuffler, "generic", sealer),
        ]
        return (*serial, camera or self.eye(sealer))

    def eye(self, sealer: Sealer) -> SeededEye:
        rng = random.Random(f"{self._options.seed}/{self.config.key}/eye")
        model = self._options.eye.faster(self._options.speed)
        return SeededEye(self.felt, sealer, rng, id=self.config.camera, model=model)

    def _supervisor(self, device: str, driver: str, sealer: Sealer) -> Supervisor:
        return Supervisor(
            device,
            f"sim://{self.config.key}/{device}",
            open_link=partial(open_link, bay=self.bay, read_timeout_s=self._options.read_timeout_s),
            driver=build_driver(driver, DriverSpec(device, sealer, repeat_ms=round(REPEAT_MS / self._options.speed))),
            sealer=sealer,
            pace=Pace(down_wait_s=self._options.read_timeout_s),
        )


def _pacing(line: LineSettings, options: RigOptions) -> Pacing:
    return Pacing(line if options.paced else None, options.speed)
