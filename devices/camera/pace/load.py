"""Measures how far a watcher is behind its camera: the age of what it judges, and frames shed.

Frames may be shed, for the newest one shows the felt as it is; what was read of a frame is never shed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

_FRAMES: Final = 64


@dataclass(frozen=True, slots=True)
class Flow:
    """How frames come out of a source. `age_ms` is how old the latest frame was when it was handed out, at the most:
    where it is not `dated`, because the stream bears no times or false ones, nobody can tell.

    Since the source was opened, `taken` frames came from the camera, and `skipped` of them were never looked at,
    because a newer frame came first.
    """

    taken: int = 0
    skipped: int = 0
    age_ms: float = 0.0
    dated: bool = True

    @property
    def late_ms(self) -> float:
        """How much later than the camera this was handed out, as far as anybody can tell."""
        return self.age_ms if self.dated else 0.0


@runtime_checkable
class Flowing(Protocol):
    """A frame source that knows how its frames come."""

    @property
    def flow(self) -> Flow: ...


@runtime_checkable
class Patient(Protocol):
    """A frame source that can be waited for."""

    def wait(self, timeout_s: float) -> bool:
        """Wait for something to grab, at most so long; False when there is nothing."""
        ...


def flow_of(source: object) -> Flow:
    """How the frames of this source arrive; an empty `Flow` for a source that does not know."""
    return source.flow if isinstance(source, Flowing) else Flow()


def wait_for(source: object, timeout_s: float) -> bool:
    """Wait for something to grab, at most so long; False when there is nothing. Who cannot be waited for is asked."""
    return source.wait(timeout_s) if isinstance(source, Patient) else True


@dataclass(frozen=True, slots=True)
class WatchLoad:
    """A watcher's load over its last frames.

    `lag_ms` is the median time from taking a frame to judging it, `lag_ms_max` the longest; `work_ms` is the watcher's
    own part of it. `frames` judged and `skipped` unseen count from the start, `skipped_share` is of late.
    """

    frames: int = 0
    skipped: int = 0
    lag_ms: float = 0.0
    lag_ms_max: float = 0.0
    work_ms: float = 0.0
    frames_per_s: float = 0.0
    skipped_share: float = 0.0


@dataclass(frozen=True, slots=True)
class _Judged:
    at_ms: int
    lag_ms: float
    work_ms: float
    skipped: int


class LoadMeter:
    """Takes in each judged frame; gives the figures. Only `figures` may be called from another thread."""

    def __init__(self) -> None:
        self._recent: deque[_Judged] = deque(maxlen=_FRAMES)
        self._frames = 0
        self._skipped_before = 0
        self.figures = WatchLoad()

    def judged(self, flow: Flow, work_ms: float, now_ms: int) -> None:
        """One frame was judged: it was taken `flow.late_ms` before the work on it began."""
        shed = max(0, flow.skipped - self._skipped_before)
        self._skipped_before = flow.skipped
        self._frames += 1
        self._recent.append(_Judged(now_ms, flow.late_ms + work_ms, work_ms, shed))
        if self._frames < 4 or self._frames % 4 == 0:
            self.figures = self._figures()

    def _figures(self) -> WatchLoad:
        recent = list(self._recent)
        lags, shed = sorted(one.lag_ms for one in recent), sum(one.skipped for one in recent[1:])
        lasted_s = (recent[-1].at_ms - recent[0].at_ms) / 1000
        return WatchLoad(
            frames=self._frames,
            skipped=self._skipped_before,
            lag_ms=lags[len(lags) // 2],
            lag_ms_max=lags[-1],
            work_ms=sum(one.work_ms for one in recent) / len(recent),
            frames_per_s=(len(recent) - 1) / lasted_s if lasted_s > 0 else 0.0,
            skipped_share=shed / (shed + max(1, len(recent) - 1)),
        )
