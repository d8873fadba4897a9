"""The life of one fan: which of its places is on top, and what is remembered of the covered ones.

Only the newest card is looked at. Its place is counted from the cards before it: a card about one pitch further lies in
the next place; a card two pitches further came together with another that nobody could read. What was read of a covered
card holds while the strip of it that still shows looks as it did; after that the card is unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.face.reader import Judgement, judge
from devices.camera.felt.calibration import WINDOW_PX_PER_MM
from devices.camera.felt.layout import Fan
from devices.camera.outline.search import Nothing
from devices.camera.picture.quadrilateral import Quad
from devices.camera.place.memory import CardMemory
from devices.camera.place.zone import CameraPlace, CardLook, Told, WatchTiming
from studio.cards import Card
from studio.ports import CardFace

_NUDGE_PX: Final = 4
_STRIP_LEVELS: Final = 20.0
_STRIP_PX_MIN: Final = 6
_LEAN_PX: Final = 6
"""So much of a strip a card that lies aslant may take from its edge."""
_ASIDE_PX: Final = 12
"""A card that nobody saw lies within 8 mm of where it is looked for."""
_BANDS: Final = 5
"""A strip is compared band by band, for two cards lie aslant to each other; most of them have to be alike."""
_HOW: Final = cv2.TM_CCOEFF_NORMED
_LIKE: Final = 0.8
"""So alike are two strips of one back, as a correlation; of a back and a face, or the felt, far less."""

Grey = NDArray[np.uint8]
Word = TypeVar("Word")
SaidOfNoCard = Literal["empty", "hand"]
UNREAD: Final = Judgement(CardFace.UNSURE, None, 0.0)


@dataclass(slots=True)
class FanOrder:
    """The cards of a fan as they came: where the middle of each lies and which it is, the first one first."""

    fan: Fan
    _cards: list[tuple[float, Card | None]] = field(default_factory=list, repr=False)

    def __len__(self) -> int:
        return len(self._cards)

    def place_of(self, x_mm: float, first_x_mm: float, card: Card | None) -> int:
        """The place of the card on top; `first_x_mm` is where the fan's first card lies, if a whole card shows."""
        most = len(self.fan.slots)
        if not self._cards:
            return min(1 + max(0, round((x_mm - first_x_mm) / self.fan.pitch_mm)), most)
        at, there = len(self._cards), self._cards[-1]
        steps = (x_mm - there[0]) / self.fan.pitch_mm
        if steps >= 0.5:
            return min(at + int(steps + 0.5), most)
        if steps > -0.5:
            return self._on_the_last_spot(card) if at >= self.fan.spots else at
        near = min(range(at), key=lambda i: abs(self._cards[i][0] - x_mm))
        if abs(self._cards[near][0] - x_mm) < self.fan.pitch_mm / 2:
            return near + 1
        return min(1 + max(0, round((x_mm - first_x_mm) / self.fan.pitch_mm)), at)

    def _on_the_last_spot(self, card: Card | None) -> int:
        """The place of a card on the last spot, where cards lie on each other and their faces tell them apart."""
        at = len(self._cards)
        if card is None or card is self._cards[-1][1]:
            return at
        below = [i + 1 for i in range(self.fan.spots - 1, at - 1) if self._cards[i][1] is card]
        return below[-1] if below else min(at + 1, len(self.fan.slots))

    def set_top(self, place: int, x_mm: float, card: Card | None) -> None:
        """Take the card in this place as the top one of the fan; cards below it that were never seen are spread
        evenly.
        """
        self._cards = self._cards[: place - 1]
        missing = place - 1 - len(self._cards)
        start = self._cards[-1][0] if self._cards else x_mm - place * self.fan.pitch_mm
        step = (x_mm - start) / (missing + 1)
        self._cards += [(start + step * (i + 1), None) for i in range(missing)]
        self._cards.append((x_mm, card))

    def x_of(self, place: int) -> float:
        """The middle of the card in this place, in millimetres; an estimate for a card that was never seen."""
        return self._cards[place - 1][0]

    def clear(self) -> None:
        self._cards.clear()


class FanRecord(Generic[Word]):
    """What was said of each place of a fan, and what was read of each card in it.

    `unread` is said of a card that lies there and cannot be named.
    """

    def __init__(self, fan: Fan, unread: Word) -> None:
        self.order = FanOrder(fan)
        self._unread = unread
        self._said: dict[int, Word | SaidOfNoCard | None] = {}
        self._read: dict[int, Word] = {}

    @property
    def top(self) -> int:
        """The place of the newest card that was told; 0 for a bare fan."""
        return len(self.order)

    def said(self, place: int) -> Word | SaidOfNoCard | None:
        return self._said.get(place)

    def read(self, place: int) -> Word | None:
        """What was read of the card there when it was on top."""
        return self._read.get(place)

    def retell(self) -> None:
        """Forget what was said, but not what was read."""
        self._said = dict.fromkeys(self._said)

    def hand(self, place: int) -> None:
        """A hand over this place was told."""
        self._said[place] = "hand"

    def bare(self) -> Iterator[int]:
        """Nothing lies in the fan: every place that is told bare."""
        self.order.clear()
        self._said.setdefault(1, None)
        yield from self._bare_from(1)

    def settle(
        self,
        place: int,
        x_mm: float,
        card: Card | None,
        word: Word,
        *,
        still: Callable[[int], bool],
        back: Callable[[int], bool],
    ) -> Iterator[tuple[int, Word | SaidOfNoCard]]:
        """Take the card on top as known, and yield what each place of the fan shows.

        No card lies beyond the top one. A covered card keeps what was read of it where `still` says that it lies there
        yet; else, where `back` says that only a back shows of it, it lies as the top card does: face down.
        """
        for bare in self._bare_from(place + 1):
            yield bare, "empty"
        self.order.set_top(place, x_mm, card)
        for covered in range(1, place):
            read = self._read.get(covered)
            now = self._unread
            if read is not None and still(covered):
                now = read
            elif back(covered):
                now = word
            if self._said.get(covered) != now:
                self._said[covered] = now
                yield covered, now
        self._read[place] = word
        if self._said.get(place) != word:
            self._said[place] = word
            yield place, word

    def remember(self, place: int, x_mm: float, card: Card | None, word: Word) -> None:
        """Keep what was read in this place before a restart; it is told once the card is seen to lie there still."""
        self.order.set_top(place, x_mm, card)
        self._read[place] = word

    def _bare_from(self, place: int) -> Iterator[int]:
        """This place and those beyond, the topmost first."""
        for at in [at for at in self._read if at >= place]:
            del self._read[at]
        for at in sorted((at for at, said in self._said.items() if at >= place and said != "empty"), reverse=True):
            self._said[at] = "empty"
            yield at


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """How a card looked while it was on top: its corners in the fan's flat picture, and that picture.

    `before`: it was kept before the program was restarted, and nobody has looked at the fan in between.
    """

    quad: Quad
    flat: Grey
    before: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class FanLook:
    """A look that found the newest card of a fan."""

    card: CardLook
    x_mm: float
    first_x_mm: float
    quad: Quad
    flat: Grey


class FanLife:
    """One fan, driven frame by frame as a `CameraPlace` is; tells its places as they change."""

    def __init__(self, fan: Fan, timing: WatchTiming) -> None:
        self.fan = fan
        self.eye = CameraPlace(timing)
        self._timing = timing
        self._record: FanRecord[Judgement] = FanRecord(fan, UNREAD)
        self._place = 1
        self._kept: dict[int, _Kept] = {}

    @property
    def top(self) -> int:
        """The place of the newest card that was told; 0 for a bare fan."""
        return self._record.top

    @property
    def identified(self) -> bool:
        read = self._record.read(self.top)
        return read is not None and read.face is CardFace.UP

    def retell(self) -> None:
        """Tell everything once more, after the camera was blind or away; what was read and still shows is kept."""
        self.eye = CameraPlace(self._timing)
        self._record.retell()

    def remember(self, cards: Sequence[CardMemory]) -> None:
        """Keep the cards that lay here before a restart, from the first on; each counts as soon as it still shows."""
        for place, card in enumerate(cards, 1):
            x_px = float(card.quad[:, 0].mean()) - card.flat.shape[1] / 2
            self._record.remember(place, self.fan.x_mm + x_px / WINDOW_PX_PER_MM, card.said.card, card.said)
            self._kept[place] = _Kept(card.quad, card.flat, before=True)
        self._place = max(1, len(cards))

    def see(self, look: FanLook | Nothing, now_ms: int) -> Iterator[tuple[int, Told]]:
        """Take in a look; gives each place of which there is news, and what."""
        if isinstance(look, FanLook):
            face = judge(look.card.scores, look.card.height_px).card
            self._turn_to(self._record.order.place_of(look.x_mm, look.first_x_mm, face))
        told = self.eye.see(look.card if isinstance(look, FanLook) else look, now_ms)
        if told == "hand":
            self._record.hand(self._place)
            yield self._place, told
        elif look is Nothing.BARE and self.eye.told == "empty" and not self.eye.restless:
            self._place = 1
            self._kept.clear()
            for place in self._record.bare():
                yield place, "empty"
        elif isinstance(look, FanLook) and isinstance(self.eye.told, Judgement) and (told or not self.eye.restless):
            yield from self._settle(look, self.eye.told)

    def would_be(self, x_mm: float, first_x_mm: float, card: Card | None) -> tuple[int, Told | None]:
        """The place that a card seen on top for a moment would have, and what was last said of that place."""
        place = self._record.order.place_of(x_mm, first_x_mm, card)
        return place, self._record.said(place)

    def said(self, place: int) -> Told | None:
        """What was last said of a place."""
        return self._record.said(place)

    def _turn_to(self, place: int) -> None:
        """Look at another place from now on, and forget what was seen of the one before."""
        if place == self._place:
            return
        said, self._place = self._record.said(place), place
        self.eye.turn_to(said if isinstance(said, Judgement) else None)

    def _settle(self, look: FanLook, said: Judgement) -> Iterator[tuple[int, Told]]:
        self._kept = {place: kept for place, kept in self._kept.items() if place < self._place}
        self._kept[self._place] = _Kept(look.quad, look.flat)
        yield from self._record.settle(
            self._place,
            look.x_mm,
            said.card,
            said,
            still=lambda place: self._still(place, look.flat),
            back=lambda place: said.face is CardFace.DOWN and self._is_back(place, look),
        )

    def _is_back(self, place: int, look: FanLook) -> bool:
        """Whether what shows of a covered card is the same strip of a back as on the card on top; True where that strip
        is too narrow to judge.
        """
        order, px = self._record.order, WINDOW_PX_PER_MM
        aside_px = round((look.x_mm - order.x_of(place)) * px)
        shows_px = round((order.x_of(place + 1) - order.x_of(place)) * px) - _LEAN_PX
        corner = np.array((shows_px, 0), np.float32)
        strip = _strip(look.quad, look.quad + corner)
        return strip is None or _is_there(look.flat, strip, aside_px)

    def _still(self, place: int, flat: Grey) -> bool:
        """Whether what shows of a covered card looks as it did when the card was on top."""
        kept, cover = self._kept.get(place), self._kept.get(place + 1)
        if kept is None:
            return False
        half_px = np.array((self.fan.pitch_mm / 2 * WINDOW_PX_PER_MM, 0), np.float32)
        covering = kept.quad + half_px if cover is None else cover.quad
        if kept.before and (kept.flat.shape != flat.shape or _strip(kept.quad, covering) is None):
            return False
        return strip_stays(kept.flat, flat, kept.quad, covering)


def strip_stays(before: Grey, now: Grey, card: Quad, cover: Quad) -> bool:
    """Whether the part of a card that the covering card leaves free looks the same in two flat pictures of a fan.

    True where that strip is too narrow to judge; a nudge of 2 to 3 mm makes no difference. The change of light is the
    median of the differences pixel by pixel: a narrow strip of a back is half dark, so which half prevails in it says
    nothing of the light.
    """
    shows = _strip(card, cover)
    if shows is None:
        return True
    left, top, right, bottom = shows
    strip = before[top:bottom, left:right].astype(np.float32)
    height, width = now.shape
    reach = _NUDGE_PX
    y0, y1, x0, x1 = max(0, top - reach), min(height, bottom + reach), max(0, left - reach), min(width, right + reach)
    around = now[y0:y1, x0:x1].astype(np.float32)
    lighter = np.float32(np.median(now[top:bottom, left:right].astype(np.float32) - strip))
    apart = cv2.matchTemplate(around, strip + lighter, cv2.TM_SQDIFF)
    return float(np.sqrt(max(0.0, float(apart.min())) / strip.size)) < _STRIP_LEVELS


def _is_there(flat: Grey, strip: tuple[int, int, int, int], aside_px: int) -> bool:
    """Whether a strip of a flat picture shows once more, about that much to the left of itself."""
    left, top, right, bottom = strip
    height, width = flat.shape
    y0, y1 = max(0, top - _ASIDE_PX), min(height, bottom + _ASIDE_PX)
    x0, x1 = max(0, left - aside_px - _ASIDE_PX), min(width, right - aside_px + _ASIDE_PX)
    if x1 - x0 < right - left or y1 - y0 < bottom - top:
        return False
    around, shown = flat[y0:y1, x0:x1].astype(np.float32), flat[top:bottom, left:right].astype(np.float32)
    band = (bottom - top) // _BANDS
    alike = sorted(
        float(cv2.matchTemplate(around[at : at + band + y1 - y0 - (bottom - top)], shown[at : at + band], _HOW).max())
        for at in range(0, band * _BANDS, band)
    )
    return alike[_BANDS // 2] >= _LIKE


def _strip(card: Quad, cover: Quad) -> tuple[int, int, int, int] | None:
    """The part of a card that lies free to the left of the card covering it: left, top, right, bottom in pixels; None
    where it is too narrow to judge.
    """
    left = int(np.ceil(max(card[0][0], card[3][0]))) + 1
    right = int(np.floor(min(cover[0][0], cover[3][0]))) - 1
    top, bottom = (int(v) for v in (max(card[0][1], card[1][1]) + 2, min(card[2][1], card[3][1]) - 2))
    return None if right - left < _STRIP_PX_MIN or left < 0 or top < 0 else (left, top, right, bottom)
