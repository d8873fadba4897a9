"""The simulated felt as a drawing: millimetres, faces that lie open, and backs.

A card that lies face down has no face in here, whoever dealt it.
"""

from __future__ import annotations

from dataclasses import dataclass

from dealer_ui.felt.face import Face, face
from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM, Fan, Slot, SlotName
from devices.sim.felt import FeltView, LyingCard, SimFelt
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


def sketch(felt: SimFelt, due: SlotName | None) -> FeltSketch:
    """The felt as it lies; of every pile the top card, of every fan its cards and the next free place."""
    view, layout = felt.view(), felt.layout
    slots = tuple(_slot(slot, view, due) for slot in layout.singles)
    fans = tuple(_slot(slot, view, due) for fan in layout.fans for slot in _drawn(fan, view))
    top = {lying.serial for lying in view.top().values()}
    cards = tuple(_card(lying) for lying in view.cards if lying.slot is None or lying.serial in top)
    return FeltSketch(
        view.version, layout.width_mm, layout.height_mm, CARD_WIDTH_MM, CARD_HEIGHT_MM, (*slots, *fans), cards
    )


def _drawn(fan: Fan, view: FeltView) -> list[Slot]:
    """The places of a fan that are drawn: the first, the next free one, and those a hand is held over."""
    last = max((place for zone, place in view.top() if zone == fan.zone), default=0)
    wanted = {1, min(last + 1, len(fan.slots)), *(place for zone, place in view.hands if zone == fan.zone)}
    return [fan.slots[place - 1] for place in sorted(wanted)]


def _slot(slot: Slot, view: FeltView, due: SlotName | None) -> SlotSketch:
    return SlotSketch(
        slot.zone, slot.place, round(slot.x_mm - slot.width_mm / 2, 1), round(slot.y_mm - slot.height_mm / 2, 1),
        slot.name == due, slot.name in view.hands, sum(lying.slot == slot.name for lying in view.cards),
    )  # fmt: skip


def _card(lying: LyingCard) -> CardSketch:
    zone, place = lying.slot or ("", 0)
    shown = face(str(lying.card)) if lying.face is CardFace.UP else None
    return CardSketch(
        f"card.{lying.serial}", round(lying.x_mm, 1), round(lying.y_mm, 1), round(lying.turn_deg, 1), shown, zone, place
    )
