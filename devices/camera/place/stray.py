"""Cards lying where no place is, kept account of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from devices.camera.face.reader import Judgement, Scores
from devices.camera.outline.search import Nothing
from devices.camera.picture.frame import Picture
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.place.sight import Score, SeenCard, Sight
from devices.camera.place.zone import CameraPlace, CardLook, WatchTiming

_SAME_MM: Final = 35.0
_STRAYS_MAX: Final = 16


@dataclass(slots=True)
class _Stray:
    x_mm: float
    y_mm: float
    place: CameraPlace
    met: bool = True
    gone_ms: int | None = None
    lies_ms: int | None = None


@dataclass(frozen=True, slots=True)
class StraySeen:
    x_mm: float
    y_mm: float
    said: Judgement
    card: SeenCard
    scores: Scores | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class StrayLeft:
    x_mm: float
    y_mm: float


class Strays:
    """The stray cards of one felt; asleep while the open felt does not change."""

    def __init__(self, sight: Sight, score: Score, timing: WatchTiming) -> None:
        self._sight = sight
        self._score = score
        self._timing = timing
        self._strays: list[_Stray] = []
        self.restless = True

    def wake(self) -> None:
        """The open felt no longer looks as it did."""
        self.restless = True

    def may_look(self, now_ms: int) -> bool:
        """Whether one of them may be looked at in a picture of now."""
        return self.restless and any(stray.place.may_want_look(now_ms) for stray in self._strays)

    def look(self, picture: Picture, now_ms: int) -> list[StraySeen | StrayLeft]:
        """Take in one frame and return the news: strays that were seen, strays that have left."""
        self._match(picture.thumb, now_ms)
        said: list[StraySeen | StrayLeft] = []
        for stray in list(self._strays):
            said.extend(self._follow(stray, picture, now_ms))
        self.restless = any(stray.place.restless or stray.gone_ms is not None for stray in self._strays)
        return said

    def _match(self, thumb: Pixels, now_ms: int) -> None:
        for stray in self._strays:
            stray.met = False
        for candidate in self._sight.candidates(thumb):
            near = [s for s in self._strays if _apart(s, candidate.x_mm, candidate.y_mm) < _SAME_MM]
            if not near and len(self._strays) < _STRAYS_MAX:
                near = [_Stray(candidate.x_mm, candidate.y_mm, CameraPlace(self._timing))]
                self._strays += near
                near[0].place.disturb(now_ms)
            for stray in near[:1]:
                stray.met = True
                if candidate.moving:
                    stray.place.disturb(now_ms)
                    stray.lies_ms = None

    def _follow(self, stray: _Stray, picture: Picture, now_ms: int) -> list[StraySeen | StrayLeft]:
        if not stray.met:
            return self._leave(stray, picture.thumb, now_ms)
        stray.gone_ms = None
        if not stray.place.wants_look(now_ms):
            return []
        seen = self._sight.stray_at(stray.x_mm, stray.y_mm, picture.whole)
        if isinstance(seen, Nothing) or self._sight.calibration.layout.slot_at(seen.x_mm, seen.y_mm) is not None:
            return self._no_card(stray)
        stray.lies_ms = now_ms if stray.lies_ms is None else stray.lies_ms
        if now_ms - stray.lies_ms < self._timing.stray_ms:
            return []
        told = stray.place.see(CardLook(self._score(seen.picture), seen.height_px), now_ms)
        if not isinstance(told, Judgement):
            return []
        stray.x_mm, stray.y_mm = seen.x_mm, seen.y_mm
        return [StraySeen(seen.x_mm, seen.y_mm, told, seen, stray.place.scores)]

    def _no_card(self, stray: _Stray) -> list[StraySeen | StrayLeft]:
        """It is a hand, a chip or a shadow: of no interest, unless a card was seen there before."""
        stray.place.restless = False
        if not stray.place.holds_card:
            self._strays.remove(stray)
        return []

    def _leave(self, stray: _Stray, thumb: Pixels, now_ms: int) -> list[StraySeen | StrayLeft]:
        if not stray.place.holds_card:
            self._strays.remove(stray)
            return []
        if not self._sight.is_bare(stray.x_mm, stray.y_mm, thumb):
            stray.gone_ms = None
            return []
        stray.gone_ms = now_ms if stray.gone_ms is None else stray.gone_ms
        if now_ms - stray.gone_ms < self._timing.settle_ms:
            return []
        self._strays.remove(stray)
        return [StrayLeft(stray.x_mm, stray.y_mm)]


def _apart(stray: _Stray, x_mm: float, y_mm: float) -> float:
    return float(np.hypot(stray.x_mm - x_mm, stray.y_mm - y_mm))
