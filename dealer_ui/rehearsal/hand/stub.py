"""Hands that put a hand of the poker room right: a burn, the stub, a card astray.

What goes back to the stub lies aside, off the felt, until the stub is shuffled.
"""

from __future__ import annotations

import random
from typing import Final

from dealer_ui.rehearsal.hand.showing import Showing
from dealer_ui.rehearsal.machine.rig import Rig
from devices.sim.felt import LyingCard, SimFelt
from studio.cards import Card
from studio.ports import CardFace
from studio.spoken import Places, Slot
from studio.views import TableView

_COVERED_MS: Final = 600
"""What the camera has told once it tells again only of a card that was covered, longer than a hand passes over it."""
_WITHOUT_CARD: Final = frozenset({"empty", "awaited", "unread"})
_OWED: Final = frozenset({"sealed", "sealed_owed", "unsure", "contradiction"})


class StubHand:
    """`aside` are the cards that are shuffled back into the stub when its street is due."""

    def __init__(self, felt: SimFelt, rng: random.Random) -> None:
        self.aside: list[Card] = []
        self._felt = felt
        self._rng = rng
        self._showing = Showing(felt, _COVERED_MS)

    def step(self, now_ms: int) -> None:
        """Take the hands away that cover what is to be read anew."""
        self._showing.step(now_ms)

    def put_right(self, view: TableView) -> bool:
        """What a ruling asks of these hands; False where the rest of it is like at any table."""
        match view.now.act.key.removeprefix("act.carry_out."):
            case "reread_all":
                self._showing.begin(slot for slot in self._felt.view().top() if slot[0] != "discard")
                return True
            case "stub":
                self.set_aside(view)
                return True
            case "card_is_next_burn":
                self.make_burn(view)
                return True
        self.bring_down(view)
        return False

    def set_aside(self, view: TableView) -> None:
        """The cards the screen names are taken off the board; of those that lie beside it, the first is the burn."""
        for slot in _named(view):
            if self._felt.count(*slot):
                self.aside.append(self._felt.take(*slot))
        for stray in self._felt.view().strays():
            burn = self._bare_burn()
            if burn is not None and not self._burn_waits(view):
                self._move(stray, burn, CardFace.DOWN)
            else:
                self.aside.append(self._felt.take_stray(stray.serial))

    def make_burn(self, view: TableView) -> None:
        """Every card that lies where the record has none, and is no burn, becomes the next burn."""
        for lying in self._astray(view):
            if (burn := self._bare_burn()) is None:
                return
            self._move(lying, burn, CardFace.DOWN)

    def bring_down(self, view: TableView) -> None:
        """Lay each card that lies where the record has none face down in the first place that lacks one."""
        astray = self._astray(view)
        for box in view.boxes:
            for place in box.places:
                slot = (box.key, place.place)
                if astray and place.state in _OWED and place.face is None and not self._felt.count(*slot):
                    self._move(astray.pop(0), slot, CardFace.DOWN)

    def shuffle(self, rig: Rig) -> None:
        """The stub is taken out, shuffled with what lies aside, and laid back."""
        stub = [rig.shoe.draw_unseen() for _ in range(rig.shoe.cards_left)] + self.aside
        self.aside.clear()
        self._rng.shuffle(stub)
        rig.shoe.load(stub)

    def _astray(self, view: TableView) -> list[LyingCard]:
        places = {(box.key, card.place): card.state for box in view.boxes for card in box.places}
        lying = sorted(self._felt.view().top().items(), key=lambda one: one[0])
        found = [
            card for slot, card in lying if slot[0] not in ("burn", "discard") and places.get(slot) in _WITHOUT_CARD
        ]
        return [*found, *self._felt.view().strays()]

    def _bare_burn(self) -> Slot | None:
        burns = (slot.place for slot in self._felt.layout.slots if slot.zone == "burn")
        return next((("burn", place) for place in sorted(burns) if not self._felt.count("burn", place)), None)

    def _burn_waits(self, view: TableView) -> bool:
        """Whether a card lies burned that is on no record yet."""
        burns = [card for box in view.boxes if box.key == "burn" for card in box.places]
        return any(card.state in _WITHOUT_CARD and self._felt.count("burn", card.place) for card in burns)

    def _move(self, lying: LyingCard, slot: Slot, face: CardFace) -> None:
        if lying.slot is None:
            self._felt.move_stray(lying.serial, slot, face=face)
        else:
            self._felt.move(lying.slot, slot, face=face)


def _named(view: TableView) -> list[Slot]:
    """The places the act names, cards that lie astray left out."""
    named = view.now.act.values.get("places")
    return [slot for slot in named.slots if slot[0] != "stray"] if isinstance(named, Places) else []
