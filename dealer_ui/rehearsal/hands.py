"""The only place for what a person's hands can do at a simulated table: draw, lay, turn, move, drop, clear.

Nothing here is a command of the table: the studio learns of it from the shoe's bytes and the camera's picture alone.
Every method may be called from any thread, and refuses with `RefusedError` what hands cannot do.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.rehearsal.deal_order import Slot, due_slot, from_here
from dealer_ui.rehearsal.felt_hand import FeltHand
from dealer_ui.rehearsal.rig import Rig
from devices.camera.layout import open_spots
from devices.sim.felt import LyingCard
from studio.cards import Card
from studio.errors import BadInputError, RefusedError
from studio.ports import CardFace
from studio.views import TableView

DISCARD: Final[Slot] = ("discard", 1)
Point = tuple[float, float]
"""A spot of the felt, as fractions of its width and height."""


class Reader(enum.StrEnum):
    """How a card leaves the shoe."""

    OVER = "over"
    PAST = "past"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Fallen:
    """A card that left the felt, and where it lay before."""

    ref: str
    slot: Slot
    card: Card = field(repr=False)
    face: CardFace


class Hands:
    """One pair of hands over one rig. A card is meant by its `ref`: `card.<serial>` as it lies, `fallen.<n>`."""

    def __init__(self, rig: Rig, view: Callable[[], TableView], *, card_ms: int = 900) -> None:
        self.rig = rig
        self.view = view
        self._felt = rig.felt
        self._tidy = FeltHand(rig.felt)
        self._card_ms = card_ms
        self._coming: deque[Slot] = deque()
        self._next_ms = 0

    # --- what lies where ------------------------------------------------------------------------------

    @property
    def fallen(self) -> tuple[Fallen, ...]:
        return tuple(Fallen(f"fallen.{at}", *one) for at, one in enumerate(self._tidy.fallen))

    @property
    def busy(self) -> bool:
        """Cards are still coming by themselves: a hand dealt backwards."""
        return bool(self._coming)

    def next_place(self) -> Slot | None:
        """Where the next card belongs: the first bare place from the awaited one on; None when no card is due."""
        view = self.view()
        due = due_slot(view)
        if due is None or view.status == "closed":
            return None
        return next((slot for slot in from_here(view, due) if not self._felt.count(*slot)), None)

    def newest(self, *, down: bool = False) -> LyingCard | None:
        """The card laid last in a box; with `down`, the last one of the burn."""
        lying = [
            card
            for card in self._felt.view().top().values()
            if card.slot is not None and card.slot != DISCARD and (card.slot[0] == "burn") is down
        ]
        return max(lying, key=lambda card: card.serial, default=None)

    # --- from the shoe --------------------------------------------------------------------------------

    def deal(self) -> None:
        """Draw the next card to the place it is due."""
        slot = self.next_place()
        if slot is None:
            raise RefusedError("hands_not_due", "No card is due now: the console asks for something else.")
        self.draw(slot)

    def draw(self, slot: Slot, face: CardFace | None = None, reader: Reader = Reader.OVER) -> None:
        """Draw the next card to any place; into burn and discard it goes face down unless `face` says otherwise."""
        due = CardFace.DOWN if slot[0] in ("burn", "discard") else CardFace.UP
        self._known(slot)
        self.rig.do(lambda rig: rig.felt.lay(*slot, self._pull(reader), face or due))

    def draw_beside(self, spot: Point | None = None, face: CardFace = CardFace.UP) -> None:
        """Draw the next card and lay it where no place is."""
        self.rig.do(lambda rig: self._lay_beside(self._pull(Reader.OVER), face, spot))

    def draw_many(self, slots: Iterable[Slot]) -> None:
        """Draw a card to each of these places, one after another as `step` is called."""
        self._coming = deque(slots)

    def step(self, now_ms: int) -> None:
        """Go on with the cards that come by themselves."""
        if not self._coming or now_ms < self._next_ms:
            return
        self._next_ms = now_ms + self._card_ms
        try:
            self.draw(self._coming.popleft())
        except RefusedError:
            self._coming.clear()

    # --- on the felt ----------------------------------------------------------------------------------

    def turn(self, ref: str) -> None:
        self.rig.do(lambda rig: rig.felt.turn(*self._slot_of(ref)))

    def square(self, ref: str) -> None:
        self.rig.do(lambda rig: rig.felt.square(*self._slot_of(ref)))

    def lay_askew(self, ref: str) -> None:
        """Push a card half over its neighbour, so that the camera cannot be sure of it."""
        self.rig.do(lambda rig: rig.felt.push(*self._slot_of(ref), right_mm=20.0, turn_deg=28.0))

    def move(self, ref: str, slot: Slot) -> None:
        """Lay a card, from wherever it is, in another place."""
        self._known(slot)
        self.rig.do(lambda rig: self._move(ref, slot))

    def move_beside(self, ref: str, spot: Point | None = None) -> None:
        """Lay a card where no place is."""
        self.rig.do(lambda rig: self._lay_beside(*self._take(ref), spot))

    def drop(self, ref: str) -> None:
        """Let a card slide over the nearest edge of the table."""
        self.rig.do(lambda rig: self._drop(ref))

    def toggle_hand(self, slot: Slot) -> None:
        """Hold a hand over a place, or take it away."""
        self._known(slot)
        self._felt.hand_over(*slot, on=slot not in self._felt.view().hands)

    def clear(self) -> None:
        """Scoop the felt bare; while a round is dealt the hands remember what lay where."""
        self._coming.clear()
        dealing = self.view().round_stage == "dealing"
        self.rig.do(lambda rig: self._tidy.sweep() if dealing else self._tidy.clear())

    def put_right(self) -> None:
        """Make the felt what the console shows: every recorded card in its place, straight, and no other."""
        self._coming.clear()
        self.rig.do(lambda rig: self._put_right(self.view()))

    # --- how ------------------------------------------------------------------------------------------

    def _put_right(self, view: TableView) -> None:
        for slot in self._felt.view().hands:
            self._felt.hand_over(*slot, on=False)
        if view.act.key == "act.carry_out.reread_all":
            self._tidy.lay_back()
            self._tidy.reread()
            return
        self._tidy.square(view)
        self._tidy.as_recorded(view)

    def _pull(self, reader: Reader) -> Card:
        shoe = self.rig.shoe
        if not shoe.cards_left:
            raise RefusedError("hands_shoe_empty", "The shoe is empty: there is no card to draw.")
        return {Reader.OVER: shoe.draw, Reader.PAST: shoe.draw_unseen, Reader.UNREAD: shoe.draw_unread}[reader]()

    def _move(self, ref: str, slot: Slot) -> None:
        lying = self._find(ref)
        face = CardFace.DOWN if slot == DISCARD else lying.face
        if isinstance(lying, Fallen):
            self._felt.lay(*slot, self._take(ref)[0], face)
        elif lying.slot is None:
            self._felt.move_stray(lying.serial, slot, face=face)
        elif lying.slot != slot:
            self._felt.move(lying.slot, slot, face=face)

    def _lay_beside(self, card: Card, face: CardFace, spot: Point | None) -> None:
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

    def _drop(self, ref: str) -> None:
        lying = self._find(ref)
        if isinstance(lying, Fallen) or lying.slot is None:
            card, face = self._take(ref)
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

    def _take(self, ref: str) -> tuple[Card, CardFace]:
        """Lift a card off the felt, or off the floor."""
        lying = self._find(ref)
        if isinstance(lying, Fallen):
            self._tidy.fallen.remove((lying.slot, lying.card, lying.face))
            return lying.card, lying.face
        if lying.slot is None:
            return self._felt.take_stray(lying.serial), lying.face
        return self._felt.take(*lying.slot), lying.face

    def _find(self, ref: str) -> LyingCard | Fallen:
        view = self._felt.view()
        within_reach = {f"card.{card.serial}": card for card in (*view.top().values(), *view.strays())}
        found = within_reach.get(ref) or next((one for one in self.fallen if one.ref == ref), None)
        if found is None:
            raise RefusedError("hands_gone", "That card does not lie there any more. Look at the felt again.")
        return found

    def _slot_of(self, ref: str) -> Slot:
        lying = self._find(ref)
        if isinstance(lying, Fallen) or lying.slot is None:
            raise RefusedError("hands_no_place", "That card lies in no place: move it to one first.")
        return lying.slot

    def _known(self, slot: Slot) -> None:
        try:
            self._felt.layout.slot(*slot)
        except BadInputError as error:
            raise RefusedError("hands_no_such_place", error.sentence) from error
