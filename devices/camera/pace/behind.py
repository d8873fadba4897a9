"""When a camera is so far behind that people should know, and when that is over.

Late pictures and pictures left out are both signs of a machine with too much to do. Neither loses a reading: the
newest picture shows the felt as it is. So the notice comes when it has lasted, and goes when all is well for a while.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LATE_MS: Final = 1_000.0
SHED_SHARE: Final = 0.3
"""One picture left out now and then is nothing to tell."""

_TELL_S: Final = 1.5
_OVER_S: Final = 3.0
_AGAIN_S: Final = 5.0
_STEP_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Late:
    """How far behind: the age of the picture that was judged, and the share of pictures that were left out."""

    behind_ms: int
    shed_percent: int


class Behind:
    """Follows one camera, look by look; times by a clock that never goes back, in seconds."""

    def __init__(self) -> None:
        self._told: Late | None = None
        self._told_s = 0.0
        self._good_s: float | None = None
        self._bad_s: float | None = None
        self._lag_ms = 0.0
        self._shed = 0.0

    @property
    def told(self) -> Late | None:
        """What people were last told; None while all is well."""
        return self._told

    def looked(self, now_s: float, lag_ms: float, shed: int) -> Late | bool:
        """Take in one look: how old its picture was, and how many came unseen before it.

        Gives what is to be told now, True when it is over, False when there is nothing new.
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

    def _tell(self, now_s: float) -> Late | bool:
        late = Late(round(self._lag_ms), round(self._shed * 100))
        if self._told is not None:
            grown = abs(late.behind_ms - self._told.behind_ms) >= _STEP_MS
            if not grown or now_s - self._told_s < _AGAIN_S:
                return False
        self._told, self._told_s = late, now_s
        return late
