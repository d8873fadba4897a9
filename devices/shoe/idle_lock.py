"""Locks a shoe while no card is due, and unlocks it as soon as one is.

It stands around a shoe's driver and sends the driver's own commands. The dealer comes first: the unlocking waits for
nothing, a shoe that locks badly or slowly is not locked again before its link comes up anew, and what a person
locked stays locked until a person unlocks it. Each answer of the shoe is told as for any command.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from devices.driver import Driver, DriverTurn, HostCommand, Instant
from devices.link import LineSettings
from studio.errors import RefusedError
from studio.ports import CommandAnswered, Observation, ShoeLocked, ShoeStarted

LOCK: Final = HostCommand("lock")
UNLOCK: Final = HostCommand("unlock")
REST_MS: Final = 400
"""So long no card is due before the shoe is locked: a pause in a deal is no rest."""
SLOW_MS: Final = 500
"""A shoe that takes longer to lock might take longer to unlock."""
AGAIN_MS: Final = 1000
"""Before unlocking is tried again; twice as long each time, up to `AGAIN_MS_MAX`."""
AGAIN_MS_MAX: Final = 16_000


class IdleLock:
    """A driver that also locks its shoe. `rest` may be called from any thread."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._resting = False
        self._rests_since_ms: int | None = None
        self._locked: bool | None = None
        """As the shoe last said; None while nobody knows."""
        self._by_hand = False
        """A person locked it, at the shoe or from a console."""
        self._gave_up = False
        self._ours: deque[tuple[str, int]] = deque()
        """Our commands without an answer yet, and when they were given."""
        self._persons: deque[str] = deque()
        self._unlock_at_ms = 0
        self._unlock_wait_ms = AGAIN_MS

    @property
    def settings(self) -> LineSettings:
        return self._driver.settings

    def rest(self, resting: bool) -> bool:
        """No card is due; or, False, one may be drawn. True where that is news: whoever steps this is to do so at
        once.
        """
        news = resting is not self._resting
        self._resting = resting
        return news

    def turn(self, data: bytes, now: Instant) -> DriverTurn:
        self._see_to_it(now.run_ms)
        turn = self._driver.turn(data, now)
        for seen in turn.observations:
            self._hear(seen, now.run_ms)
        return turn

    def reset(self, now: Instant) -> Sequence[Observation]:
        seen = self._driver.reset(now)
        self._locked, self._by_hand, self._gave_up = None, False, False
        self._ours.clear()
        self._persons.clear()
        self._unlock_at_ms, self._unlock_wait_ms = 0, AGAIN_MS
        return seen

    def check(self, command: HostCommand) -> None:
        self._driver.check(command)

    def command(self, command: HostCommand) -> None:
        """A person's command goes before ours: from a lock to the next unlock nothing is done here."""
        self._driver.command(command)
        if command.name in (LOCK.name, UNLOCK.name):
            self._persons.append(command.name)

    # --- what the shoe says ----------------------------------------------------------------------------

    def _hear(self, seen: Observation, run_ms: int) -> None:
        match seen:
            case ShoeLocked(locked=locked):
                if self._locked is (not locked) and not self._ours and not self._persons:
                    self._by_hand = locked
                self._locked = locked
            case ShoeStarted():
                self._locked, self._by_hand = None, False
            case CommandAnswered(command=LOCK.name | UNLOCK.name as name, accepted=accepted, code=code):
                self._answered(name, run_ms, accepted=accepted)
                if not accepted and code is None:
                    self._locked = None  # it did not answer, and may have done it

    def _answered(self, name: str, run_ms: int, *, accepted: bool) -> None:
        if self._persons and self._persons[0] == name:
            self._persons.popleft()
            self._by_hand = name == LOCK.name if accepted else self._by_hand
        elif self._ours and self._ours[0][0] == name:
            _, given_ms = self._ours.popleft()
            if name == LOCK.name and (not accepted or run_ms - given_ms > SLOW_MS):
                self._gave_up = True
            if name == UNLOCK.name and not accepted:
                self._wait_to_unlock(run_ms)
        if accepted:
            self._locked = name == LOCK.name
            self._unlock_at_ms, self._unlock_wait_ms = 0, AGAIN_MS

    def _wait_to_unlock(self, run_ms: int) -> None:
        self._unlock_at_ms = run_ms + self._unlock_wait_ms
        self._unlock_wait_ms = min(2 * self._unlock_wait_ms, AGAIN_MS_MAX)

    # --- what is due ------------------------------------------------------------------------------------

    def _see_to_it(self, run_ms: int) -> None:
        resting = self._resting
        if not resting:
            self._rests_since_ms = None
        elif self._rests_since_ms is None:
            self._rests_since_ms = run_ms
        if self._by_hand or self._persons:
            return
        rested = self._rests_since_ms is not None and run_ms - self._rests_since_ms >= REST_MS
        will_be = self._ours[-1][0] == LOCK.name if self._ours else self._locked
        if not resting and will_be is not False and run_ms >= self._unlock_at_ms:
            self._send(UNLOCK, run_ms)
        elif rested and will_be is not True and not self._gave_up and not self._ours:
            self._send(LOCK, run_ms)

    def _send(self, command: HostCommand, run_ms: int) -> None:
        try:
            self._driver.command(command)
        except RefusedError:
            self._gave_up = True
            self._wait_to_unlock(run_ms)
            return
        self._ours.append((command.name, run_ms))
