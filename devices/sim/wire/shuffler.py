"""The simulated shuffler: a deck in, a shuffled deck out, and the generic profile on the wire.

It counts and checks what lies in it, as the real machines do, and never tells the order. Two decks go through it in
turn, A and B: the one that is not out lies in it. A verification has a name of its own: the deck's, and a number.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from devices.sim.wire.far_end import FarEnd, Pacing
from devices.sim.wire.fault import SHUFFLER, FaultPanel
from devices.sim.wire.station import GenericStation
from devices.wire import Wire
from studio.cards import DECK, Card

DEV: Final = "01"
SERIAL: Final = f"{DEV}0001"

_ALARMS: Final = {"jam": "jam", "cover_open": "cover", "double_feed": "double_feed", "misread": "misread"}
"""The alarm of each fault that raises one."""
_DECKS: Final = "AB"


class ShufflerNotReadyError(Exception):
    """The shuffler was asked for something its state does not allow; the message names the state."""


@dataclass(frozen=True, slots=True)
class ShuffleTimes:
    """How long each stage takes, before the speed divides it."""

    loading_ms: int = 3000
    shuffling_ms: int = 20_000
    verifying_ms: int = 5000


@dataclass(frozen=True, slots=True)
class ShufflerNow:
    """How a shuffler stands at one moment, and the deck in it; `in_turn` is which of the two decks goes in next."""

    state: str = "idle"
    deck: tuple[str, ...] = field(default=(), repr=False)
    verdict: str = "ok"
    shuffles: int = 0
    in_turn: int = 0


class SimShuffler:
    """One simulated shuffler for decks of exactly these cards, on the far end of a wire. One thread owns it."""

    def __init__(
        self,
        wire: Wire,
        rng: random.Random,
        pacing: Pacing | None = None,
        *,
        times: ShuffleTimes | None = None,
        deck: Sequence[Card] = DECK,
        serial: str = SERIAL,
    ) -> None:
        effects = {fault: (partial(self._raise, name), partial(self._clear, name)) for fault, name in _ALARMS.items()}
        plugs = {"power": (self._lose_power, self.power_on), "unplug": (wire.unplug, wire.plug)}
        self._faults = FaultPanel(SHUFFLER, effects | plugs)
        self._rng = rng
        far_end = FarEnd(wire, self._faults, rng, pacing)
        self._station = GenericStation(
            DEV, far_end, self._faults, obey=self._obey, catch_up=self._tell_how_things_stand
        )
        self._stages = _stages(times or ShuffleTimes(), far_end.pacing)
        self.profile = Counter(deck)
        self._voice = _Voice(self._station, self._faults, f"LDS-SIM,{serial},1.0,{self.profile.total()}")
        self._state = "idle"
        self._deck: list[Card] = []
        self._verdict = "ok"
        self.names = DeckNames()
        self._stage_ends_ms: float | None = None
        self._now_ms = 0

    # --- what a dealer does ---------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return self._state

    @property
    def deck_id(self) -> str:
        """The name of the verification that is told next, or was told last."""
        return self.names.name

    def power_on(self) -> None:
        """Switch it on: it says hello, and knows of no deck in it."""
        self._deck, self._stage_ends_ms = [], None
        self._voice.hello()
        self._voice.alarms()
        self._enter("error" if self._voice.raised else "idle")

    def shuffle(self, cards: Sequence[Card]) -> None:
        """Lay a deck in and start; `step` brings it through loading, shuffling and verifying to ready."""
        if self._state not in ("idle", "ready"):
            raise ShufflerNotReadyError(f"The shuffler is {self._state}; it takes a deck only when idle or ready.")
        self._deck = _spoilt(list(cards), self._faults, self._rng)
        self._verdict = "foreign" if "deck_foreign" in self._faults else _verdict(self._deck, self.profile)
        self.names.shuffles += 1
        self._enter("loading")

    def hand_over(self) -> list[Card]:
        """Take the shuffled deck out; the machine is idle again."""
        if self._state != "ready":
            raise ShufflerNotReadyError(f"The shuffler is {self._state}; it gives its deck only when ready.")
        deck, self._deck = self._deck, []
        self.names.other_deck()
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

    def switch_off(self, fault: str) -> None:
        self._faults.switch_off(fault)

    def _raise(self, alarm: str) -> None:
        self._station.tell("A", f"{alarm},1")
        self._enter("error")

    def _clear(self, alarm: str) -> None:
        self._station.tell("A", f"{alarm},0")
        if not self._voice.raised and "power" not in self._faults:
            self._enter("idle")

    def _lose_power(self) -> None:
        self._deck, self._stage_ends_ms, self._state = [], None, "error"

    # --- the line -------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Records are still on their way out."""
        return not self._station.idle

    def step(self, now_ms: int) -> None:
        """Hear the host, go on with the shuffle, and let out what the line carries by now."""
        self._now_ms = now_ms
        if "power" in self._faults:
            self._station.go_dead()
            return
        self._station.hear()
        self._advance(now_ms)
        self._station.speak(now_ms)

    def _obey(self, order: str) -> None:
        match order:
            case "IDENT":
                self._voice.hello()
            case "LOCK,1" | "LOCK,0":
                self._station.tell("L", order[-1])
            case "STATUS":
                self._tell_how_things_stand()
            case _:  # CLEAR, and EJECT: the tray opens, and the state stays until the deck is taken
                self._station.tell("W", self._state)

    def _tell_how_things_stand(self) -> None:
        self._voice.alarms()
        self._station.tell("W", self._state)
        if self._state == "ready":
            self._voice.deck(len(self._deck), self.deck_id, self._verdict)

    # --- the shuffle ----------------------------------------------------------------------------------

    def _enter(self, state: str) -> None:
        self._state = state
        self._stage_ends_ms = self._now_ms + self._stages[state] if state in self._stages else None
        self._station.tell("W", state)

    def _advance(self, now_ms: int) -> None:
        while self._stage_ends_ms is not None and now_ms >= self._stage_ends_ms:
            match self._state:
                case "loading":
                    self._enter("shuffling")
                case "shuffling":
                    self._rng.shuffle(self._deck)
                    self._enter("verifying")
                case _:
                    self._voice.deck(len(self._deck), self.deck_id, self._verdict)
                    self._enter("ready")


@dataclass(frozen=True, slots=True)
class _Voice:
    """What the machine tells of itself: who it is, its alarms, the deck it has counted."""

    station: GenericStation
    faults: FaultPanel
    who: str

    @property
    def raised(self) -> list[str]:
        return sorted(alarm for fault, alarm in _ALARMS.items() if fault in self.faults)

    def hello(self) -> None:
        self.station.tell("H", self.who)

    def alarms(self) -> None:
        for alarm in self.raised:
            self.station.tell("A", f"{alarm},1")

    def deck(self, count: int, deck_id: str, verdict: str) -> None:
        self.station.tell("Q", f"{count},{deck_id},{verdict}")


class DeckNames:
    """What the next verification is called: by the deck that is not out, and a number."""

    def __init__(self) -> None:
        self.shuffles = 0
        self.in_turn = 0

    @property
    def name(self) -> str:
        return f"{_DECKS[self.in_turn]}{self.shuffles:05d}"

    def other_deck(self) -> None:
        self.in_turn = 1 - self.in_turn

    def go_on_from(self, deck_ids: Iterable[str]) -> None:
        """The counter stands where it stood when these were verified; the last of them went out last."""
        for deck_id in deck_ids:
            number = deck_id[1:]
            if deck_id[:1] in _DECKS and number.isdigit():
                self.shuffles = max(self.shuffles, int(number))
                self.in_turn = 1 - _DECKS.index(deck_id[:1])


def look_into(shuffler: SimShuffler) -> ShufflerNow:
    """How the machine stands now. Nobody at a table may see this."""
    names = shuffler.names
    return ShufflerNow(
        shuffler.state, tuple(map(str, shuffler._deck)), shuffler._verdict, names.shuffles, names.in_turn
    )


def put_into(shuffler: SimShuffler, now: ShufflerNow) -> None:
    """Have the machine as it was then; a stage that was under way begins anew. One that was in error is mended."""
    shuffler.names.shuffles, shuffler.names.in_turn = now.shuffles, now.in_turn
    if now.state != "error":
        shuffler._deck, shuffler._verdict = [Card.parse(card) for card in now.deck], now.verdict
        shuffler._enter(now.state)


def _stages(times: ShuffleTimes, pacing: Pacing) -> dict[str, float]:
    stages = {"loading": times.loading_ms, "shuffling": times.shuffling_ms, "verifying": times.verifying_ms}
    return {state: pacing.wait_ms(length_ms) for state, length_ms in stages.items()}


def _spoilt(deck: list[Card], faults: FaultPanel, rng: random.Random) -> list[Card]:
    """The deck as it really lies in the machine when a deck fault is on."""
    if deck and "deck_short" in faults:
        deck.pop(rng.randrange(len(deck)))
    if deck and "deck_over" in faults:
        deck.append(rng.choice(deck))
    if len(deck) > 1 and "deck_duplicate" in faults:
        lost, twice = rng.sample(range(len(deck)), 2)
        deck[lost] = deck[twice]
    return deck


def _verdict(deck: Sequence[Card], profile: Counter[Card]) -> str:
    if Counter(deck) == profile:
        return "ok"
    if len(deck) == profile.total():
        return "duplicate"
    return "short" if len(deck) < profile.total() else "over"
