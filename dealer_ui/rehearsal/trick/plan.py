"""Everything that may go wrong in a simulated night, listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.rehearsal.trick import (
    dealer,
    decision,
    down,
    machine,
    open_face,
    order,
    people,
    poker_hand,
    poker_street,
    report,
    room,
    unplug,
)
from dealer_ui.rehearsal.trick.machine import TEXT_SHOE_TRICKS
from dealer_ui.rehearsal.trick.mischief import Trick
from devices.sim.wire.fault import TEXT_SHOES
from studio.games import find_game
from studio.tables.street import is_betting_hand

TRICKS: Final[tuple[Trick, ...]] = (
    *dealer.TRICKS,
    *order.TRICKS,
    *down.TRICKS,
    *report.TRICKS,
    *decision.TRICKS,
    *machine.TRICKS,
    *people.TRICKS,
    *unplug.AMONG_OTHERS,
)


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """How much goes wrong in a night: the share of rounds, and what."""

    rate: float
    tricks: tuple[Trick, ...] = TRICKS

    def tricks_of(self, game: str, shoe: str) -> Sequence[Sequence[Trick]]:
        """At a table of the poker room, what goes wrong there alone takes turns with all else.

        With what happens only to shoes without checksum and sequence, where the shoe is one.
        """
        if self.tricks is not TRICKS:
            return (self.tricks,)
        tricks = (*self.tricks, *TEXT_SHOE_TRICKS) if shoe in TEXT_SHOES else self.tricks
        return (tricks, room_tricks(game)) if find_game(game).peers else (tricks,)


def room_tricks(game: str) -> tuple[Trick, ...]:
    """What goes wrong with the cards and seats of this game of the poker room, and to its table in mid-hand."""
    own = (*poker_hand.TRICKS, *poker_street.TRICKS) if is_betting_hand(find_game(game)) else open_face.TRICKS
    return (*own, *room.TRICKS)


PLANS: Final[Mapping[str, FaultPlan]] = {
    "none": FaultPlan(0.0),
    "some": FaultPlan(1 / 50),
    "many": FaultPlan(1 / 4),
    "every": FaultPlan(1.0),
    "unplug": FaultPlan(1.0, (*unplug.TRICKS, *unplug.TRICKS, *unplug.RARE)),
}
"""By the word of `studio simulate --faults`. `every`: in every round. `unplug`: cables alone, in every round."""
