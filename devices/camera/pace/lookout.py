"""A camera among many: it looks when it is its turn, and says when it has fallen behind.

Under overload pictures are left out, never what was read of one: a watcher that looks less often still looks at the
newest picture, and tells every card once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol, runtime_checkable

from devices.camera.pace.behind import Behind, Late
from devices.camera.pace.load import Flow
from devices.camera.pace.turn import Turns
from studio.ports import CameraCaughtUp, CameraFellBehind, LinkUp, Observation

WAIT_S: Final = 0.05
"""How long a step waits for a picture."""


@runtime_checkable
class Watching(Protocol):
    """A `studio.ports.Device` that pictures can be waited for."""

    @property
    def id(self) -> str: ...

    @property
    def flow(self) -> Flow:
        """How its pictures come."""
        ...

    def wait(self, timeout_s: float) -> bool:
        """Wait for something to look at, at most so long; False when there is nothing."""
        ...

    def step(self, now_ms: int) -> Sequence[Observation]: ...

    def close(self) -> None: ...


class Lookout:
    """A `studio.ports.Device` around a watcher: the same observations, in turn with the other cameras.

    `clock_s` never goes back.
    """

    def __init__(self, watcher: Watching, turns: Turns, *, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._watcher = watcher
        self._turns = turns
        self._clock_s = clock_s
        self._looked_s = 0.0
        self._behind = Behind()
        self._flow = Flow()

    @property
    def id(self) -> str:
        return self._watcher.id

    def step(self, now_ms: int) -> Sequence[Observation]:
        """Wait for a picture, then for a turn, and look."""
        began_s = self._clock_s()
        if not self._watcher.wait(WAIT_S):
            return self._watcher.step(self._later(now_ms, began_s))
        with self._turns.turn(self._looked_s):
            begun_s, at_ms = self._clock_s(), self._later(now_ms, began_s)
            seen = self._watcher.step(at_ms)
            self._looked_s = self._clock_s()
        if any(isinstance(one, LinkUp) for one in seen):
            self._behind = Behind()  # a camera that comes back is late with nothing
        return [*seen, *self._lateness(at_ms, (self._looked_s - begun_s) * 1000)]

    def close(self) -> None:
        self._watcher.close()

    def _later(self, now_ms: int, began_s: float) -> int:
        return now_ms + int((self._clock_s() - began_s) * 1000)

    def _lateness(self, at_ms: int, work_ms: float) -> Sequence[Observation]:
        before, flow = self._flow, self._watcher.flow
        self._flow = flow
        if flow.taken == before.taken:
            return ()
        match self._behind.looked(self._looked_s, flow.age_ms + work_ms, flow.skipped - before.skipped):
            case Late(behind_ms=behind_ms, shed_percent=shed_percent):
                return (CameraFellBehind(device=self.id, at_ms=at_ms, behind_ms=behind_ms, shed_percent=shed_percent),)
            case True:
                return (CameraCaughtUp(device=self.id, at_ms=at_ms),)
        return ()
