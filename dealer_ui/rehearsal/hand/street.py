"""Hands that lay a street of Open-Face Chinese as the screen says."""

from __future__ import annotations

import random

from devices.sim.felt import SimFelt
from studio.ports import CardFace
from studio.rulebook.placing import MUCK, Placing
from studio.spoken import Moves
from studio.views import TableView


def lay_street(felt: SimFelt, view: TableView) -> None:
    """Each card of the street named to the next free place of its row, open; the rest to the discard as it lies."""
    seat = str(view.now.act.values["box"]).removeprefix("box.")
    lying = felt.view().top()
    for place, row in _moves(view):
        if (seat, place) not in lying:
            continue
        card = felt.take(seat, place)
        if row == MUCK:
            felt.lay("discard", 1, card, CardFace.DOWN)
            continue
        zone = f"{seat}_{row}"
        felt.lay(zone, 1 + sum(slot[0] == zone for slot in felt.view().top()), card, CardFace.UP)


def _moves(view: TableView) -> tuple[tuple[int, str], ...]:
    named = view.now.act.values["moves"]
    assert isinstance(named, Moves)
    return named.to


def any_rows(placing: Placing, rng: random.Random) -> tuple[str, ...]:
    """A street set at random, as the rules allow."""
    room = [row for row, room in placing.room.items() for _ in range(room)]
    rows = [*rng.sample(room, placing.cards - placing.give_up), *([MUCK] * placing.give_up)]
    rng.shuffle(rows)
    return tuple(rows)
