"""The seats of a poker table, as a screen draws them: plates round an oval, board and burns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dealer_ui.felt.spread import Hand, pointed_of
from studio.games.hand_terms import BOARD
from studio.spoken import Slot
from studio.views.room_shape import PlayerView
from studio.views.shape import BoxView, TableView

SHUT: Final = frozenset({"folded", "away", "waits", "next_hand"})
"""Marks of a seat that plays no more in this hand, or not yet."""


@dataclass(frozen=True, slots=True)
class Plate:
    """One seat. `hand` has the places in use; a place `pointed` at by an incident is one of them."""

    number: int
    player: PlayerView
    hand: Hand

    @property
    def acts(self) -> bool:
        return "acts" in self.player.marks

    @property
    def shut(self) -> bool:
        return bool(SHUT.intersection(self.player.marks))


@dataclass(frozen=True, slots=True)
class Oval:
    plates: tuple[Plate, ...]
    board: BoxView
    burn: BoxView | None


def oval_of(view: TableView) -> Oval | None:
    """The oval of a table with a board in its middle; None of any other."""
    zones = {box.key: box for box in view.boxes}
    if view.room is None or BOARD not in zones:
        return None
    pointed = pointed_of(view)
    return Oval(
        tuple(_plate(number, one, zones[one.seat], pointed) for number, one in enumerate(view.room.seats, 1)),
        zones[BOARD],
        zones.get("burn"),
    )


def _plate(number: int, player: PlayerView, zone: BoxView, pointed: Mapping[Slot, str]) -> Plate:
    lying = (card for card in zone.places if card.state != "empty" or (zone.key, card.place) in pointed)
    return Plate(number, player, Hand(zone.key, tuple((zone.key, card) for card in lying), acts="acts" in player.marks))
