"""The only place for the simulated shuffler: a deck in, a shuffled deck out, and the generic profile on the wire.

It counts and checks what lies in it, as the real machines do, and never tells the order.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from devices.frame import Broken
from devices.shuffler.generic_codec import (
    ACK_BYTES,
    NAK_BYTES,
    Accepted,
    GenericDecoder,
    Record,
    Refused,
    encode,
)
from devices.shuffler.generic_order import WORDS
from devices.sim.far_end import FarEnd, Pacing
from devices.sim.fault import SHUFFLER, FaultPanel
from devices.wire import Wire
from studio.cards import DECK, Card

DEV: Final = "01"
HEARTBEAT_MS: Final = 2000
RETRY_MS: Final = 500
RETRIES: Final = 3
QUEUE_MAX: Final = 64

_ALARM_FAULTS: Final = {"jam": "jam", "cover_open": "cover"}
_DECK_FAULTS: Final = ("deck_short", "deck_over", "deck_duplicate", "deck_foreign")


class ShufflerNotReadyError(Exception):
    """The shuffler was asked for something its state does not allow; the message names the state."""


@dataclass(frozen=True, slots=True)
class ShuffleTimes:
    """How long each stage takes, before the speed divides it."""

    loading_ms: int = 3000
    shuffling_ms: int = 20_000
    verifying_ms: int = 5000


@dataclass(slots=True)
class _Sending:
    frame: bytes
    tries: int = 0
    due_ms: float = 0.0


class SimShuffler:
    """One simulated shuffler for one deck of 52, or `decks` of them, on the far end of a wire. One thread owns it."""

    def __init__(
        self,
        wire: Wire,
        rng: random.Random,
        pacing: Pacing | None = None,
        *,
        times: ShuffleTimes | None = None,
        decks: int = 1,
    ) -> None:
        self._faults = FaultPanel(SHUFFLER)
        self._wire = wire
        self._rng = rng
        self._line = FarEnd(wire, self._faults, rng, pacing)
        self._ears = GenericDecoder()
        self._stages = _stages(times or ShuffleTimes(), self._line.pacing)
        self._profile = Counter(DECK * decks)
        self._state = "idle"
        self._deck: list[Card] = []
        self._foreign = False
        self._shuffles = 0
        self._stage_ends_ms: float | None = None
        self._beat_at_ms = 0.0
        self._now_ms = 0
        self._seq = 0
        self._unheard = False
        """A frame was given up: the host does not know how things stand."""
        self._queue: deque[_Sending] = deque()

    # --- what a dealer does ---------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return self._state

    @property
    def deck_id(self) -> str:
        return f"D{self._shuffles:05d}"

    def power_on(self) -> None:
        self._deck, self._stage_ends_ms = [], None
        self._tell("H", f"LDS-SIM,{DEV}0001,1.0,{sum(self._profile.values())}")
        self._enter("error" if self._alarms() else "idle")

    def shuffle(self, cards: Sequence[Card]) -> None:
        """Lay a deck in and start; `step` brings it through loading, shuffling and verifying to ready."""
        if self._state not in ("idle", "ready"):
            raise ShufflerNotReadyError(f"The shuffler is {self._state}; it takes a deck only when idle or ready.")
        self._deck = self._spoilt(list(cards))
        self._shuffles += 1
        self._enter("loading")

    def hand_over(self) -> list[Card]:
        """Take the shuffled deck out; the machine is idle again."""
        if self._state != "ready":
            raise ShufflerNotReadyError(f"The shuffler is {self._state}; it gives its deck only when ready.")
        deck, self._deck = self._deck, []
        self._enter("idle")
        return deck

    def take_out(self) -> list[Card]:
        """Empty the machine by hand, whatever its state: the cards in no order anyone vouches for."""
        deck, self._deck = self._deck, []
        self._stage_ends_ms = None
        if self._state != "error":
            self._enter("idle")
        return deck

    # --- faults ---------------------------------------------------------------------------------------

    @property
    def faults(self) -> frozenset[str]:
        return self._faults.active

    def switch_on(self, fault: str) -> None:
        """Switch a fault of the catalogue on; `UnknownFaultError` if the shuffler has none of that name."""
        self._faults.switch_on(fault)
        if fault == "unplug":
            self._wire.unplug()
        if fault in _ALARM_FAULTS:
            self._tell("A", f"{_ALARM_FAULTS[fault]},1")
            self._stage_ends_ms = None
            self._enter("error")

    def switch_off(self, fault: str) -> None:
        self._faults.switch_off(fault)
        if fault == "unplug":
            self._wire.plug()
        if fault in _ALARM_FAULTS:
            self._tell("A", f"{_ALARM_FAULTS[fault]},0")
            if not self._alarms():
                self._enter("idle")

    # --- the line -------------------------------------------------------------------------------------

    def step(self, now_ms: int) -> None:
        """Hear the host, go on with the shuffle, and let out what the line carries by now."""
        self._now_ms = now_ms
        for frame in self._ears.feed(self._line.hear()):
            match frame:
                case Accepted():
                    self._acknowledged()
                case Refused() if self._queue:
                    self._queue[0].due_ms = 0
                case Record(kind="C"):
                    self._obey(frame)
                case Broken(reason=reason) if reason != "noise":
                    self._line.answer(NAK_BYTES)
        self._advance(now_ms)
        if now_ms >= self._beat_at_ms and not self._queue:
            self._tell("B")
        self._transmit(now_ms)
        self._line.pump(now_ms)

    def _tell(self, kind: str, data: str = "") -> None:
        frame = encode(DEV, self._seq, kind, data)
        self._seq = (self._seq + 1) % 100
        if len(self._queue) < QUEUE_MAX:
            self._queue.append(_Sending(frame))

    def _transmit(self, now_ms: int) -> None:
        """One frame under way at a time: again after 500 ms, given up after three repeats."""
        while self._queue:
            sending = self._queue[0]
            if now_ms < sending.due_ms:
                return
            if sending.tries > RETRIES:
                self._queue.popleft()
                self._unheard = True
                continue
            sending.tries += 1
            sending.due_ms = now_ms + RETRY_MS
            self._beat_at_ms = now_ms + HEARTBEAT_MS
            self._line.send(sending.frame, again=sending.tries > 1)

    def _acknowledged(self) -> None:
        if self._queue and self._queue[0].tries:
            self._queue.popleft()
            self._catch_up()

    def _catch_up(self) -> None:
        """The host is back after frames that it never heard: tell it how things stand."""
        if self._unheard:
            self._unheard = False
            self._tell("W", self._state)
            if self._state == "ready":
                self._tell_deck()

    # --- the shuffle ----------------------------------------------------------------------------------

    def _enter(self, state: str) -> None:
        self._state = state
        length_ms = self._stages.get(state)
        self._stage_ends_ms = None if length_ms is None else self._now_ms + length_ms
        self._tell("W", state)

    def _advance(self, now_ms: int) -> None:
        while self._stage_ends_ms is not None and now_ms >= self._stage_ends_ms:
            match self._state:
                case "loading":
                    self._enter("shuffling")
                case "shuffling":
                    self._rng.shuffle(self._deck)
                    self._enter("verifying")
                case _:
                    self._tell_deck()
                    self._enter("ready")

    def _tell_deck(self) -> None:
        self._tell("Q", f"{len(self._deck)},{self.deck_id},{self._verdict()}")

    def _verdict(self) -> str:
        held = Counter(self._deck)
        if self._foreign or held.keys() - self._profile.keys():
            return "foreign"
        if held == self._profile:
            return "ok"
        if len(self._deck) == sum(self._profile.values()):
            return "duplicate"
        return "short" if len(self._deck) < sum(self._profile.values()) else "over"

    def _spoilt(self, deck: list[Card]) -> list[Card]:
        """The deck as it really lies in the machine when a deck fault is on."""
        self._foreign = "deck_foreign" in self._faults
        if deck and "deck_short" in self._faults:
            deck.pop(self._rng.randrange(len(deck)))
        if deck and "deck_over" in self._faults:
            deck.append(self._rng.choice(deck))
        if len(deck) > 1 and "deck_duplicate" in self._faults:
            lost, twice = self._rng.sample(range(len(deck)), 2)
            deck[lost] = deck[twice]
        return deck

    def _alarms(self) -> bool:
        return any(fault in self._faults for fault in _ALARM_FAULTS)

    # --- commands of the host -------------------------------------------------------------------------

    def _obey(self, order: Record) -> None:
        if "nak_busy" in self._faults or order.data not in WORDS.values():
            self._line.answer(NAK_BYTES)
            return
        self._line.answer(ACK_BYTES)
        match order.data:
            case "IDENT":
                self._tell("H", f"LDS-SIM,{DEV}0001,1.0,{sum(self._profile.values())}")
            case "STATUS" | "EJECT":  # the tray opens when the deck is ready; the state stays until it is taken
                self._tell("W", self._state)
            case "LOCK,1" | "LOCK,0":
                self._tell("L", order.data[-1])
            case "CLEAR":
                self._tell("W", self._state)


def _stages(times: ShuffleTimes, pacing: Pacing) -> dict[str, float]:
    stages = {"loading": times.loading_ms, "shuffling": times.shuffling_ms, "verifying": times.verifying_ms}
    return {state: pacing.wait_ms(length_ms) for state, length_ms in stages.items()}
