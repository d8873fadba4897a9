"""Frames of a calibrated felt in, news of its places out: the camera's work, without its link.

It holds no clock, thread or link: `Watcher` hands it frames that can be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from devices.camera.face.reader import CardReader, Judgement, Scores
from devices.camera.felt.calibration import Calibration
from devices.camera.felt.layout import Slot
from devices.camera.outline.search import Nothing
from devices.camera.picture.frame import Picture
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.place.exchange import Exchanged, Exchanges, PlaceNews, Swapped
from devices.camera.place.fan import FanLife, FanLook
from devices.camera.place.flash import FaceShown, Flashes
from devices.camera.place.sight import OPEN_FELT, Changes, Score, SeenCard, SeenFan, Sight
from devices.camera.place.slide import SlideTracker
from devices.camera.place.stray import StrayLeft, Strays, StraySeen
from devices.camera.place.zone import CameraPlace, CardLook, Look, WatchTiming, half_hidden

_HANDLED_FRAMES: Final = 2


@dataclass(frozen=True, slots=True)
class CardLeft:
    """The card of a place slid over an edge of the view."""

    slot: Slot
    direction: str
    identified: bool


News = PlaceNews | Exchanged | Swapped | CardLeft | FaceShown | StraySeen | StrayLeft


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
        self._places = [CameraPlace(timing) for _ in self._slots]
        self._fans = fans
        for life in fans:
            life.retell()
        self._strays = Strays(self._sight, self._score, timing)
        self._slides = SlideTracker()
        self._flashes = Flashes(self._sight, self._score)
        self._exchanges = Exchanges()
        self._moved = [_HANDLED_FRAMES] * (len(self._slots) + len(fans))

    def look(self, picture: Picture, now_ms: int) -> list[News]:
        """Take in one frame; a frame without change ends at the gate, where its thumbnail is all that is looked at."""
        thumb = picture.thumb
        changes = self._sight.changes(thumb)
        self._disturb(changes, thumb, now_ms)
        self._notice_faces(changes, picture)
        news: list[News] = []
        due = [label for label, place in enumerate(self._eyes(), 1) if place.wants_look(now_ms)]
        for label in due:
            if label <= len(self._slots):
                news.extend(self._look_at(label - 1, picture.whole, thumb, now_ms))
            else:
                news.extend(self._look_at_fan(label, picture.whole, thumb, now_ms))
        if self._strays.restless:
            news.extend(self._strays.look(picture, now_ms))
            self._sight.remember(OPEN_FELT, thumb)
        if not due and not self._strays.restless and not changes.moved.any():
            self._sight.follow_light(thumb, now_ms)
        return self._sorted(news, now_ms)

    def may_look(self, now_ms: int) -> bool:
        """Whether something may be looked at to its end in a picture of now: a place that has come to rest, a stray."""
        return self._strays.may_look(now_ms) or any(place.may_want_look(now_ms) for place in self._eyes())

    def _sorted(self, news: list[News], now_ms: int) -> list[News]:
        """The same news, those of places that changed together told together."""
        if not news and not self._exchanges.waits:
            return news
        restless = {slot.name for slot, place in zip(self._slots, self._places, strict=True) if place.restless}
        restless |= {fan.fan.slots[fan.top - 1].name for fan in self._fans if fan.eye.restless and fan.top}
        fresh = [one for one in news if isinstance(one, PlaceNews)]
        others = [one for one in news if not isinstance(one, PlaceNews)]
        return [*others, *self._exchanges.take(fresh, restless, now_ms)]

    def _eyes(self) -> list[CameraPlace]:
        """What is looked at, by label less one: the single places, then the newest card of each fan."""
        return [*self._places, *(life.eye for life in self._fans)]

    def _disturb(self, changes: Changes, thumb: Pixels, now_ms: int) -> None:
        eyes = self._eyes()
        for label, place in enumerate(eyes, 1):
            if not place.restless:
                self._moved[label - 1] = 0
            if changes.moved[label] or (changes.changed[label] and not place.restless):
                place.disturb(now_ms)
                self._moved[label - 1] += 1
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

    def _notice_faces(self, changes: Changes, picture: Picture) -> None:
        """Faces that show for a moment over places that move."""
        for label, slot in enumerate(self._slots, 1):
            if changes.moved[label]:
                self._flashes.look(slot, self._places[label - 1].told, picture)
        for label, life in enumerate(self._fans, len(self._slots) + 1):
            if changes.moved[label]:
                self._flashes.look_at_fan(life, picture.whole)

    def _look_at(self, i: int, frame: Pixels, thumb: Pixels, now_ms: int) -> Iterator[News]:
        slot, place = self._slots[i], self._places[i]
        if place.holds_card and self._slides.under_way(slot, now_ms):
            return
        seen = self._sight.card_at(slot, frame)
        card = seen if isinstance(seen, SeenCard) and slot.holds(seen.x_mm, seen.y_mm) else None
        held, identified = place.holds_card, place.identified
        told = place.see(_look(seen, card, self._score), now_ms)
        if not place.restless:
            self._sight.remember(i + 1, thumb)
        if (not place.restless or told == "hand") and (shown := self._flashes.settled(slot, place.told)):
            yield shown
        if told is None:
            if place.stays(now_ms):
                yield PlaceNews(slot, "hand", None, stays=True)
            return
        direction = self._slides.left(slot, now_ms) if told == "empty" and held else ""
        if direction:
            yield CardLeft(slot, direction, identified)
        else:
            read = card if isinstance(told, Judgement) else None
            yield PlaceNews(slot, told, read, place.scores, handled=self._moved[i] >= _HANDLED_FRAMES)

    def _look_at_fan(self, label: int, frame: Pixels, thumb: Pixels, now_ms: int) -> Iterator[News]:
        life = self._fans[label - len(self._slots) - 1]
        top, identified = life.top, life.identified
        if top and self._slides.under_way(life.fan.slots[top - 1], now_ms):
            return
        seen = self._sight.fan_at(life.fan, frame)
        news = list(life.see(_fan_look(seen, life, self._score), now_ms))
        if not life.eye.restless:
            self._sight.remember(label, thumb)
        if not life.eye.restless or any(told == "hand" for _, told in news):
            yield from self._shown_in_fan(life, max(top, life.top))
        if life.eye.stays(now_ms):
            yield PlaceNews(life.fan.slots[max(1, life.top) - 1], "hand", None, stays=True)
        for place, told in news:
            slot = life.fan.slots[place - 1]
            direction = self._slides.left(slot, now_ms) if told == "empty" and place == top else ""
            if direction:
                yield CardLeft(slot, direction, identified)
            else:
                read = seen.top if isinstance(seen, SeenFan) and place == life.top else None
                scores = life.eye.scores if read is not None else None
                handled = self._moved[label - 1] >= _HANDLED_FRAMES
                yield PlaceNews(slot, told, read if isinstance(told, Judgement) else None, scores, handled=handled)

    def _shown_in_fan(self, life: FanLife, top: int) -> Iterator[FaceShown]:
        for slot in life.fan.slots[: top + 1]:
            if shown := self._flashes.settled(slot, life.said(slot.place)):
                yield shown

    def _score(self, picture: Pixels) -> Scores:
        return self._reader.scores([picture])[0]


def _look(seen: SeenCard | Nothing, card: SeenCard | None, score: Score) -> Look:
    """What a look at a place showed: a card with its scores, no card, or a covered place.

    A place is covered when a neighbouring card lies over it, or when half of its own card is hidden.
    """
    if card is not None:
        scores = score(card.picture)
        return Nothing.COVERED if half_hidden(scores) else CardLook(scores, card.height_px)
    return Nothing.COVERED if isinstance(seen, SeenCard) else seen


def _fan_look(seen: SeenFan | Nothing, life: FanLife, score: Score) -> FanLook | Nothing:
    if not isinstance(seen, SeenFan):
        return seen
    if not life.fan.holds(seen.top.x_mm, seen.top.y_mm):
        return Nothing.COVERED
    scores = score(seen.top.picture)
    if half_hidden(scores):
        return Nothing.COVERED
    card = CardLook(scores, seen.top.height_px)
    return FanLook(card, seen.top.x_mm, seen.first_x_mm, seen.quad, seen.flat)
