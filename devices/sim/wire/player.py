"""A simulated device that nobody works: it deals, or shuffles, by itself at an interval."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from devices.link import LineSettings
from devices.sim.wire.far_end import Pacing
from devices.sim.wire.shoe import SimShoe
from devices.sim.wire.shoe_voice import SHOES
from devices.sim.wire.shuffler import SimShuffler
from devices.wire import Wire
from studio.cards import DECK, Card

CUT_CARDS_BEHIND: Final = 7


class Player(Protocol):
    """A simulated device that works by itself, one act at a time."""

    def start(self) -> None:
        """Somebody listens now: switch the device on."""
        ...

    def act(self) -> str:
        """Do the next thing and say what it was, for a person who watches; empty when nothing was due."""
        ...

    def step(self, now_ms: int) -> None: ...

    def switch_on(self, fault: str) -> None: ...

    def switch_off(self, fault: str) -> None: ...


class ShoePlayer:
    """Deals a shuffled deck card by card; after the last card the shoe is changed."""

    def __init__(self, wire: Wire, rng: random.Random, speed: float, *, driver: str = "angel_eye") -> None:
        self._rng = rng
        self.shoe = SimShoe(wire, rng, Pacing(SHOES[driver].line, speed), driver=driver)
        self.step = self.shoe.step
        self.switch_on = self.shoe.switch_on
        self.switch_off = self.shoe.switch_off

    def start(self) -> None:
        self._change_shoe()

    def act(self) -> str:
        if not self.shoe.cards_left:
            self._change_shoe()
            return "changed the shoe"
        return f"drew {self.shoe.draw()}"

    def _change_shoe(self) -> None:
        deck = _shuffled(self._rng)
        self.shoe.load(deck)
        self.shoe.put_cut_card(len(deck) - CUT_CARDS_BEHIND)
        self.shoe.power_on()


class ShufflerPlayer:
    """Shuffles one deck again and again."""

    def __init__(self, wire: Wire, rng: random.Random, speed: float) -> None:
        self.shuffler = SimShuffler(wire, rng, Pacing(LineSettings(baud=9600), speed))
        self._deck: list[Card] = list(DECK)
        self.step = self.shuffler.step
        self.switch_on = self.shuffler.switch_on
        self.switch_off = self.shuffler.switch_off

    def start(self) -> None:
        self.shuffler.power_on()

    def act(self) -> str:
        match self.shuffler.state:
            case "ready":
                self.shuffler.hand_over()
                return "took the deck out"
            case "idle":
                self.shuffler.shuffle(self._deck)
                return "laid a deck in"
        return ""


def _shuffled(rng: random.Random) -> list[Card]:
    deck = list(DECK)
    rng.shuffle(deck)
    return deck


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """One simulated device of the command line."""

    name: str
    title: str
    build: Callable[[Wire, random.Random, float], Player]


PLAYERS: Final[tuple[PlayerEntry, ...]] = (
    PlayerEntry("angel_eye", "Angel Eye shoe that deals by itself", ShoePlayer),
    PlayerEntry("bee_tek", "Bee-Tek shoe that deals by itself", partial(ShoePlayer, driver="bee_tek")),
    PlayerEntry("barcode", "scan engine that sees cards dealt by themselves", partial(ShoePlayer, driver="barcode")),
    PlayerEntry("generic_shoe", "shoe of the generic profile", partial(ShoePlayer, driver="generic_shoe")),
    PlayerEntry("generic", "shuffler of the generic profile that shuffles by itself", ShufflerPlayer),
)
