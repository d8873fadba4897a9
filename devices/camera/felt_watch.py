"""The only place where frames of a calibrated felt become news of its places: the camera's work, without its link.

It holds no clock, thread or link: `Watcher` hands it frames that can be trusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from devices.camera.calibration import Calibration
from devices.camera.layout import Slot
from devices.camera.locate import Nothing
from devices.camera.reader import CardReader, Judgement, Scores
from devices.camera.rectify import Pixels
from devices.camera.sight import OPEN_FELT, Changes, SeenCard, Sight
from devices.camera.slide import SlideTracker
from devices.camera.stray import StrayLeft, Strays, StraySeen
from devices.camera.zone import CardLook, Look, Place, Told, WatchTiming

_REFIT_MS: Final = 20_000


@dataclass(frozen=True, slots=True)
class PlaceNews:
    """Something new in a place: what is said of it, and the card's picture when there is one."""

    slot: Slot
    told: Told
    card: SeenCard | None


@dataclass(frozen=True, slots=True)
class CardLeft:
    """The card of a place slid over an edge of the view."""

    slot: Slot
    direction: str
    identified: bool


News = PlaceNews | CardLeft | StraySeen | StrayLeft


class FeltWatch:
    """The places of one felt in one camera's view, from its calibration until it moves."""

    def __init__(self, calibration: Calibration, thumb: Pixels, reader: CardReader, timing: WatchTiming) -> None:
        self._reader = reader
        self._sight = Sight(calibration, thumb)
        self._slots = calibration.layout.slots
        self._places = [Place(timing) for _ in self._slots]
        self._strays = Strays(self._sight, self._score, timing)
        self._slides = SlideTracker()
        self._fitted_ms: int | None = None

    def look(self, frame: Pixels, thumb: Pixels, now_ms: int) -> list[News]:
        """Take in one frame; a frame without change ends at the gate."""
        changes = self._sight.changes(thumb)
        self._disturb(changes, thumb, now_ms)
        news: list[News] = []
        due = [i for i, place in enumerate(self._places) if place.wants_look(now_ms)]
        for i in due:
            news.extend(self._look_at(i, frame, thumb, now_ms))
        if self._strays.restless:
            news.extend(self._strays.look(frame, thumb, now_ms))
            self._sight.remember(OPEN_FELT, thumb)
        if not due and not self._strays.restless and not changes.moved.any():
            self._refit(thumb, now_ms)
        return news

    def _disturb(self, changes: Changes, thumb: Pixels, now_ms: int) -> None:
        for i, place in enumerate(self._places):
            if changes.moved[i + 1] or (changes.changed[i + 1] and not place.restless):
                place.disturb(now_ms)
        if changes.changed[OPEN_FELT]:
            self._strays.wake()
        uneasy = [i for i, place in enumerate(self._places) if place.restless and place.holds_card]
        if uneasy:
            holding = [i + 1 for i, place in enumerate(self._places) if place.holds_card]
            standing = [label for label in holding if not changes.changed[label]]
            self._slides.follow([self._slots[i] for i in uneasy], self._sight.blobs(thumb, standing), now_ms)

    def _look_at(self, i: int, frame: Pixels, thumb: Pixels, now_ms: int) -> list[News]:
        slot, place = self._slots[i], self._places[i]
        if place.holds_card and self._slides.under_way(slot, now_ms):
            return []
        seen = self._sight.card_at(slot, frame)
        card = seen if isinstance(seen, SeenCard) and slot.holds(seen.x_mm, seen.y_mm) else None
        look: Look = Nothing.COVERED if isinstance(seen, SeenCard) else seen
        if card is not None:
            look = CardLook(self._score(card.picture), card.height_px)
        held, identified = place.holds_card, place.identified
        told = place.see(look, now_ms)
        if not place.restless:
            self._sight.remember(i + 1, thumb)
        if told is None:
            return []
        direction = self._slides.left(slot, now_ms) if told == "empty" and held else ""
        if direction:
            return [CardLeft(slot, direction, identified)]
        return [PlaceNews(slot, told, card if isinstance(told, Judgement) else None)]

    def _refit(self, thumb: Pixels, now_ms: int) -> None:
        """Follow slow changes of the light while nothing moves."""
        if self._fitted_ms is None:
            self._fitted_ms = now_ms
        if now_ms - self._fitted_ms >= _REFIT_MS:
            self._fitted_ms = now_ms
            self._sight.refit(thumb)

    def _score(self, picture: Pixels) -> Scores:
        return self._reader.scores([picture])[0]
