"""What a person's hands can do at a simulated table: draw, lay, turn, move, drop, clear.

Nothing here is a command of the table: the studio learns of it from the shoe's bytes and the camera's picture alone.
Every method may be called from any thread, and refuses with `RefusedError` what hands cannot do.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from dealer_ui.rehearsal.hand.deal_order import face_due, is_fan, places
from dealer_ui.rehearsal.hand.felt import FeltHand
from dealer_ui.rehearsal.hand.showing import Moment, Showing
from dealer_ui.rehearsal.hand.street import lay_street
from dealer_ui.rehearsal.hand.stub import StubHand
from dealer_ui.rehearsal.machine.rig import Rig
from dealer_ui.rehearsal.own_hands.reach import OwedAct, Point, Reach, down_in
from studio.cards import Card
from studio.errors import BadInputError, RefusedError
from studio.ports import CardFace
from studio.spoken import Slot
from studio.views import TableView

_SETTLED: Final = frozenset({"confirmed", "sealed", "awaited", "empty"})


class ReaderWay(enum.StrEnum):
    """How a card leaves the shoe."""

    OVER = "over"
    PAST = "past"
    UNREAD = "unread"


class Hands:
    """One pair of hands over one rig. A card is meant by the `ref` that `Reach` knows it by."""

    def __init__(self, rig: Rig, view: Callable[[], TableView], *, card_ms: int = 900) -> None:
        self.rig = rig
        self.view = view
        self._felt = rig.felt
        self.tidy = FeltHand(rig.felt)
        self.stub = StubHand(rig.felt, rig.rng)
        self.reach = Reach(rig.felt, self.tidy)
        self.owed = OwedAct(lambda: self.view(), rig.felt, self.stub)
        self._card_ms = card_ms
        self._coming: deque[Slot] = deque()
        self._next_ms = 0
        self._one_more = False
        self._showing = Showing(rig.felt, 2 * card_ms)
        self.moment = Moment(card_ms)

    # --- what lies where ------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Cards are still coming by themselves: a hand dealt backwards."""
        return bool(self._coming)

    # --- from the shoe --------------------------------------------------------------------------------

    def deal(self) -> None:
        """Draw the next card to the place where it is due; or turn, lay or shuffle what the console wants turned, laid,
        shuffled.

        While the card before it, or the card it will cover, is still being read, the drawing waits: `step` does it when
        both have been read.
        """
        if box := self.owed.turning():
            for down in down_in(self._felt, box):
                self._felt.turn(*down)
        elif self.owed.laying():
            self.rig.do(lambda rig: lay_street(rig.felt, self.view()))
        elif self.owed.shuffling():
            self.rig.do(self.stub.shuffle)
        elif (slot := self.owed.place()) is not None and not is_fan(self.view(), slot):
            self.draw(slot)
        elif slot is not None or self.owed.being_read():
            self._one_more = True
        else:
            raise RefusedError("hands_not_due", "No card is due now: the console asks for something else.")

    def draw(self, slot: Slot, face: CardFace | None = None, reader: ReaderWay = ReaderWay.OVER) -> None:
        """Draw the next card to any place; it is laid as the deal has it there unless `face` says otherwise."""
        due = face_due(self.view(), slot)
        self._known(slot)
        self.rig.do(lambda rig: rig.felt.lay(*slot, self._pull(reader), face or due))

    def draw_beside(self, spot: Point | None = None, face: CardFace = CardFace.UP) -> None:
        """Draw the next card and lay it where no place is."""
        self.rig.do(lambda rig: self.reach.lay_beside(self._pull(ReaderWay.OVER), face, spot))

    def draw_and_switch(self, slot: Slot) -> None:
        """Draw the next card, and lay another one of the deck in its place."""
        self._known(slot)
        face = face_due(self.view(), slot)
        self.rig.do(lambda rig: rig.felt.lay(*slot, self.reach.other(self._pull(ReaderWay.OVER)), face))

    def draw_many(self, slots: Iterable[Slot]) -> None:
        """Draw a card to each of these places, one after another as `step` is called."""
        self._coming = deque(slots)

    def step(self, now_ms: int) -> None:
        """Go on with the cards that come by themselves, and end what was to last for a moment."""
        self._showing.step(now_ms)
        self.stub.step(now_ms)
        self.moment.step(now_ms)
        if self._one_more:
            self._draw_when_read(now_ms)
        if self.tidy.fan.busy and now_ms >= self._next_ms:
            self.tidy.fan.step(self.view(), now_ms, 4 * self._card_ms)
            self._next_ms = now_ms + self._card_ms
        if not self._coming or now_ms < self._next_ms:
            return
        self._next_ms = now_ms + self._card_ms
        try:
            self.draw(self._coming.popleft())
        except RefusedError:
            self._coming.clear()

    def _draw_when_read(self, now_ms: int) -> None:
        """Draw the card that was asked for, once its place is bare and the camera has read what it covers."""
        view, slot = self.view(), self.owed.place()
        if slot is None or view.now.held:
            self._one_more = self.owed.being_read()
        elif self.tidy.fan.may_lay(view, slot, now_ms, 4 * self._card_ms):
            self._one_more = False
            self.draw(slot)

    # --- on the felt ----------------------------------------------------------------------------------

    def turn(self, ref: str) -> None:
        self.rig.do(lambda rig: rig.felt.turn(*self.reach.slot_of(ref)))

    def square(self, ref: str) -> None:
        self.rig.do(lambda rig: rig.felt.square(*self.reach.slot_of(ref)))

    def move(self, ref: str, slot: Slot) -> None:
        """Lay a card, from wherever it is, in another place."""
        self._known(slot)
        self.rig.do(lambda rig: self.reach.move(ref, slot))

    def move_beside(self, ref: str, spot: Point | None = None) -> None:
        """Lay a card where no place is."""
        self.rig.do(lambda rig: self.reach.lay_beside(*self.reach.take(ref), spot))

    def drop(self, ref: str) -> None:
        """Let a card slide over the nearest edge of the table."""
        self.rig.do(lambda rig: self.reach.drop(ref))

    def toggle_hand(self, slot: Slot) -> None:
        """Hold a hand over a place, or take it away."""
        self._known(slot)
        self._felt.hand_over(*slot, on=slot not in self._felt.view().hands)

    def clear(self) -> None:
        """Scoop the felt bare; while a round is dealt the hands remember what lay where."""
        self._coming.clear()
        self.stub.aside.clear()
        dealing = self.view().round.stage == "dealing"
        self.rig.do(lambda rig: self.tidy.sweep() if dealing else self.tidy.clear())

    def put_right(self) -> None:
        """Make the felt what the console shows: every recorded card in its place, straight, and no other.

        Cards the camera has not confirmed are shown to it anew.
        """
        self._coming.clear()
        view = self.view()
        if view.room is None or not self.stub.put_right(view):
            self.rig.do(lambda rig: _lay_right(self.tidy, self._showing, view))

    # --- how ------------------------------------------------------------------------------------------

    def _pull(self, reader: ReaderWay) -> Card:
        shoe = self.rig.shoe
        if not shoe.cards_left:
            raise RefusedError("hands_shoe_empty", "The shoe is empty: there is no card to draw.")
        return {ReaderWay.OVER: shoe.draw, ReaderWay.PAST: shoe.draw_unseen, ReaderWay.UNREAD: shoe.draw_unread}[
            reader
        ]()

    def _known(self, slot: Slot) -> None:
        try:
            self._felt.layout.slot(*slot)
        except BadInputError as error:
            raise RefusedError("hands_no_such_place", error.sentence) from error


def _lay_right(tidy: FeltHand, showing: Showing, view: TableView) -> None:
    """The felt as the console shows it, and what is not confirmed shown to the camera."""
    everything = view.now.act.key == "act.carry_out.reread_all"
    if everything:
        tidy.lay_back()
        tidy.reread()
    else:
        tidy.square(view)
        tidy.as_recorded(view)
        tidy.show(view)
    lying = tidy.fan.uncovered()
    settled = frozenset() if everything else _SETTLED
    showing.begin(slot for slot, place in places(view) if slot in lying and place.state not in settled)
