"""One simulated table's machines, put together on the far side of their wires."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import msgspec

from dealer_ui.rehearsal.machine.plug_board import PlugBoard
from devices.camera.felt.layout import layout_for
from devices.catalogue import DriverSpec, build_driver, commands_of
from devices.link import LineSettings
from devices.shoe.barcode import REPEAT_MS
from devices.sim.eye.seeded_eye import EyeModel, SeededEye
from devices.sim.felt import SimFelt
from devices.sim.wire.far_end import Pacing
from devices.sim.wire.shoe import SimShoe
from devices.sim.wire.shoe_voice import SHOES
from devices.sim.wire.shuffler import SERIAL, ShuffleTimes, SimShuffler
from devices.supervisor import LinkPace, Supervisor
from devices.wire import Wire
from studio.cards import DECK, Card, Sealer
from studio.games import find_game
from studio.hands.poker import SHORT_DECK
from studio.ports import CardFace, Device
from studio.rulebook.script import Rules
from studio.spoken import Slot
from studio.tables.config import TableConfig

SHUFFLER_LINE = LineSettings(baud=9600)
QUICK_SHUFFLE: Final = ShuffleTimes(loading_ms=800, shuffling_ms=2_500, verifying_ms=1_200)
"""A newcomer should not wait half a minute for the first card."""


@dataclass(frozen=True, slots=True)
class RigOptions:
    """`speed` divides every wait of the machines. `paced`: bytes take the time they take on a real line.

    `shoe`: the driver whose protocol the simulated shoe speaks; `commands`: people may send the machines some.
    """

    seed: int
    speed: float = 1.0
    paced: bool = True
    eye: EyeModel = field(default_factory=EyeModel)
    times: ShuffleTimes = field(default_factory=ShuffleTimes)
    read_timeout_s: float = 0.0
    shoe: str = "angel_eye"
    commands: bool = False
    lock_when_idle: bool = False


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
        self.board = PlugBoard(config.key, (config.shoe, config.shuffler), options.read_timeout_s)
        self.bay = self.board.bay
        self.wires = {device: self.board.own(device) for device in (config.shoe, config.shuffler)}
        self.shoe = self._shoe(self.board.own(config.shoe))
        self.shuffler = self._shuffler(self.board.own(config.shuffler))
        self._own = (self.shoe, self.shuffler)
        self.keep: Callable[[], None] = lambda: None
        """Called before anything goes onto a line: what a machine has told of is on no account forgotten."""
        self.felt = SimFelt(
            layout_for(find_game(config.game).felt.zones), random.Random(f"{options.seed}/{config.key}/felt")
        )

    # --- machines that come and go --------------------------------------------------------------------

    def put_other_shoe(self) -> None:
        """Another shoe, empty and switched on, stands in place of the table's own."""
        with self._lock:
            self.shoe = self._shoe(self.board.put_instead(self.config.shoe))
            self.shoe.power_on()

    def put_other_shuffler(self) -> None:
        """Another shuffler, empty and switched on, stands in place of the table's own."""
        with self._lock:
            self.shuffler = self._shuffler(self.board.put_instead(self.config.shuffler), serial="SPARE-7")
            self.shuffler.power_on()

    def put_own_back(self, device: str) -> None:
        """The table's own machine stands in its place again, as it was left."""
        with self._lock:
            self.board.put_back(device)
            if device == self.config.shoe:
                self.shoe = self._own[0]
                self.shoe.switch_off("unplug")
            else:
                self.shuffler = self._own[1]
                self.shuffler.switch_off("unplug")

    def _shoe(self, wire: Wire) -> SimShoe:
        driver = self._options.shoe
        return SimShoe(wire, self.rng, _pacing(SHOES[driver].line, self._options), driver=driver)

    def _shuffler(self, wire: Wire, serial: str = SERIAL) -> SimShuffler:
        pacing, deck = _pacing(SHUFFLER_LINE, self._options), whole_deck(self.config.game, self.config.rules)
        return SimShuffler(wire, self.rng, pacing, times=self._options.times, deck=deck, serial=serial)

    def follow(self, game: str, rules: Rules) -> None:
        """The table deals another game, or from more decks: its machines are set for it. Its cloth is laid by whoever
        lays the felt.
        """
        if (game, rules) != (self.config.game, self.config.rules):
            with self._lock:
                self.config = msgspec.structs.replace(self.config, game=game, rules=dict(rules))
                self.shuffler.profile = Counter(whole_deck(game, rules))

    def lies_open(self, slot: Slot) -> str | None:
        """The card that lies open in a place, as anybody may see it there; empty if face down, None if no card lies."""
        lying = self.felt.view().top().get(slot)
        if lying is None:
            return None
        return str(lying.card) if lying.face is CardFace.UP else ""

    # --- everyday -------------------------------------------------------------------------------------

    def power_on(self) -> None:
        with self._lock:
            self.shoe.power_on()
            self.shuffler.power_on()

    def pump(self, now_ms: int) -> None:
        """Let the machines go on; whoever owns the clock calls it."""
        with self._lock:
            self.keep()
            self.shoe.step(now_ms)
            self.shuffler.step(now_ms)

    def do(self, act: Callable[[Rig], Card | None]) -> Card | None:
        """One thing a dealer's hands do, undisturbed by the pump."""
        with self._lock:
            return act(self)

    def fresh_deck(self) -> list[Card]:
        """The cards of a whole deck, as they come from the discard."""
        deck = whole_deck(self.config.game, self.config.rules)
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
            open_link=self.board.open,
            driver=build_driver(driver, self._spec(device, driver, sealer)),
            sealer=sealer,
            pace=LinkPace(down_wait_s=self._options.read_timeout_s),
            plug_at=self.board.plug_at,
        )

    def _spec(self, device: str, driver: str, sealer: Sealer) -> DriverSpec:
        locks = self._options.lock_when_idle and device == self.config.shoe
        commands = commands_of(driver) if locks or self._options.commands else frozenset[str]()
        repeat_ms = round(REPEAT_MS / self._options.speed)
        return DriverSpec(device, sealer, commands=commands, repeat_ms=repeat_ms, lock_when_idle=locks)


def whole_deck(game: str, rules: Rules = MappingProxyType({})) -> list[Card]:
    """The cards that the shoe of that game is loaded with under these house rules, in order."""
    shoe = find_game(game).shoe.under(rules)
    short = shoe.deck_cards < len(DECK)
    return [card for card in DECK if not short or card.rank in SHORT_DECK.ranks] * shoe.decks


def _pacing(line: LineSettings, options: RigOptions) -> Pacing:
    return Pacing(line if options.paced else None, options.speed)
