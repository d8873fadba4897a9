"""What quick hands do to cards that lie, and to the shoe: swap, flash, take away, slip one in.

Each of these changes the simulated table alone; what the studio makes of it, it learns from its devices.
"""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.hand.deal_order import face_due
from dealer_ui.rehearsal.own_hands.hands import Hands
from dealer_ui.rehearsal.own_hands.reach import newest
from dealer_ui.rehearsal.repertoire import deed
from devices.sim.felt import DIRECTIONS, LyingCard
from studio.errors import RefusedError
from studio.ports import CardFace
from studio.spoken import Slot

_FALLS_TO: Final = DIRECTIONS[0]


def swap(hands: Hands, ref: str, other: str) -> None:
    """Two cards change places; each keeps the side up that it had."""
    felt, reach = hands.rig.felt, hands.reach

    def change() -> None:
        one, two = (reach.slot_of(name) for name in (ref, other))
        if one == two:
            raise RefusedError("hands_same_card", "That is the same card: choose another one to swap it with.")
        deed.exchange(felt, one, two)

    hands.rig.do(lambda rig: change())


def flash(hands: Hands, ref: str) -> None:
    """Turn a card over for a moment, and back."""
    slot = hands.reach.slot_of(ref)
    hands.rig.do(lambda rig: rig.felt.turn(*slot))
    hands.moment.begin(lambda: _turn_back(hands, slot))


def _turn_back(hands: Hands, slot: Slot) -> None:
    if hands.rig.felt.count(*slot):
        hands.rig.do(lambda rig: rig.felt.turn(*slot))


def fumble(hands: Hands) -> None:
    """Draw the next card, and let it slip over the edge from under the hand: no eye has seen its face."""
    slot = _due(hands)
    hands.rig.felt.hand_over(*slot, on=True)
    hands.draw(slot)
    hands.moment.begin(lambda: _slip(hands, slot))


def _slip(hands: Hands, slot: Slot) -> None:
    if hands.rig.felt.count(*slot):
        hands.rig.do(lambda rig: hands.reach.fall(slot, _FALLS_TO))
    hands.rig.felt.hand_over(*slot, on=False)


def shift(hands: Hands, lying: LyingCard) -> None:
    """Push a card into the next bare place of its box."""
    assert lying.slot is not None
    zone, place = lying.slot
    felt = hands.rig.felt
    places = sorted(slot.place for slot in felt.layout.slots if slot.zone == zone)
    bare = [other for other in places if other > place and not felt.count(zone, other)]
    hands.move(f"card.{lying.serial}", (zone, bare[0] if bare else places[0]))


def lay_upon(hands: Hands) -> None:
    """Lay the next card, as it is due, on the card that was laid last."""
    lying = newest(hands.rig.felt)
    if lying is None or lying.slot is None:
        raise RefusedError("hands_gone", "That card does not lie there any more. Look at the felt again.")
    hands.draw(lying.slot, face_due(hands.view(), _due(hands)))


def slip_in(hands: Hands) -> None:
    """Put a card that lies open already once more into the shoe: it is the next to leave."""
    felt = hands.rig.felt.view()
    twin = next((one.card for one in felt.cards if one.face is CardFace.UP), None)
    if twin is None:
        raise RefusedError("hands_gone", "That card does not lie there any more. Look at the felt again.")
    hands.rig.do(lambda rig: deed.slip_in(rig, twin))


def empty_shoe(hands: Hands) -> None:
    hands.rig.do(deed.empty_shoe)


def _due(hands: Hands) -> Slot:
    slot = hands.owed.place()
    if slot is None:
        raise RefusedError("hands_not_due", "No card is due now: the console asks for something else.")
    return slot
