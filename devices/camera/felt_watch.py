"""The only place where frames of a calibrated felt become news of its places: the camera's work, without its link.

It holds no clock, thread or link: `Watcher` hands it frames that can be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from devices.camera.calibration import Calibration
from devices.camera.fan import FanLife, FanLook
from devices.camera.layout import Slot
from devices.camera.locate import Nothing
from devices.camera.reader import CardReader, Judgement, Scores
from devices.camera.rectify import Pixels
from devices.camera.sight import OPEN_FELT, Changes, SeenCard, SeenFan, Sight
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
    """The places of one felt in one camera's view, from its calibration until it moves.

    `fans` are the lives of the layout's fans, which outlast a camera's blindness.
    """

    def __init__(
        self,
        calibration: Calibration,
        thumb: Pixels,
        reader: CardReader,
        timing: WatchTiming,
        fans: Sequence[FanLife] = (),
    ) -> None:
        self._reader = reader
        self._sight = Sight(calibration, thumb)
        self._slots = calibration.layout.singles
        self._places = [Place(timing) for _ in self._slots]
        self._fans = fans
        for life in fans:
            life.retell()
        self._strays = Strays(self._sight, self._score, timing)
        self._slides = SlideTracker()
        self._fitted_ms: int | None = None

    def look(self, frame: Pixels, thumb: Pixels, now_ms: int) -> list[News]:
        """Take in one frame; a frame without change ends at the gate."""
        changes = self._sight.changes(thumb)
        self._disturb(changes, thumb, now_ms)
        news: list[News] = []
        due = [label for label, place in enumerate(self._eyes(), 1) if place.wants_look(now_ms)]
        for label in due:
            if label <= len(self._slots):
                news.extend(self._look_at(label - 1, frame, thumb, now_ms))
            else:
                news.extend(self._look_at_fan(label, frame, thumb, now_ms))
        if self._strays.restless:
            news.extend(self._strays.look(frame, thumb, now_ms))
            self._sight.remember(OPEN_FELT, thumb)
        if not due and not self._strays.restless and not changes.moved.any():
            self._refit(thumb, now_ms)
        return news

    def _eyes(self) -> list[Place]:
        """What is looked at, by label less one: the single places, then the newest card of each fan."""
        return [*self._places, *(life.eye for life in self._fans)]

    def _disturb(self, changes: Changes, thumb: Pixels, now_ms: int) -> None:
        eyes = self._eyes()
        for label, place in enumerate(eyes, 1):
            if changes.moved[label] or (changes.changed[label] and not place.restless):
                place.disturb(now_ms)
        if changes.changed[OPEN_FELT]:
            self._strays.wake()
        tops = self._tops()
        uneasy = [slot for label, slot in tops.items() if eyes[label - 1].restless]
        if uneasy:
            several = {label for label, slot in tops.items() if label > len(self._slots) and slot.place > 1}
            standing = [label for label in tops if label in several or not changes.changed[label]]
            self._slides.follow(uneasy, self._sight.blobs(thumb, standing), now_ms)

    def _tops(self) -> dict[int, Slot]:
        """The place of each card that could slide away, by label."""
        tops = {i: slot for i, slot in enumerate(self._slots, 1) if self._places[i - 1].holds_card}
        for label, life in enumerate(self._fans, len(self._slots) + 1):
            if life.top:
                tops[label] = life.fan.slots[life.top - 1]
        return tops

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

    def _look_at_fan(self, label: int, frame: Pixels, thumb: Pixels, now_ms: int) -> Iterator[News]:
        life = self._fans[label - len(self._slots) - 1]
        top, identified = life.top, life.identified
        if top and self._slides.under_way(life.fan.slots[top - 1], now_ms):
            return
        seen = self._sight.fan_at(life.fan, frame)
        look: FanLook | Nothing = Nothing.COVERED if isinstance(seen, SeenFan) else seen
        if isinstance(seen, SeenFan) and life.fan.holds(seen.top.x_mm, seen.top.y_mm):
            card = CardLook(self._score(seen.top.picture), seen.top.height_px)
            look = FanLook(card, seen.top.x_mm, seen.first_x_mm, seen.quad, seen.flat)
        news = list(life.see(look, now_ms))
        if not life.eye.restless:
            self._sight.remember(label, thumb)
        for place, told in news:
            slot = life.fan.slots[place - 1]
            direction = self._slides.left(slot, now_ms) if told == "empty" and place == top else ""
            if direction:
                yield CardLeft(slot, direction, identified)
            else:
                read = seen.top if isinstance(seen, SeenFan) and place == life.top else None
                yield PlaceNews(slot, told, read if isinstance(told, Judgement) else None)

    def _refit(self, thumb: Pixels, now_ms: int) -> None:
        """Follow slow changes of the light while nothing moves."""
        if self._fitted_ms is None:
            self._fitted_ms = now_ms
        if now_ms - self._fitted_ms >= _REFIT_MS:
            self._fitted_ms = now_ms
            self._sight.refit(thumb)

    def _score(self, picture: Pixels) -> Scores:
        return self._reader.scores([picture])[0]
