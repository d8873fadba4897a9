"""A device on a line that harms what it carries: lost, repeated, damaged, split, merged, swapped, with noise, cut."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from devices.catalogue import DriverSpec, build_driver
from devices.link import open_link
from devices.sim.wire.shoe import SimShoe
from devices.sim.wire.shuffler import ShuffleTimes, SimShuffler
from devices.supervisor import LinkPace, Supervisor
from devices.wire import PatchBay, Wire
from studio.cards import DECK, Sealer
from studio.ports import (
    DeckVerified,
    LineBytes,
    LineIdled,
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShufflerState,
    UnreadableFrame,
)

SHOES = ("angel_eye", "bee_tek", "barcode", "generic_shoe")
MACHINES = (*SHOES, "generic")
PATIENCE_MS = 6_000
"""A machine that nobody answers has always something to say."""
T0 = 1_700_000_000_000

Harm = Callable[[random.Random, bytes], list[bytes]]
"""What becomes of one frame on its way to the host: the pieces that arrive, and when `Wire` says so."""


def whole(rng: random.Random, frame: bytes) -> list[bytes]:
    return [frame]


def byte_by_byte(rng: random.Random, frame: bytes) -> list[bytes]:
    return [bytes((byte,)) for byte in frame]


def split(rng: random.Random, frame: bytes) -> list[bytes]:
    at = rng.randint(1, len(frame) - 1) if len(frame) > 1 else 1
    return [frame[:at], frame[at:]]


def lost(rng: random.Random, frame: bytes) -> list[bytes]:
    return [] if rng.random() < 0.2 else [frame]


def repeated(rng: random.Random, frame: bytes) -> list[bytes]:
    return [frame] * rng.choice((1, 2, 3))


def damaged(rng: random.Random, frame: bytes) -> list[bytes]:
    if rng.random() < 0.7:
        return [frame]
    at = rng.randrange(len(frame))
    return [frame[:at] + bytes((frame[at] ^ rng.randint(1, 255),)) + frame[at + 1 :]]


def shortened(rng: random.Random, frame: bytes) -> list[bytes]:
    """Bytes fall out of it."""
    if rng.random() < 0.7:
        return [frame]
    at = rng.randrange(len(frame))
    return [frame[:at] + frame[at + rng.randint(1, 4) :]]


def noise(rng: random.Random, frame: bytes) -> list[bytes]:
    return [rng.randbytes(rng.randrange(8)) + frame]


def wrong_baud(rng: random.Random, frame: bytes) -> list[bytes]:
    return [bytes(byte ^ rng.randint(1, 255) for byte in frame)]


class HostileWire(Wire):
    """What the machine sends is harmed; the pieces arrive one a step. `merging`: they wait, and arrive together."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.harm: Harm = whole
        self.merging = False
        self.swapping = False
        self._rng = rng
        self._coming: deque[bytes] = deque()

    @property
    def idle(self) -> bool:
        return not self._coming

    def machine_write(self, data: bytes) -> None:
        pieces = self.harm(self._rng, data)
        if self.swapping and pieces and len(self._coming) > 1 and self._rng.random() < 0.3:
            pieces.insert(1, self._coming.pop())
        self._coming += pieces

    def tick(self) -> None:
        """A moment goes by."""
        if self.merging and self._rng.random() < 0.8:
            return
        while self._coming:
            super().machine_write(self._coming.popleft())
            if not self.merging and self.harm in (byte_by_byte, split):
                return

    def unplug(self) -> None:
        self._coming.clear()
        super().unplug()


class Machine(Protocol):
    """A simulated device that does one thing after another."""

    def start(self) -> None: ...

    def act(self) -> str:
        """Do the next thing, and say by which word the host must come to know of it."""
        ...

    def step(self, now_ms: int) -> None: ...

    @property
    def busy(self) -> bool: ...


class Dealer:
    """Draws card after card, from deck after deck."""

    def __init__(self, wire: Wire, rng: random.Random, driver: str) -> None:
        self._rng = rng
        self.shoe = SimShoe(wire, rng, driver=driver)
        self.step = self.shoe.step

    @property
    def busy(self) -> bool:
        return self.shoe.busy

    def start(self) -> None:
        self._load()
        self.shoe.power_on()

    def act(self) -> str:
        if not self.shoe.cards_left:
            self._load()
        return str(self.shoe.draw())

    def _load(self) -> None:
        deck = list(DECK)
        self._rng.shuffle(deck)
        self.shoe.load(deck)


class Shuffling:
    """Shuffles deck after deck; a deck is known by its number."""

    def __init__(self, wire: Wire, rng: random.Random) -> None:
        self.shuffler = SimShuffler(wire, rng, times=ShuffleTimes(100, 100, 100))

    def start(self) -> None:
        self.shuffler.power_on()

    @property
    def busy(self) -> bool:
        return self.shuffler.busy or self.shuffler.state not in ("idle", "ready")

    def act(self) -> str:
        if self.shuffler.state == "ready":
            self.shuffler.hand_over()
        self.shuffler.shuffle(DECK)
        return self.shuffler.deck_id

    def step(self, now_ms: int) -> None:
        self.shuffler.step(now_ms)


@dataclass
class Heard:
    """What the host came to know in one stretch of time."""

    seen: list[Observation] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """Cards and decks, each by its word."""
        return [
            str(one.card.card()) if isinstance(one, ShoeDrewCard) else one.deck_id
            for one in self.seen
            if isinstance(one, ShoeDrewCard | DeckVerified)
        ]

    @property
    def troubles(self) -> list[Observation]:
        """What says that something is missing or was not read."""
        return [one for one in self.seen if isinstance(one, UnreadableFrame | ShoeCardUnread)]

    @property
    def states(self) -> list[str]:
        return [one.state for one in self.seen if isinstance(one, ShufflerState)]


class Bench:
    """A machine, a line and the supervisor that listens, all stepped by hand."""

    def __init__(self, driver: str, seed: int = 1, step_ms: int = 20) -> None:
        self.step_ms = step_ms
        self.rng = random.Random(f"{driver}/{seed}")
        self.wire = HostileWire(self.rng)
        self.machine: Machine = (
            Shuffling(self.wire, self.rng) if driver == "generic" else Dealer(self.wire, self.rng, driver)
        )
        bay = PatchBay()
        bay.plug("dev", self.wire)
        sealer = Sealer(self.rng.randbytes)
        self.supervisor = Supervisor(
            "dev1",
            "sim://dev",
            open_link=partial(open_link, bay=bay),
            driver=build_driver(driver, DriverSpec("dev1", sealer)),
            sealer=sealer,
            pace=LinkPace(down_wait_s=0),
        )
        self.now_ms = 0
        self.step()
        self.machine.start()
        self.listen()

    def step(self) -> Sequence[Observation]:
        self.now_ms += self.step_ms
        self.machine.step(self.now_ms)
        self.wire.tick()
        return self.supervisor.step(T0 + self.now_ms)

    def listen(self, least_ms: int = 0) -> Heard:
        """Until the machine has said what it had to say, and the line is quiet."""
        heard, until_ms = Heard(), self.now_ms + least_ms
        quiet, patience_ms = 0, self.now_ms + max(least_ms, PATIENCE_MS)
        while self.now_ms < until_ms or (quiet < 3 and self.now_ms < patience_ms):
            seen = self.step()
            heard.seen += [one for one in seen if not isinstance(one, LineBytes | LineIdled)]
            quiet = 0 if self.machine.busy or not self.wire.idle else quiet + 1
        return heard

    def act(self, least_ms: int = 600) -> tuple[str, Heard]:
        """One thing, and all that is heard of it. Scans of one card may not come sooner than `least_ms`."""
        word = self.machine.act()
        return word, self.listen(least_ms)
