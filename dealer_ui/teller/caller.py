"""Who calls one operator: calls go out side by side, and a far end that is silent is left alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

import msgspec

from studio.wallets.answer import Said, WalletOutcome, Word, outcome_of
from studio.wallets.breaker import Breaker

LATENCIES_KEPT: Final = 200
"""So many of the newest answers the pit's figures are made of."""
GRACE_S: Final = 0.25
"""So much longer than the calls' own deadline their answers are waited for."""


Asks_contra = TypeVar("Asks_contra", bound=msgspec.Struct, contravariant=True)


class CalledEnd(Protocol[Asks_contra]):
    """What is called; nothing is raised, whatever the world does to a call. See `studio.wallets.port.Wallet`."""

    def ask(self, call: Asks_contra, wait_s: float, heard: Callable[[Said], None]) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Pulse:
    """How the far end of a caller is doing: whether it is left alone for a while, how long its newest answers took, and
    how many calls got no clear answer.
    """

    silent: bool
    calls: int
    unknown: int
    median_ms: int
    worst_ms: int
    last: Word | None
    slowest_ms: int = 0
    """Of a hundred answers ninety-nine took no longer."""
    lately: int = 0
    unknown_lately: int = 0
    """How many answers the times are made of, and how many of these were unclear."""
    changed_ms: int = 0
    """Since when it is silent, or answers again; by the studio's clock. 0: since the start."""


class Caller(Generic[Asks_contra]):
    """Any thread may call. `monotonic` is in seconds."""

    def __init__(self, operator: str, far_end: CalledEnd[Asks_contra], monotonic: Callable[[], float]) -> None:
        self.operator = operator
        self._far_end = far_end
        self.monotonic = monotonic
        self._lock = threading.Lock()
        self._breaker = Breaker()
        self._newest: list[tuple[int, bool]] = []
        self._clock_ms: Callable[[], int] = lambda: 0
        self._changed_ms = 0
        self._calls = self._unknown = 0
        self._last: Word | None = None

    def use_clock(self, now_ms: Callable[[], int]) -> None:
        """The studio's, by which it is told since when the far end is silent."""
        self._clock_ms = now_ms

    @property
    def silent(self) -> bool:
        with self._lock:
            return self._breaker.is_open

    def may_ask(self) -> bool:
        """Whether a call may go out now; one does from time to time, to see whether a silent far end is back."""
        with self._lock:
            return self._breaker.may_ask(self._now_ms())

    def submit(self, call: Asks_contra, wait_s: float) -> Future[Said]:
        """Send it; the answer comes at the latest when `wait_s` is over, and nothing is raised."""
        future: Future[Said] = Future()
        asked = self.monotonic()

        def heard(said: Said) -> None:
            if said.word is not Word.UNSENT:
                self._note(outcome_of(call, said.word), said.word, asked)
            future.set_result(said)

        if wait_s > 0:
            self._far_end.ask(call, wait_s, heard)
        else:
            heard(Said(word=Word.UNSENT, detail="no time was left"))
        return future

    def ask_all(self, calls: Sequence[Asks_contra], wait_s: float) -> list[Said]:
        """One after another, and none waits for the one before; each answer within the same wait."""
        until = self.monotonic() + wait_s
        asked = [self.submit(call, until - self.monotonic()) for call in calls]
        wait(asked, max(until - self.monotonic(), 0.0) + GRACE_S)
        late = Said(word=Word.TEMPORARY, detail="no answer in time")
        return [future.result() if future.done() else late for future in asked]

    def _note(self, outcome: WalletOutcome, word: Word, asked: float) -> None:
        now = self.monotonic()
        with self._lock:
            before = self._breaker.is_open
            self._breaker.heard(outcome, int(asked * 1000), int(now * 1000))
            if self._breaker.is_open is not before:
                self._changed_ms = self._clock_ms()
            self._calls += 1
            self._unknown += outcome is WalletOutcome.UNKNOWN
            self._last = word
            self._newest.append((int((now - asked) * 1000), outcome is WalletOutcome.UNKNOWN))
            del self._newest[:-LATENCIES_KEPT]

    def _now_ms(self) -> int:
        return int(self.monotonic() * 1000)

    def pulse(self) -> Pulse:
        with self._lock:
            took = sorted(took_ms for took_ms, _ in self._newest) or [0]
            return Pulse(
                silent=self._breaker.is_open, calls=self._calls, unknown=self._unknown, median_ms=took[len(took) // 2],
                worst_ms=took[-1], last=self._last, slowest_ms=took[len(took) * 99 // 100], lately=len(self._newest),
                unknown_lately=sum(unclear for _, unclear in self._newest), changed_ms=self._changed_ms,
            )  # fmt: skip

    def close(self) -> None:
        """Nothing more goes out; what is under way ends by its own deadline."""
        self._far_end.close()
