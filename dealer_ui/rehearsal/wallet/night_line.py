"""The line to a simulated operator inside a night: from a seed it is late, lost, doubled, cut off and down.

It carries the bytes a dialect writes to the operator's own reading of them, so signatures and shapes are the real
ones. While an answer is slow the night goes on: windows close, cards come, rounds are voided.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Final

from dealer_ui.rehearsal.operator.till import Till
from dealer_ui.rehearsal.operator.voice import OperatorVoice, Spoken
from dealer_ui.wallets.dialect import NoReply, Reply, Request

SLOW_MS: Final = (100, 4_000)
LATE_MS: Final = (300, 90_000)
DOWN_MS: Final = (2_000, 60_000)
DOWN_CHANCE: Final = 0.05
"""Of the faults, so many are a wallet that is down for a while."""


class KilledError(Exception):
    """The studio is killed in the middle of a call."""


class NightLine:
    """See `dealer_ui.wallets.dialect.Sending`. `rate`: the share of calls in which something is wrong.

    `wait` lets the night go on for so many milliseconds at most and gives how many it was.
    """

    def __init__(
        self, till: Till, voice: OperatorVoice, rng: random.Random, rate: float, wait: Callable[[int], int]
    ) -> None:
        self._till = till
        self._voice = voice
        self._rng = rng
        self.rate = rate
        self._wait = wait
        self._before: Spoken = (500, b"")
        self._late: list[tuple[int, Request]] = []
        self._down_until_ms = 0
        self._now_ms = 0
        self.unsigned = 0
        """Requests whose signature was wrong; there is never one."""
        self.done: Counter[str] = Counter()
        """How often each fault was."""

    def step(self, now_ms: int) -> None:
        """What was under way for long arrives."""
        self._now_ms = now_ms
        arrived = [request for at_ms, request in self._late if at_ms <= now_ms]
        self._late = [one for one in self._late if one[0] > now_ms]
        for request in arrived:
            self._act(request)

    def mend(self) -> None:
        """From now on nothing goes wrong, and whatever was under way has arrived."""
        self.rate, self._down_until_ms = 0.0, 0
        late, self._late = self._late, []
        for _, request in late:
            self._act(request)

    def send(self, request: Request, wait_s: float, heard: Callable[[Reply | NoReply], None]) -> None:
        heard(self._sent(request, wait_s))

    def _sent(self, request: Request, wait_s: float) -> Reply | NoReply:
        if self._now_ms < self._down_until_ms:
            return NoReply("The connection was refused.")
        if self._rng.random() >= self.rate:
            return self._whole(self._act(request))
        if self._rng.random() < DOWN_CHANCE:
            self.done["down"] += 1
            self._down_until_ms = self._now_ms + self._rng.randint(*DOWN_MS)
            return NoReply("The connection was refused.")
        name = self._rng.choice(tuple(FAULTS))
        self.done[name] += 1
        return FAULTS[name](self, request, wait_s)

    def close(self) -> None:
        """Nothing is open."""

    # --- what goes wrong ------------------------------------------------------------------------------

    def _lost_before(self, request: Request, wait_s: float) -> NoReply:
        return NoReply("The request was lost.")

    def _lost_after(self, request: Request, wait_s: float) -> NoReply:
        self._act(request)
        return NoReply("The answer was lost.")

    def _half(self, request: Request, wait_s: float) -> Reply:
        status, body = self._act(request)
        return Reply(status, body[: len(body) // 2])

    def _nonsense(self, request: Request, wait_s: float) -> Reply:
        status, _ = self._act(request)
        return Reply(status, b"<html>Welcome to the proxy</html>")

    def _error_before(self, request: Request, wait_s: float) -> Reply:
        return Reply(500, b"Internal Server Error")

    def _error_after(self, request: Request, wait_s: float) -> Reply:
        self._act(request)
        return Reply(500, b"Internal Server Error")

    def _twice(self, request: Request, wait_s: float) -> Reply:
        self._act(request)
        return self._whole(self._act(request))

    def _out_of_order(self, request: Request, wait_s: float) -> Reply:
        before = self._before
        self._act(request)
        return self._whole(before)

    def _held_back(self, request: Request, wait_s: float) -> NoReply:
        self._late.append((self._now_ms + self._rng.randint(*LATE_MS), request))
        return NoReply("No answer in time.")

    def _slow_before(self, request: Request, wait_s: float) -> Reply | NoReply:
        took_ms = self._wait(self._rng.randint(*SLOW_MS))
        spoken = self._act(request)
        return self._whole(spoken) if took_ms < wait_s * 1000 else NoReply("No answer in time.")

    def _slow_after(self, request: Request, wait_s: float) -> Reply | NoReply:
        spoken = self._act(request)
        took_ms = self._wait(self._rng.randint(*SLOW_MS))
        return self._whole(spoken) if took_ms < wait_s * 1000 else NoReply("No answer in time.")

    def _killed_before(self, request: Request, wait_s: float) -> Reply:
        raise KilledError

    def _killed_after(self, request: Request, wait_s: float) -> Reply:
        self._act(request)
        raise KilledError

    def _act(self, request: Request) -> Spoken:
        if not self._voice.signed(dict(request.headers), request.body):
            self.unsigned += 1
        self._before = self._voice.answer(self._till, request.path, request.body)
        return self._before

    def _whole(self, spoken: Spoken) -> Reply:
        return Reply(*spoken)


FAULTS: Final[dict[str, Callable[[NightLine, Request, float], Reply | NoReply]]] = {
    "lost_before": NightLine._lost_before,
    "lost_after": NightLine._lost_after,
    "half": NightLine._half,
    "nonsense": NightLine._nonsense,
    "error_before": NightLine._error_before,
    "error_after": NightLine._error_after,
    "twice": NightLine._twice,
    "out_of_order": NightLine._out_of_order,
    "held_back": NightLine._held_back,
    "slow_before": NightLine._slow_before,
    "slow_after": NightLine._slow_after,
    "killed_before": NightLine._killed_before,
    "killed_after": NightLine._killed_after,
}
"""What goes wrong with one call; beside it the wallet is `down` for a while."""
