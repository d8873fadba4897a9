"""The simulated shoe: cards in, bytes out, in the protocol it is built to speak.

The caller loads it with an ordered deck, pulls cards as a dealer would, and steps it; the wire carries what
the real shoe would say.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from devices.sim.wire.far_end import FarEnd, Pacing
from devices.sim.wire.fault import Effect, FaultPanel
from devices.sim.wire.shoe_voice import SHOES
from devices.wire import Wire
from studio.cards import DECK, Card


class EmptyShoeError(Exception):
    """A card was drawn from a shoe that holds none."""


@dataclass(frozen=True, slots=True)
class ShoeNow:
    """What a shoe holds at one moment; `cards` in the order they will leave, in the letters of `Card.parse`."""

    cards: tuple[str, ...] = field(default=(), repr=False)
    drawn: int = 0
    cut_in: int | None = None
    locked: bool = False


class SimShoe:
    """One simulated shoe on the far end of a wire. One thread owns it. `driver`: who it speaks to."""

    def __init__(
        self, wire: Wire, rng: random.Random, pacing: Pacing | None = None, *, driver: str = "angel_eye"
    ) -> None:
        self.driver = driver
        self._faults = FaultPanel(SHOES[driver].faults, self._effects(wire))
        self._rng = rng
        self._voice = SHOES[driver].build(FarEnd(wire, self._faults, rng, pacing), self._faults, self)
        self._cards: deque[Card] = deque()
        self.loads = 0
        """How often cards were put in."""
        self._drawn = 0
        self._cut_in: int | None = None
        self._locked = False
        self._errors: set[int] = set()

    # --- what a dealer does ---------------------------------------------------------------------------

    @property
    def cards_left(self) -> int:
        return len(self._cards)

    @property
    def locked(self) -> bool:
        return self._locked

    @property
    def errors(self) -> frozenset[int]:
        return frozenset(self._errors)

    def load(self, cards: Sequence[Card]) -> None:
        """Put a shuffled deck in; the first card is the next to leave. The cut card of the old one is gone."""
        self._cards = deque(cards)
        self.loads += 1
        self._cut_in = None
        self._drawn = 0
        self._voice.loaded()

    def push_back(self, card: Card) -> None:
        """A card that was drawn goes back in, and is the next to leave."""
        self._cards.appendleft(card)

    def power_on(self) -> None:
        """Switch it on: lock and errors are forgotten."""
        self._drawn = 0
        self._locked = False
        self._errors.clear()
        self._voice.started()

    def put_cut_card(self, position: int) -> None:
        """The cut card comes out when `position` more cards have been drawn."""
        self._cut_in = position

    def draw(self) -> Card:
        """Pull the next card over the reader; the card that a camera would see is given back."""
        card = self._pull()
        self._say_card(None if "unread_card" in self._faults else card)
        if "conflicting_reread" in self._faults:
            self._voice.again(_other(card, self._rng), self._drawn)
        self._drawn += 1
        return card

    def draw_unread(self) -> Card:
        """Pull the next card so that the reader cannot read it."""
        card = self._pull()
        self._say_card(None)
        self._drawn += 1
        return card

    def draw_unseen(self) -> Card:
        """Take the next card out past the reader: nothing is sent."""
        return self._pull()

    def new_game(self) -> None:
        """The button between two games: the shoe counts its slots from the first again."""
        self._drawn = 0

    def call_result(self, value: int) -> None:
        """Its own count of a game of Baccarat is at its end: it calls a winner by this byte, if its line has one."""
        self._voice.result(value)

    def lock(self) -> None:
        self._set_lock(locked=True)

    def unlock(self) -> None:
        self._set_lock(locked=False)

    def raise_error(self, code: int) -> None:
        self._errors.add(code)
        self._voice.error(code, raised=True)

    def clear_error(self, code: int) -> None:
        self._errors.discard(code)
        self._voice.error(code, raised=False)

    # --- faults ---------------------------------------------------------------------------------------

    @property
    def faults(self) -> frozenset[str]:
        return self._faults.active

    @property
    def known_faults(self) -> tuple[str, ...]:
        return self._faults.known

    def switch_on(self, fault: str) -> None:
        """Switch a fault of the catalogue on; `UnknownFaultError` if the shoe has none of that name."""
        self._faults.switch_on(fault)

    def switch_off(self, fault: str) -> None:
        self._faults.switch_off(fault)

    def _effects(self, wire: Wire) -> dict[str, Effect]:
        """The faults that do something at the moment they are switched."""
        return {
            "unplug": (wire.unplug, wire.plug),
            "overdraw": (partial(self.raise_error, 2), partial(self.clear_error, 2)),
            "reverse_run": (partial(self.raise_error, 4), partial(self.clear_error, 4)),
            "cut_card_mid_round": (self._cut_card_now, _nothing),
            "start_without_cut_card": (self.power_on, _nothing),
            "card_not_read": (lambda: self._voice.alarm("card_not_read"), _nothing),
            "warning": (lambda: self._voice.alarm("warning"), _nothing),
        }

    def _cut_card_now(self) -> None:
        self._cut_in = None
        self._voice.cut_card()

    # --- the line -------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Bytes are still on their way out."""
        return not self._voice.idle

    def step(self, now_ms: int) -> None:
        """Hear the host, answer it, and let out what the line carries by now."""
        self._voice.step(now_ms)

    def _pull(self) -> Card:
        if not self._cards:
            raise EmptyShoeError("The simulated shoe is empty; load a deck.")
        if self._cut_in == 0:
            self._voice.cut_card()
        self._cut_in = None if not self._cut_in else self._cut_in - 1
        return self._cards.popleft()

    def _say_card(self, card: Card | None) -> None:
        self._voice.card(card, self._drawn, error=min(self._errors, default=0), locked=self._locked)

    def _set_lock(self, *, locked: bool) -> None:
        self._locked = locked
        self._voice.locked(locked)


def _other(card: Card, rng: random.Random) -> Card:
    return DECK[(card.index + rng.randint(1, 51)) % 52]


def _nothing() -> None:
    pass


def look_into(shoe: SimShoe) -> ShoeNow:
    """What is in the shoe now. Nobody at a table may see this."""
    return ShoeNow(tuple(map(str, shoe._cards)), shoe._drawn, shoe._cut_in, shoe._locked)


def put_into(shoe: SimShoe, now: ShoeNow) -> None:
    """Have the shoe as it was then. Nothing is sent: it was never switched off."""
    shoe._cards = deque(map(Card.parse, now.cards))
    shoe._drawn, shoe._cut_in, shoe._locked = now.drawn, now.cut_in, now.locked
