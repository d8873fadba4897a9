"""The line to one operator's wallet: calls go out on threads of his own, and a wallet that is silent is left alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from dealer_ui.teller.balance import Balances, Held
from dealer_ui.teller.session import Sessions
from studio.wallets.answer import Outcome, Said, Word, outcome_of
from studio.wallets.breaker import Breaker
from studio.wallets.call import Call
from studio.wallets.port import Wallet

LATENCIES_KEPT: Final = 200
"""So many of the newest answers the pit's figures are made of."""
GRACE_S: Final = 0.25
"""So long a thread that carries a call may take beyond the call's own deadline."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """How a wallet does: whether it is left alone, how long its newest answers took, and how many had no clear one."""

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


class Caller:
    """Any thread may call. `monotonic` is in seconds; `lines`: so many calls are under way at most."""

    def __init__(
        self, operator: str, wallet: Wallet, sessions: Sessions, monotonic: Callable[[], float], *, lines: int = 16,
        executor: Executor | None = None,
    ) -> None:  # fmt: skip
        self.operator = operator
        self.balances = Balances()
        self._wallet = wallet
        self._sessions = sessions
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._breaker = Breaker()
        self._executor = executor or ThreadPoolExecutor(lines, thread_name_prefix=f"wallet {operator}")
        self._newest: list[tuple[int, bool]] = []
        self._clock_ms: Callable[[], int] = lambda: 0
        self._changed_ms = 0
        self._calls = self._unknown = 0
        self._last: Word | None = None

    def use_clock(self, now_ms: Callable[[], int]) -> None:
        """The studio's, by which it is told since when a wallet is silent."""
        self._clock_ms = now_ms

    @property
    def silent(self) -> bool:
        with self._lock:
            return self._breaker.is_open

    def may_ask(self) -> bool:
        """Whether a call may go out now; one does from time to time, to see whether a silent wallet is back."""
        with self._lock:
            return self._breaker.may_ask(self._now_ms())

    def submit(self, call: Call, wait_s: float) -> Future[Said]:
        """Send it; the answer comes at the latest when `wait_s` is over, and nothing is raised."""
        return self._executor.submit(self._ask, call, self._monotonic() + wait_s)

    def ask_all(self, calls: Sequence[Call], wait_s: float) -> list[Said]:
        """All at once, as far as there are lines; each answer within the same wait."""
        until = self._monotonic() + wait_s
        asked = [self.submit(call, wait_s) for call in calls]
        return [self._heard(future, until + GRACE_S) for future in asked]

    def _heard(self, future: Future[Said], until: float) -> Said:
        try:
            return future.result(max(until - self._monotonic(), 0.0))
        except TimeoutError:
            word = Word.UNSENT if future.cancel() else Word.TEMPORARY
            return Said(word=word, detail="no answer in time")

    def _ask(self, call: Call, until: float) -> Said:
        asked = self._monotonic()
        if asked >= until:
            return Said(word=Word.UNSENT, detail="no time was left")
        opened = self._with_session(call)
        said = self._wallet.ask(opened, until - asked)
        self._note(outcome_of(call, said.word), said.word, asked)
        if said.balance_minor is not None:
            self.balances.note(call.bettor, Held(said.balance_minor, call.currency))
        return said

    def _with_session(self, call: Call) -> Call:
        return replace(call, session=self._sessions.of(self.operator, call.bettor))

    def _note(self, outcome: Outcome, word: Word, asked: float) -> None:
        now = self._monotonic()
        with self._lock:
            before = self._breaker.is_open
            self._breaker.heard(outcome, int(asked * 1000), int(now * 1000))
            if self._breaker.is_open is not before:
                self._changed_ms = self._clock_ms()
            self._calls += 1
            self._unknown += outcome is Outcome.UNKNOWN
            self._last = word
            self._newest.append((int((now - asked) * 1000), outcome is Outcome.UNKNOWN))
            del self._newest[:-LATENCIES_KEPT]

    def _now_ms(self) -> int:
        return int(self._monotonic() * 1000)

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
        self._executor.shutdown(wait=False, cancel_futures=True)
