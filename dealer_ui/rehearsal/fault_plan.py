"""The only place that lists everything that may go wrong in a simulated night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.rehearsal import (
    dealer_trick,
    decision_trick,
    down_trick,
    machine_trick,
    order_trick,
    people_trick,
    report_trick,
    unplug_trick,
)
from dealer_ui.rehearsal.machine_trick import TEXT_SHOE_TRICKS
from dealer_ui.rehearsal.mischief import Trick
from dealer_ui.rehearsal.poker import hand_trick, open_face_trick, room_trick, street_trick
from devices.sim.fault import TEXT_SHOES
from studio.games import find_game
from studio.tables.street import is_betting_hand

TRICKS: Final[tuple[Trick, ...]] = (
    *dealer_trick.TRICKS,
    *order_trick.TRICKS,
    *down_trick.TRICKS,
    *report_trick.TRICKS,
    *decision_trick.TRICKS,
    *machine_trick.TRICKS,
    *people_trick.TRICKS,
    *unplug_trick.AMONG_OTHERS,
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
    own = (*hand_trick.TRICKS, *street_trick.TRICKS) if is_betting_hand(find_game(game)) else open_face_trick.TRICKS
    return (*own, *room_trick.TRICKS)


PLANS: Final[Mapping[str, FaultPlan]] = {
    "none": FaultPlan(0.0),
    "some": FaultPlan(1 / 50),
    "many": FaultPlan(1 / 4),
    "every": FaultPlan(1.0),
    "unplug": FaultPlan(1.0, (*unplug_trick.TRICKS, *unplug_trick.TRICKS, *unplug_trick.RARE)),
}
"""By the word of `studio simulate --faults`. `every`: in every round. `unplug`: cables alone, in every round."""
