"""The only place where the simulated felt becomes a drawing: millimetres, faces that lie open, and backs.

A card that lies face down has no face in here, whoever dealt it.
"""

from __future__ import annotations

from dataclasses import dataclass

from dealer_ui.face import Face, face
from dealer_ui.rehearsal.deal_order import Slot
from devices.camera.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from devices.sim.felt import Felt, LyingCard
from studio.ports import CardFace


@dataclass(frozen=True, slots=True)
class SlotSketch:
    """A place: its left upper corner, whether the next card goes there, whether a hand covers it, how many lie."""

    zone: str
    place: int
    x: float
    y: float
    due: bool
    hand: bool
    count: int

    @property
    def name(self) -> str:
        return f"{self.zone}.{self.place}"


@dataclass(frozen=True, slots=True)
class CardSketch:
    """A card about its own middle; `face` is None for a back. `zone` is empty for one that lies beside."""

    ref: str
    x: float
    y: float
    turn: float
    face: Face | None
    zone: str
    place: int


@dataclass(frozen=True, slots=True)
class FeltSketch:
    """`version` changes with the felt."""

    version: int
    width: float
    height: float
    card_width: float
    card_height: float
    slots: tuple[SlotSketch, ...]
    cards: tuple[CardSketch, ...]


def sketch(felt: Felt, due: Slot | None) -> FeltSketch:
    """The felt as it lies; of every pile the top card."""
    view, layout = felt.view(), felt.layout
    slots = tuple(
        SlotSketch(
            slot.zone, slot.place, round(slot.x_mm - slot.width_mm / 2, 1), round(slot.y_mm - slot.height_mm / 2, 1),
            slot.name == due, slot.name in view.hands, sum(lying.slot == slot.name for lying in view.cards),
        )
        for slot in layout.slots
    )  # fmt: skip
    shown = (*view.top().values(), *view.strays())
    cards = tuple(_card(lying) for lying in sorted(shown, key=lambda lying: lying.serial))
    return FeltSketch(view.version, layout.width_mm, layout.height_mm, CARD_WIDTH_MM, CARD_HEIGHT_MM, slots, cards)


def _card(lying: LyingCard) -> CardSketch:
    zone, place = lying.slot or ("", 0)
    shown = face(str(lying.card)) if lying.face is CardFace.UP else None
    return CardSketch(
        f"card.{lying.serial}", round(lying.x_mm, 1), round(lying.y_mm, 1), round(lying.turn_deg, 1), shown, zone, place
    )
