"""The only place for the simulated Angel Eye shoe: cards in, bytes out.

The caller loads it with an ordered deck, pulls cards as a dealer would, and steps it; the wire carries what
the real shoe would say, every report three times.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Final

from devices.shoe.angel_eye_codec import card_byte
from devices.sim.far_end import FarEnd, Pacing
from devices.sim.fault import SHOE, Effect, FaultPanel
from devices.sim.shoe_line import ShoeLine
from devices.wire import Wire
from studio.cards import DECK, Card

_SLOTS: Final = (0x81, 0x91, 0x82, 0x92, 0x83, 0x93)
"""Player 1, Banker 1, Player 2, … : the shoe counts every game as its own, whatever is being dealt."""


class EmptyShoeError(Exception):
    """A card was drawn from a shoe that holds none."""


class SimShoe:
    """One simulated shoe on the far end of a wire. One thread owns it."""

    def __init__(self, wire: Wire, rng: random.Random, pacing: Pacing | None = None) -> None:
        self._faults = FaultPanel(SHOE, self._effects(wire))
        self._rng = rng
        self._line = ShoeLine(FarEnd(wire, self._faults, rng, pacing), self._faults, self._obey)
        self._cards: deque[Card] = deque()
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
        self._cut_in = None
        self._drawn = 0

    def power_on(self) -> None:
        """Switch it on: start of communication, then stand-by. Lock and errors are forgotten."""
        self._line.restart()
        self._drawn = 0
        self._locked = False
        self._errors.clear()
        self._line.report("S")
        self._line.report("P")

    def put_cut_card(self, position: int) -> None:
        """The cut card comes out when `position` more cards have been drawn."""
        self._cut_in = position

    def draw(self) -> Card:
        """Pull the next card over the reader; the card that a camera would see is given back."""
        card = self._pull()
        self._say_card(None if "unread_card" in self._faults else card)
        if "conflicting_reread" in self._faults:
            self._line.report("R", bytes((_slot(self._drawn), card_byte(_other(card, self._rng)))))
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

    def lock(self) -> None:
        self._set_lock(0x02)

    def unlock(self) -> None:
        self._set_lock(0x01)

    def raise_error(self, code: int) -> None:
        self._errors.add(code)
        self._line.report("E", bytes((0xC0 | code,)))

    def clear_error(self, code: int) -> None:
        self._errors.discard(code)
        self._line.report("e", bytes((0x80 | code,)))

    # --- faults ---------------------------------------------------------------------------------------

    @property
    def faults(self) -> frozenset[str]:
        return self._faults.active

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
        }

    def _cut_card_now(self) -> None:
        self._cut_in = None
        self._line.report("C")

    # --- the line -------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Bytes are still on their way out."""
        return not self._line.idle

    def step(self, now_ms: int) -> None:
        """Hear the host, answer it, and let out what the line carries by now."""
        self._line.step(now_ms)

    def _pull(self) -> Card:
        if not self._cards:
            raise EmptyShoeError("The simulated shoe is empty; load a deck.")
        if self._cut_in == 0:
            self._line.report("C")
        self._cut_in = None if not self._cut_in else self._cut_in - 1
        return self._cards.popleft()

    def _say_card(self, card: Card | None) -> None:
        if self._errors:
            self._line.report("d", bytes((0x90 | min(self._errors), card_byte(card))))
        elif self._locked:
            self._line.report("d", bytes((0x80, card_byte(card))))
        else:
            self._line.report("D", bytes((_slot(self._drawn), card_byte(card))))

    def _set_lock(self, bits: int) -> None:
        self._locked = bits == 0x02
        self._line.report("L", bytes((0x80 | self._locked,)))

    def _obey(self, kind: str, value: int) -> None:
        """A command of the host that was accepted."""
        match kind:
            case "LK":
                self._set_lock(value)
            case "EC":
                self.clear_error(value)


def _slot(drawn: int) -> int:
    return _SLOTS[drawn % len(_SLOTS)]


def _other(card: Card, rng: random.Random) -> Card:
    return DECK[(card.index + rng.randint(1, 51)) % 52]


def _nothing() -> None:
    pass
