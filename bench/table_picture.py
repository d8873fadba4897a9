"""One labelled picture of a full felt: what the bench times and the tests count errors on."""

from __future__ import annotations

import random
from dataclasses import dataclass

import cv2
import numpy as np

from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import layout_for
from devices.camera.outline.line_search import PATIENT
from devices.sim.felt import LyingCard, SimFelt
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.sim.picture.felt_scene import view_of
from devices.sim.picture.suit_shape import Pixels
from studio.cards import DECK, Card
from studio.ports import CardFace

_BOXES = {"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4}


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A frame with 16 cards, and what lies where in it, in pixels."""

    picture: Pixels
    lying: tuple[tuple[float, float, LyingCard], ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How a reader did: `wrong` names a card that is not there or takes a back for a face."""

    shown: int
    right: int
    refused: int
    wrong: int
    backs: int
    backs_right: int

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.shown + other.shown, self.right + other.right, self.refused + other.refused,
            self.wrong + other.wrong, self.backs + other.backs, self.backs_right + other.backs_right,
        )  # fmt: skip


def table_picture(seed: int, look: FeltLook | None = None, *, cards: tuple[Card, ...] = ()) -> TablePicture:
    """A full Three Knights felt: 12 cards face up (`cards` first, the rest drawn), four burned face down."""
    rng = random.Random(seed)
    felt = SimFelt(layout_for(_BOXES), rng)
    rest = [card for card in DECK if card not in cards]
    rng.shuffle(rest)
    deck = [*cards, *rest]
    for slot in felt.layout.slots:
        if not slot.pile:
            face = CardFace.DOWN if slot.zone == "burn" else CardFace.UP
            felt.lay(slot.zone, slot.place, deck.pop(0), face)
    frame = FeltRenderer(felt, seed, look).frame(0)
    middles = np.array([[(lying.x_mm, lying.y_mm) for lying in felt.view().cards]])
    seen = cv2.perspectiveTransform(middles, view_of(felt.layout))[0]
    return TablePicture(
        frame, tuple((float(x), float(y), c) for (x, y), c in zip(seen, felt.view().cards, strict=True))
    )


def tally(reader: CardReader, table: TablePicture) -> Tally:
    """Read a table's picture without any calibration and count."""
    found = reader.read(table.picture, PATIENT)
    right = wrong = backs_right = 0
    for x, y, lying in table.lying:
        here = [card for card in found if cv2.pointPolygonTest(card.quad, (x, y), False) >= 0]
        for card in here:
            found.remove(card)
        if lying.face is CardFace.DOWN:
            backs_right += any(card.face is CardFace.DOWN for card in here)
            wrong += sum(card.card is not None for card in here)
        else:
            right += any(card.card == lying.card for card in here)
            wrong += sum(card.card is not None and card.card != lying.card for card in here)
    wrong += sum(card.card is not None for card in found)
    up = sum(lying.face is CardFace.UP for _, _, lying in table.lying)
    return Tally(up, right, up - right, wrong, len(table.lying) - up, backs_right)
