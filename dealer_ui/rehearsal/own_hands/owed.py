"""What the console wants of a person's hands at a simulated table, as long as the felt shows that it is not done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dealer_ui.rehearsal.hand.deal_order import due_slot, from_here, reveals
from dealer_ui.rehearsal.hand.stub import StubHand
from dealer_ui.rehearsal.own_hands.reach import down_in
from devices.sim.felt import Felt
from studio.spoken import Slot
from studio.views import TableView

DEALS: Final = frozenset({"act.burn", "act.deal", "act.deal_down"})
"""Acts that are one card from the shoe."""


@dataclass(frozen=True, slots=True)
class Owed:
    """What is to be done now at one table; `stub` are the cards that lie aside there."""

    view: Callable[[], TableView]
    felt: Felt
    stub: StubHand

    def place(self) -> Slot | None:
        """Where the next card belongs: the first bare place from the awaited one on; None when no card is due."""
        view = self.view()
        due = due_slot(view)
        if due is None or view.status == "closed":
            return None
        return next((slot for slot in from_here(view, due) if not self.felt.count(*slot)), None)

    def being_read(self) -> bool:
        """Whether a card is due whose place is taken: the one before it is on its way to the record."""
        view = self.view()
        return view.act.key in DEALS and not view.held and due_slot(view) is not None and self.place() is None

    def turning(self) -> str:
        """The box whose cards the console wants turned, while one of them lies face down."""
        box = reveals(self.view())
        return box if down_in(self.felt, box) else ""

    def laying(self) -> str:
        """The seat whose street the console wants laid, while its cards lie as they were dealt."""
        act = self.view().act
        seat = str(act.values["box"]).removeprefix("box.") if act.key == "act.lay" else ""
        return seat if seat and down_in(self.felt, seat) else ""

    def shuffling(self) -> bool:
        """Whether the console wants the stub shuffled, and cards lie aside that go back to it."""
        return self.view().act.key == "act.shuffle_stub" and bool(self.stub.aside)
