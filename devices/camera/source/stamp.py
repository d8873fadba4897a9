"""When a picture was taken, by the times that its own stream gives its pictures.

Whoever unpacks a stream behind our back keeps what it has not come to, and a picture that lay there comes as
if it were new. Its own time tells: it is behind by as much as it came later, against the clock, than the quickest one.
"""

from __future__ import annotations

from typing import Final

SETTLE_S: Final = 5.0
STEADY_S: Final = 0.25
"""What was kept while the stream was opened is used up once pictures come so long at their own pace, within that."""
UNDATED_S: Final = 30.0
"""A picture that bears no time, or a made-up one, may have been taken so long before it came: no buffer holds more."""
DRIFT: Final = 0.002
"""A camera's clock goes slower than ours by no more than this; what is more is a picture that comes late. Of a clock it
is a tenth as much; a stream said to have 30 pictures a second, that has 29.97, needs a half of it.
"""


class Stamps:
    """Of one stream, opened at `opened_s`; all times are seconds of one steady clock but the pictures' own."""

    def __init__(self, opened_s: float) -> None:
        self.taken_s = opened_s
        """When the picture that came last was taken, at the earliest; the first was not before the opening."""
        self.dated = True
        """Whether it bears a true time: none is further behind the clock than a buffer holds, nor ahead of it."""
        self._opened_s = self._begun_s = opened_s
        self._first_own_s, self._made_up = 0.0, False
        self._came_s = self._own_s = 0.0
        self._timeless = False
        self._quickest_s: float | None = None
        """What the clock is ahead of the pictures' own times where nothing lies unread, at the least."""
        self._settled = False
        self._steady_since_s = self._low_s = self._high_s = 0.0

    def came(self, came_s: float, own_s: float) -> None:
        """A picture came that bears this time; 0 when it bears none."""
        if not own_s > 0:  # as of the first of many streams
            self._undated(came_s)
            self.dated, self._timeless = not self._timeless, True
            return
        self._timeless = False
        ahead_s = came_s - own_s
        if self._quickest_s is None or own_s < self._own_s:  # the first, or they count anew
            self._settled, self._quickest_s = False, self.taken_s - own_s
            self._begun_s, self._first_own_s, self._made_up = came_s, own_s, False
            self._steady_since_s, self._low_s, self._high_s = came_s, ahead_s, ahead_s
        elif self._settled:
            self._quickest_s += DRIFT * (came_s - self._came_s)
        else:
            self._settle(came_s, ahead_s)
        self._quickest_s = min(self._quickest_s, ahead_s)
        self._came_s, self._own_s = came_s, own_s
        self._made_up |= own_s - self._first_own_s > came_s - self._begun_s + UNDATED_S
        if self._made_up or ahead_s - self._quickest_s > UNDATED_S:
            self._undated(came_s)
            return
        self.dated, self.taken_s = True, own_s + self._quickest_s

    def _undated(self, came_s: float) -> None:
        self.dated, self.taken_s = False, max(self._opened_s, came_s - UNDATED_S)

    def _settle(self, came_s: float, ahead_s: float) -> None:
        self._low_s, self._high_s = min(self._low_s, ahead_s), max(self._high_s, ahead_s)
        if self._high_s - self._low_s > STEADY_S:
            self._steady_since_s, self._low_s, self._high_s = came_s, ahead_s, ahead_s
        elif came_s - self._steady_since_s >= SETTLE_S:
            self._settled, self._quickest_s = True, self._low_s
