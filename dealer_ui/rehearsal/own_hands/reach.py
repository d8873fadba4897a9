"""What a person's hands can take hold of on a simulated felt and beside it, and what the console wants of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final

from dealer_ui.rehearsal.hand.deal_order import due_slot, from_here, reveals
from dealer_ui.rehearsal.hand.felt import FeltHand
from dealer_ui.rehearsal.hand.stub import StubHand
from devices.camera.felt.layout import open_spots
from devices.sim.felt import LyingCard, SimFelt
from studio.cards import DECK, Card
from studio.errors import BadInputError, RefusedError
from studio.ports import CardFace
from studio.spoken import Slot
from studio.views import TableView

DEALS: Final = frozenset({"act.burn", "act.deal", "act.deal_down"})
"""Acts that are one card from the shoe."""


DISCARD: Final[Slot] = ("discard", 1)
Point = tuple[float, float]
"""A spot of the felt, as fractions of its width and height."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """A card that left the felt, and where it lay before."""

    ref: str
    slot: Slot
    card: Card = field(repr=False)
    face: CardFace


def newest(felt: SimFelt, *, burned: bool = False) -> LyingCard | None:
    """The card laid last in a box; with `burned`, the last one of the burn."""
    lying = [card for slot, card in felt.view().top().items() if slot != DISCARD and (slot[0] == "burn") is burned]
    return max(lying, key=attrgetter("serial"), default=None)


def newest_down(felt: SimFelt) -> LyingCard | None:
    """The card laid last, face down, in the burn or a box."""
    lying = [card for slot, card in felt.view().top().items() if slot != DISCARD and card.face is CardFace.DOWN]
    return max(lying, key=attrgetter("serial"), default=None)


def down_in(felt: SimFelt, box: str) -> list[Slot]:
    """The places of a box where a card lies face down."""
    return [slot for slot, card in felt.view().top().items() if slot[0] == box and card.face is CardFace.DOWN]


def upon_another_fan(felt: SimFelt, due: Slot) -> Slot | None:
    """The place in another hand's fan, preferably one with cards, where a card meant for `due` can be laid by mistake;
    None when the felt has no other fan.
    """
    last = {zone: place for zone, place in sorted(felt.view().top())}
    others = [fan for fan in felt.layout.fans if fan.zone != due[0]]
    if not others:
        return None
    wrong = next((fan for fan in others if fan.zone in last), others[0])
    return wrong.zone, min(last.get(wrong.zone, 0) + 1, len(wrong.slots))


class Reach:
    """The cards within reach: on top of every place, beside the places, and off the felt. Not locked by itself.

    A card is meant by its `ref`: `card.<serial>` as it lies, `fallen.<n>`.
    """

    def __init__(self, felt: SimFelt, tidy: FeltHand) -> None:
        self._felt = felt
        self._tidy = tidy

    @property
    def fallen(self) -> tuple[Fallen, ...]:
        return tuple(Fallen(f"fallen.{at}", *one) for at, one in enumerate(self._tidy.fallen))

    def other(self, drawn: Card) -> Card:
        """A card that lies nowhere on the felt and is not the one drawn."""
        seen = {lying.card for lying in self._felt.view().cards} | {drawn}
        return next((card for card in DECK if card not in seen), drawn)

    def move(self, ref: str, slot: Slot) -> None:
        lying = self.find(ref)
        face = CardFace.DOWN if slot == DISCARD else lying.face
        if isinstance(lying, Fallen):
            self._felt.lay(*slot, self.take(ref)[0], face)
        elif lying.slot is None:
            self._felt.move_stray(lying.serial, slot, face=face)
        elif lying.slot != slot:
            self._felt.move(lying.slot, slot, face=face)

    def lay_beside(self, card: Card, face: CardFace, spot: Point | None) -> None:
        try:
            self._felt.lay_stray(*(spot or self._bare_spot()), card, face)
        except BadInputError:
            self._felt.lay_stray(*self._bare_spot(), card, face)

    def _bare_spot(self) -> Point:
        taken = {(round(s.x_mm), round(s.y_mm)) for s in self._felt.view().strays()}
        layout = self._felt.layout
        spots = open_spots(layout)
        bare = (at for at in spots if (round(at[0] * layout.width_mm), round(at[1] * layout.height_mm)) not in taken)
        return next(bare, spots[0])

    def drop(self, ref: str) -> None:
        lying = self.find(ref)
        if isinstance(lying, Fallen) or lying.slot is None:
            card, face = self.take(ref)
            self._tidy.fallen.append((DISCARD, card, face))
            return
        layout, slot = self._felt.layout, self._felt.layout.slot(*lying.slot)
        ways = {
            "left": slot.x_mm,
            "right": layout.width_mm - slot.x_mm,
            "top": slot.y_mm,
            "bottom": layout.height_mm - slot.y_mm,
        }
        self._tidy.drop(lying.slot, min(ways, key=lambda way: ways[way]))

    def fall(self, slot: Slot, direction: str) -> None:
        """The top card of a place slides over an edge."""
        self._tidy.drop(slot, direction)

    def take_away(self, ref: str) -> None:
        """Lift a card off the felt; it stays within reach."""
        lying = self.find(ref)
        if isinstance(lying, LyingCard):
            card, face = self.take(ref)
            self._tidy.fallen.append((lying.slot or DISCARD, card, face))

    def take(self, ref: str) -> tuple[Card, CardFace]:
        """Lift a card off the felt, or off the floor."""
        lying = self.find(ref)
        if isinstance(lying, Fallen):
            self._tidy.fallen.remove((lying.slot, lying.card, lying.face))
            return lying.card, lying.face
        if lying.slot is None:
            return self._felt.take_stray(lying.serial), lying.face
        return self._felt.take(*lying.slot), lying.face

    def find(self, ref: str) -> LyingCard | Fallen:
        view = self._felt.view()
        within_reach = {f"card.{card.serial}": card for card in (*view.top().values(), *view.strays())}
        found = within_reach.get(ref) or next((one for one in self.fallen if one.ref == ref), None)
        if found is None:
            raise RefusedError("hands_gone", "That card does not lie there any more. Look at the felt again.")
        return found

    def slot_of(self, ref: str) -> Slot:
        lying = self.find(ref)
        if isinstance(lying, Fallen) or lying.slot is None:
            raise RefusedError("hands_no_place", "That card lies in no place: move it to one first.")
        return lying.slot


@dataclass(frozen=True, slots=True)
class OwedAct:
    """What is to be done now at one table; `stub` are the cards that lie aside there."""

    view: Callable[[], TableView]
    felt: SimFelt
    stub: StubHand

    def place(self) -> Slot | None:
        """Where the next card belongs: the first bare place from the awaited one on; None when no card is due."""
        view = self.view()
        due = due_slot(view)
        if due is None or view.now.status == "closed":
            return None
        return next((slot for slot in from_here(view, due) if not self.felt.count(*slot)), None)

    def being_read(self) -> bool:
        """Whether a card is due, but the one before it, which has been laid, is still on its way to the record."""
        view = self.view()
        return view.now.act.key in DEALS and not view.now.held and due_slot(view) is not None and self.place() is None

    def turning(self) -> str:
        """The box whose cards the console wants turned, while one of them lies face down."""
        box = reveals(self.view())
        return box if down_in(self.felt, box) else ""

    def laying(self) -> str:
        """The seat whose street the console wants laid, while its cards lie as they were dealt."""
        act = self.view().now.act
        seat = str(act.values["box"]).removeprefix("box.") if act.key == "act.lay" else ""
        return seat if seat and down_in(self.felt, seat) else ""

    def shuffling(self) -> bool:
        """Whether the console wants the stub shuffled, and cards lie aside that go back to it."""
        return self.view().now.act.key == "act.shuffle_stub" and bool(self.stub.aside)
