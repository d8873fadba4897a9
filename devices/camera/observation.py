"""Turns news of the felt into observations: faces sealed, pictures kept, the network's name beside.

A kept picture carries in itself what the network said of it. Of a face that nobody may know yet, only a picture too
coarse to be read is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import cv2
import numpy as np

from devices.camera.face.reader import Judgement, Scores
from devices.camera.felt.layout import Layout, SlotName
from devices.camera.picture.frame import with_note
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.place.exchange import Exchanged, PlaceNews, Swapped
from devices.camera.place.felt_watch import CardLeft, News
from devices.camera.place.flash import FaceShown
from devices.camera.place.sight import SeenCard
from devices.camera.place.stray import StrayLeft, StraySeen
from studio.cards import SealedCard, Sealer
from studio.ports import (
    CameraLostCard,
    CameraSawCard,
    CameraSawEmpty,
    CameraSawFlash,
    CameraSawHand,
    CameraSawStray,
    CameraSawSwap,
    CameraStrayGone,
    Evidence,
    Observation,
)

_COARSE_PX: Final = 12
"""So many pixels are left of a card's height: enough to see that it shows its face, not which."""


class CameraTeller:
    """Turns what one camera sees into observations; `model` is the digest of the network that read the cards."""

    def __init__(self, device: str, layout: Layout, sealer: Sealer, evidence: Evidence | None, model: str) -> None:
        self._device = device
        self._layout = layout
        self._sealer = sealer
        self._evidence = evidence
        self._model = model
        self._pictures: dict[tuple[str, int], str] = {}

    def remember(self, pictures: Mapping[SlotName, bytes]) -> None:
        """The pictures that were kept last, by place."""
        if self._evidence is not None:
            self._pictures = {name: self._evidence.keep(picture) for name, picture in pictures.items()}

    def tell(self, news: News, at_ms: int) -> Iterator[Observation]:
        match news:
            case PlaceNews() | Exchanged():
                yield self._place(news, at_ms)
            case Swapped(one=one, other=other):
                yield self._swap(one, other, at_ms)
            case FaceShown():
                yield self._flash(news, at_ms)
            case CardLeft(slot=slot, direction=direction, identified=identified):
                yield CameraLostCard(
                    device=self._device, at_ms=at_ms, zone=slot.zone, place=slot.place, direction=direction,
                    identified=identified, evidence=self._pictures.pop(slot.name, ""),
                )  # fmt: skip
            case StraySeen():
                yield self._stray(news, at_ms)
            case StrayLeft(x_mm=x_mm, y_mm=y_mm):
                x, y = self._share(x_mm, y_mm)
                yield CameraStrayGone(device=self._device, at_ms=at_ms, x=x, y=y)

    def _place(self, news: PlaceNews | Exchanged, at_ms: int) -> Observation:
        exchanged = isinstance(news, Exchanged)
        plain = news.news if isinstance(news, Exchanged) else news
        slot, said = plain.slot, plain.told
        if said == "hand":
            return CameraSawHand(
                device=self._device, at_ms=at_ms, zone=slot.zone, place=slot.place, stays=plain.stays,
                evidence=self._pictures.get(slot.name, ""),
            )  # fmt: skip
        if not isinstance(said, Judgement):
            self._pictures.pop(slot.name, None)
            return CameraSawEmpty(device=self._device, at_ms=at_ms, zone=slot.zone, place=slot.place)
        before = self._pictures.get(slot.name, "") if exchanged else ""
        evidence = self._of(plain.card, plain.scores, at_ms)
        if evidence:
            self._pictures[slot.name] = evidence
        elif plain.card is None:  # covered, and as it was
            evidence = self._pictures.get(slot.name, "")
        return CameraSawCard(
            device=self._device, at_ms=at_ms, zone=slot.zone, place=slot.place, face=said.face,
            card=self._sealed(said), confidence=said.confidence, evidence=evidence, model=self._model,
            exchanged=exchanged, before=before, handled=plain.handled,
        )  # fmt: skip

    def _swap(self, one: PlaceNews, other: PlaceNews, at_ms: int) -> Observation:
        pictures = [self._of(news.card, news.scores, at_ms) for news in (one, other)]
        return CameraSawSwap(
            device=self._device, at_ms=at_ms, zone=one.slot.zone, place=one.slot.place, other_zone=other.slot.zone,
            other_place=other.slot.place, evidence=pictures[0], other_evidence=pictures[1], model=self._model,
        )  # fmt: skip

    def _flash(self, shown: FaceShown, at_ms: int) -> Observation:
        return CameraSawFlash(
            device=self._device, at_ms=at_ms, zone=shown.slot.zone, place=shown.slot.place,
            card=self._sealed(shown.said), confidence=shown.said.confidence,
            evidence=self._kept(_coarse(shown.card.crop), {"model": self._model, "at_ms": at_ms}), model=self._model,
        )  # fmt: skip

    def _stray(self, seen: StraySeen, at_ms: int) -> Observation:
        x, y = self._share(seen.x_mm, seen.y_mm)
        return CameraSawStray(
            device=self._device, at_ms=at_ms, x=x, y=y, face=seen.said.face, card=self._sealed(seen.said),
            confidence=seen.said.confidence, evidence=self._of(seen.card, seen.scores, at_ms), model=self._model,
        )  # fmt: skip

    def _share(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        return x_mm / self._layout.width_mm, y_mm / self._layout.height_mm

    def _sealed(self, said: Judgement) -> SealedCard | None:
        return None if said.card is None else self._sealer.card(said.card)

    def _of(self, card: SeenCard | None, scores: Scores | None, at_ms: int) -> str:
        """The picture of a card, kept with what was read of it."""
        if card is None:
            return ""
        note: dict[str, object] = {"model": self._model, "at_ms": at_ms, "quad": np.round(card.quad, 1).tolist()}
        if scores is not None:
            note["scores"] = np.round(scores, 4).tolist()
        return self._kept(card.crop, note)

    def _kept(self, crop: Pixels, note: dict[str, object]) -> str:
        if self._evidence is None:
            return ""
        return self._evidence.keep(with_note(cv2.imencode(".jpg", crop)[1].tobytes(), note))


def _coarse(crop: Pixels) -> Pixels:
    height, width = crop.shape[:2]
    small = cv2.resize(crop, (max(2, round(width * _COARSE_PX / height)), _COARSE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
