"""What some mistakes do to the cards of a simulated table, whoever makes them; nothing here is locked by itself."""

from __future__ import annotations

from dealer_ui.rehearsal.machine.rig import Rig
from devices.sim.felt import SimFelt
from studio.cards import Card
from studio.spoken import Slot


def exchange(felt: SimFelt, one: Slot, other: Slot) -> None:
    """Two cards change places; each keeps the side up that it had."""
    faces = [felt.view().top()[slot].face for slot in (one, other)]
    cards = [felt.take(*slot) for slot in (one, other)]
    felt.lay(*other, cards[0], faces[0])
    felt.lay(*one, cards[1], faces[1])


def slip_in(rig: Rig, twin: Card) -> None:
    """The next card of the shoe becomes one that is on the felt already; the one that was next is gone."""
    rest = [rig.shoe.draw_unseen() for _ in range(rig.shoe.cards_left)]
    rig.shoe.load([twin, *rest[1:]])


def empty_shoe(rig: Rig) -> None:
    """Every card is taken out of the shoe."""
    rig.shoe.load(())
