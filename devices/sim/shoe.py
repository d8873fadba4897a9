"""The only place for the simulated Angel Eye shoe: cards in, bytes out.

The caller loads it with an ordered deck, pulls cards as a dealer would, and steps it; the wire carries what
the real shoe would say, every report three times.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from typing import Final

from devices.frame import ACK
from devices.shoe.angel_eye_codec import (
    AngelEyeDecoder,
    Reply,
    card_byte,
    encode_refusal,
    encode_report,
)
from devices.sim.far_end import FarEnd, Pacing
from devices.sim.fault import SHOE, FaultPanel
from devices.wire import Wire
from studio.cards import DECK, Card

COPIES: Final = 3
SLOW_ACK_MS: Final = 1500
_SEQS: Final = b"123456789"
_SLOTS: Final = (0x81, 0x91, 0x82, 0x92, 0x83, 0x93)
"""Player 1, Banker 1, Player 2, … : the shoe counts every game as its own, whatever is being dealt."""

_MOMENTARY_ERRORS: Final = {"overdraw": 2, "reverse_run": 4}


class EmptyShoeError(Exception):
    """A card was drawn from a shoe that holds none."""


class SimShoe:
    """One simulated shoe on the far end of a wire. One thread owns it."""

    def __init__(self, wire: Wire, rng: random.Random, pacing: Pacing | None = None) -> None:
        self._faults = FaultPanel(SHOE)
        self._wire = wire
        self._rng = rng
        self._line = FarEnd(wire, self._faults, rng, pacing)
        self._ears = AngelEyeDecoder()
        self._cards: deque[Card] = deque()
        self._drawn = 0
        self._seq = 0
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
        self._seq = 0
        self._drawn = 0
        self._locked = False
        self._errors.clear()
        self._report("S")
        self._report("P")

    def put_cut_card(self, position: int) -> None:
        """The cut card comes out when `position` more cards have been drawn."""
        self._cut_in = position

    def draw(self) -> Card:
        """Pull the next card over the reader; the card that a camera would see is given back."""
        card = self._pull()
        self._say_card(None if "unread_card" in self._faults else card)
        if "conflicting_reread" in self._faults:
            self._report("R", bytes((self._slot(), card_byte(self._other(card)))))
        self._next_slot()
        return card

    def draw_unread(self) -> Card:
        """Pull the next card so that the reader cannot read it."""
        card = self._pull()
        self._say_card(None)
        self._next_slot()
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
        self._report("E", bytes((0xC0 | code,)))

    def clear_error(self, code: int) -> None:
        self._errors.discard(code)
        self._report("e", bytes((0x80 | code,)))

    # --- faults ---------------------------------------------------------------------------------------

    @property
    def faults(self) -> frozenset[str]:
        return self._faults.active

    def switch_on(self, fault: str) -> None:
        """Switch a fault of the catalogue on; `UnknownFaultError` if the shoe has none of that name."""
        self._faults.switch_on(fault)
        match fault:
            case "unplug":
                self._wire.unplug()
            case "overdraw" | "reverse_run":
                self.raise_error(_MOMENTARY_ERRORS[fault])
            case "cut_card_mid_round":
                self._cut_in = None
                self._report("C")
            case "start_without_cut_card":
                self.power_on()

    def switch_off(self, fault: str) -> None:
        self._faults.switch_off(fault)
        match fault:
            case "unplug":
                self._wire.plug()
            case "overdraw" | "reverse_run":
                self.clear_error(_MOMENTARY_ERRORS[fault])

    # --- the line -------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Bytes are still on their way out."""
        return not self._line.idle

    def step(self, now_ms: int) -> None:
        """Hear the host, answer it, and let out what the line carries by now."""
        for frame in self._ears.feed(self._line.hear()):
            if isinstance(frame, Reply):
                self._obey(frame)
        self._line.pump(now_ms)

    def _report(self, code: str, payload: bytes = b"") -> None:
        seq = _SEQS[self._seq % len(_SEQS)]
        self._seq += 1
        self._line.send(encode_report(seq, code, payload), copies=COPIES)

    def _pull(self) -> Card:
        if not self._cards:
            raise EmptyShoeError("The simulated shoe is empty; load a deck.")
        if self._cut_in == 0:
            self._report("C")
        self._cut_in = None if not self._cut_in else self._cut_in - 1
        return self._cards.popleft()

    def _slot(self) -> int:
        return _SLOTS[self._drawn % len(_SLOTS)]

    def _next_slot(self) -> None:
        self._drawn += 1

    def _say_card(self, card: Card | None) -> None:
        if self._errors:
            self._report("d", bytes((0x90 | min(self._errors), card_byte(card))))
        elif self._locked:
            self._report("d", bytes((0x80, card_byte(card))))
        else:
            self._report("D", bytes((self._slot(), card_byte(card))))

    def _other(self, card: Card) -> Card:
        return DECK[(card.index + self._rng.randint(1, 51)) % 52]

    def _set_lock(self, bits: int) -> None:
        self._locked = bits == 0x02
        self._report("L", bytes((0x80 | self._locked,)))

    # --- commands of the host -------------------------------------------------------------------------

    def _obey(self, order: Reply) -> None:
        refusal = self._refusal(order)
        wait_ms = SLOW_ACK_MS if "slow_ack" in self._faults else 0
        self._line.answer(bytes((ACK,)) if refusal is None else encode_refusal(refusal), wait_ms=wait_ms)
        if refusal is not None:
            return
        match order.body[2:4], int(order.body[4:6]):
            case b"LK", bits:
                self._set_lock(bits)
            case b"EC", code:
                self.clear_error(code)

    def _refusal(self, order: Reply) -> int | None:
        """The NAK code of a command that is not taken."""
        if "stx_in_strict" in self._faults and not order.stx_in_bcc:
            return 0x02
        if "stx_out_strict" in self._faults and order.stx_in_bcc:
            return 0x02
        if "nak_busy" in self._faults:
            return 0x21
        if len(order.body) != 6 or not order.body[4:6].isdigit():
            return 0x11
        if order.body[:2] != b"OP":
            return 0x13
        return None if order.body[2:4] in (b"LK", b"EC", b"GP") else 0x14
