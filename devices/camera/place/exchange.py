"""Cards that changed places with each other, and a card exchanged for another.

Two places that changed in one covered moment are told together: the first waits a moment for the second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from devices.camera.face.reader import Judgement, Scores
from devices.camera.felt.layout import Slot, SlotName
from devices.camera.place.sight import SeenCard
from devices.camera.place.zone import Told
from studio.ports import CardFace

WAIT_MS: Final = 1_500


@dataclass(frozen=True, slots=True)
class PlaceNews:
    """Something new in a place: what is said of it, and the card's picture when there is one.

    `stays`: a hand that was told already is still there. `handled`: something moved over the place before.
    """

    slot: Slot
    told: Told
    card: SeenCard | None
    scores: Scores | None = field(default=None, repr=False, compare=False)
    stays: bool = False
    handled: bool = True


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Another card lies in a place than the one that was read there before the place was covered."""

    news: PlaceNews


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two cards lie each where the other lay; what each place shows now is told after this."""

    one: PlaceNews
    other: PlaceNews


Sorted = PlaceNews | Exchanged | Swapped


@dataclass(frozen=True, slots=True)
class _Waiting:
    news: PlaceNews
    was: Judgement
    since_ms: int


class Exchanges:
    """What each place showed last, and news that wait for a second place. Piles are left out: their top changes."""

    def __init__(self) -> None:
        self._shown: dict[SlotName, Judgement] = {}
        self._waiting: list[_Waiting] = []

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def take(self, fresh: Iterable[PlaceNews], restless: Collection[SlotName], now_ms: int) -> Iterator[Sorted]:
        """News of places in, the same news out, now or a moment later; `restless` places may have news soon."""
        fresh = list(fresh)
        moving = {*restless, *(news.slot.name for news in fresh)}
        for news in fresh:
            if news.slot.pile:
                yield news
            else:
                yield from self._take(news, moving, now_ms)
        for one in list(self._waiting):
            if now_ms - one.since_ms >= WAIT_MS or not self._may_come(one.news, one.was, restless):
                self._waiting.remove(one)
                yield _single(one.news, one.was)

    def _take(self, news: PlaceNews, restless: Collection[SlotName], now_ms: int) -> Iterator[Sorted]:
        name, told = news.slot.name, news.told
        self._waiting = [one for one in self._waiting if one.news.slot.name != name]
        if not isinstance(told, Judgement):
            if told == "empty":
                self._shown.pop(name, None)
            yield news
        elif told.face is CardFace.UNSURE:
            yield news
        else:
            was, self._shown[name] = self._shown.get(name), told
            if was is None or _alike(was, told):
                yield news
            elif (other := self._crossed(told, was)) is not None:
                self._waiting.remove(other)
                yield from (Swapped(other.news, news), other.news, news)
            elif self._may_come(news, was, restless):
                self._waiting.append(_Waiting(news, was, now_ms))
            else:
                yield _single(news, was)

    def _crossed(self, told: Judgement, was: Judgement) -> _Waiting | None:
        """The waiting news of the place with which this one may have swapped cards: each shows now what the other
        showed before. None where there is no such place.
        """
        return next(
            (
                one
                for one in self._waiting
                if _alike(one.was, told) and isinstance(one.news.told, Judgement) and _alike(one.news.told, was)
            ),
            None,
        )

    def _may_come(self, news: PlaceNews, was: Judgement, restless: Collection[SlotName]) -> bool:
        """Whether one of the places that move just now showed, when it was last seen, the card that this place shows
        now.
        """
        told = news.told
        return isinstance(told, Judgement) and any(
            name != news.slot.name and _alike(self._shown[name], told) for name in restless if name in self._shown
        )


def _single(news: PlaceNews, was: Judgement) -> PlaceNews | Exchanged:
    both_up = isinstance(news.told, Judgement) and was.face is CardFace.UP and news.told.face is CardFace.UP
    return Exchanged(news) if both_up else news


def _alike(one: Judgement, other: Judgement) -> bool:
    return one.face is other.face and one.card == other.card
