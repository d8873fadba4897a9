"""The only place that names a card from its picture, or refuses to.

The two half cards are read independently by one small network (`model/reader.onnx`, run by OpenCV); a card is
named only when both halves say the same and both are sure. A wrong card is far worse than "not sure".
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.locate import cards_in_picture
from devices.camera.rectify import Pixels, Quad, halves_of, rectify
from studio.cards import RANKS, SUITS, Card
from studio.errors import BadInputError
from studio.ports import CardFace

Scores = NDArray[np.float64]
"""Probabilities of both halves, `(2, 20)`: face, back, other; ranks 2 to A; suits c d h s."""

HEIGHT_PX_MIN: Final = 100.0
"""Below this height of a card in the frame clubs and spades get mixed up: it is refused."""

SURE_FACE: Final = 0.985
"""The worst wrong pair of halves among 15,324 cards in typefaces never trained on had 0.976 (`model/reader.json`)."""

SURE_BACK: Final = 0.90
_FACE, _BACK, _OTHER = 0, 1, 2
_BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of a card; `card` is given exactly when `face` is UP."""

    face: CardFace
    card: Card | None
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A card found in a picture, its corners clockwise in pixels."""

    quad: Quad
    face: CardFace
    card: Card | None
    confidence: float


class CardReader:
    """The network and the rule by which its word counts; not thread-safe, each camera has its own."""

    def __init__(self) -> None:
        folder = resources.files("devices.camera") / "model"
        network = (folder / "reader.onnx").read_bytes()
        record = json.loads((folder / "reader.json").read_text())
        self.digest = hashlib.sha256(network).hexdigest()
        if self.digest != record["sha256"]:
            raise BadInputError("The card reader's network is not the one its record names; install the program anew.")
        self._temperature = float(record["temperature"])
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(network, np.uint8))

    def read(self, picture: Pixels) -> list[FoundCard]:
        """Every card found in a picture of any size, BGR; things that are no card are left out."""
        outlines = cards_in_picture(picture)
        scores = self.scores([rectify(picture, outline.quad) for outline in outlines])
        found: list[FoundCard] = []
        for outline, of_card in zip(outlines, scores, strict=True):
            said = judge(of_card, _height_px(outline.quad))
            if said.face is CardFace.UNSURE and float(of_card[:, _OTHER].max()) > 0.5:
                continue
            found.append(FoundCard(outline.quad, said.face, said.card, said.confidence))
        return found

    def scores(self, cards: Sequence[Pixels]) -> list[Scores]:
        """The probabilities of rectified cards, `(128, 96, 3) uint8` each."""
        halves = [half for card in cards for half in halves_of(card)]
        rows: list[NDArray[np.float64]] = []
        for start in range(0, len(halves), _BATCH):
            batch = np.stack(halves[start : start + _BATCH]).transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
            self._net.setInput(np.ascontiguousarray(batch))
            rows.extend(np.asarray(self._net.forward(), dtype=np.float64) / self._temperature)
        return [np.stack([_probabilities(rows[2 * i]), _probabilities(rows[2 * i + 1])]) for i in range(len(cards))]


def judge(scores: Scores, height_px: float) -> Judgement:
    """Name the card only when both halves agree and both are sure, and it is large enough to be read."""
    ranks, suits = scores[:, 3:16], scores[:, 16:20]
    kind = scores[:, :3].argmax(axis=1)
    if (kind == _BACK).all():
        back = float(scores[:, _BACK].min())
        return Judgement(CardFace.DOWN if back >= SURE_BACK else CardFace.UNSURE, None, back)
    sure = float((scores[:, _FACE] * ranks.max(axis=1) * suits.max(axis=1)).min())
    agree = ranks[0].argmax() == ranks[1].argmax() and suits[0].argmax() == suits[1].argmax()
    if height_px < HEIGHT_PX_MIN or not agree or not (kind == _FACE).all() or sure < SURE_FACE:
        return Judgement(CardFace.UNSURE, None, min(sure, 0.5) if not agree else sure)
    return Judgement(CardFace.UP, Card(RANKS[int(ranks[0].argmax())], SUITS[int(suits[0].argmax())]), sure)


def fuse(looks: Sequence[Scores]) -> Scores:
    """One set of probabilities from several frames: the mean, so that one doubtful frame keeps its weight."""
    return np.asarray(np.mean(np.stack(looks), axis=0), dtype=np.float64)


def _probabilities(row: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([_softmax(row[:3]), _softmax(row[3:16]), _softmax(row[16:20])])


def _softmax(row: NDArray[np.float64]) -> NDArray[np.float64]:
    grown = np.exp(row - row.max())
    return np.asarray(grown / grown.sum(), dtype=np.float64)


def _height_px(quad: Quad) -> float:
    return float((np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2)
