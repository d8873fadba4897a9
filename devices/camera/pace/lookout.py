"""A camera among many: it looks when it is its turn, and reports when it has fallen behind.

Under overload, pictures are left out, but nothing that was read from a picture is. A watcher that looks less often
still looks at the newest picture, and reports every card once. The notice of being late comes only when the lateness
has lasted, and is taken back only when all has been well for a while.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Final, Protocol, runtime_checkable

from devices.camera.pace.load import Flow
from studio.ports import CameraCaughtUp, CameraFellBehind, LinkUp, Observation

LATE_MS: Final = 1_000.0
SHED_SHARE: Final = 0.3
"""One picture left out now and then is nothing to tell."""
_TELL_S: Final = 1.5
_OVER_S: Final = 3.0
_AGAIN_S: Final = 5.0
_STEP_MS: Final = 1_000


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

    def __init__(self, watcher: Watching, turns: LookTurns, *, clock_s: Callable[[], float] = time.monotonic) -> None:
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
        match self._behind.looked(self._looked_s, flow.late_ms + work_ms, flow.skipped - before.skipped):
            case LatePictures(behind_ms=behind_ms, shed_percent=shed_percent):
                return (CameraFellBehind(device=self.id, at_ms=at_ms, behind_ms=behind_ms, shed_percent=shed_percent),)
            case True:
                return (CameraCaughtUp(device=self.id, at_ms=at_ms),)
        return ()


class LookTurns:
    """Lets at most `at_once` cameras look at the same time; any thread may ask for a turn.

    The next turn goes to the waiting camera that has not looked for the longest, so no camera is overtaken twice by the
    same other one.
    """

    def __init__(self, at_once: int) -> None:
        self._door = threading.Lock()
        self._free = at_once
        self._asked = count()
        self._queue: list[tuple[float, int, threading.Event]] = []

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @contextmanager
    def turn(self, looked_s: float) -> Iterator[None]:
        """Wait for a turn and hold it; `looked_s` is when this camera last looked."""
        self._take(looked_s)
        try:
            yield
        finally:
            self._pass_on()

    def _take(self, looked_s: float) -> None:
        mine = threading.Event()
        with self._door:
            if self._free:
                self._free -= 1
                return
            heapq.heappush(self._queue, (looked_s, next(self._asked), mine))
        mine.wait()

    def _pass_on(self) -> None:
        """Hand the turn to whoever waits; nobody else can take it meanwhile."""
        with self._door:
            if self._queue:
                heapq.heappop(self._queue)[2].set()
            else:
                self._free += 1


@dataclass(frozen=True, slots=True)
class LatePictures:
    """How far behind: the age of the picture that was judged, and the share of pictures that were left out."""

    behind_ms: int
    shed_percent: int


class Behind:
    """Follows one camera, look by look; times by a clock that never goes back, in seconds."""

    def __init__(self) -> None:
        self._told: LatePictures | None = None
        self._told_s = 0.0
        self._good_s: float | None = None
        self._bad_s: float | None = None
        self._lag_ms = 0.0
        self._shed = 0.0

    @property
    def told(self) -> LatePictures | None:
        """What people were last told; None while all is well."""
        return self._told

    def looked(self, now_s: float, lag_ms: float, shed: int) -> LatePictures | bool:
        """Take in one look: how old its picture was (`lag_ms`), and how many pictures before it went unseen (`shed`).

        Gives the notice of being late when it is due, True when the lateness is over, False when there is nothing new
        to say.
        """
        self._lag_ms += (lag_ms - self._lag_ms) / 4
        self._shed += (shed / (shed + 1) - self._shed) / 8
        if self._lag_ms > LATE_MS or self._shed > SHED_SHARE:
            self._good_s, self._bad_s = None, now_s if self._bad_s is None else self._bad_s
            return now_s - self._bad_s >= _TELL_S and self._tell(now_s)
        self._bad_s = None
        if self._lag_ms < LATE_MS / 2 and self._shed < SHED_SHARE / 2:
            self._good_s = now_s if self._good_s is None else self._good_s
        if self._told is None or self._good_s is None or now_s - self._good_s < _OVER_S:
            return False
        self._told = None
        return True

    def _tell(self, now_s: float) -> LatePictures | bool:
        late = LatePictures(round(self._lag_ms), round(self._shed * 100))
        if self._told is not None:
            grown = abs(late.behind_ms - self._told.behind_ms) >= _STEP_MS
            if not grown or now_s - self._told_s < _AGAIN_S:
                return False
        self._told, self._told_s = late, now_s
        return late
