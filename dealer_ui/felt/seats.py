"""The seats of a poker table as a screen draws them: plates round an oval, or columns with rows of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dealer_ui.felt.spread import Hand, pointed_of
from studio.games.ofc_hand import row_zone
from studio.rulebook.hand_terms import BOARD
from studio.rulebook.open_face import ROWS
from studio.spoken import Slot
from studio.views.shape import BoxView, PlayerView, TableView, Words, signed

SHUT: Final = frozenset({"folded", "away", "waits", "next_hand"})
"""Marks of a seat that plays no more in this hand, or not yet."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """`points` are those of the row against all other seats, as a score is written; empty before the hand is over."""

    key: str
    hand: Hand
    words: Words | None
    points: str
    won: int


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """One seat. `street` has the cards it was dealt and has not set yet."""

    number: int
    player: PlayerView
    street: Hand
    rows: tuple[BoardRow, ...]

    @property
    def acts(self) -> bool:
        return "acts" in self.player.marks


def columns_of(view: TableView) -> tuple[BoardColumn, ...]:
    """The columns of Open-Face Chinese; none at any other table."""
    zones = {box.key: box for box in view.boxes}
    if view.room is None or row_zone(view.room.seats[0].seat, "top") not in zones:
        return ()
    pointed = pointed_of(view)
    return tuple(
        BoardColumn(
            number, player,
            Hand(player.seat, tuple(
                (player.seat, card) for card in zones[player.seat].places
                if card.state != "empty" or (player.seat, card.place) in pointed
            ), acts="acts" in player.marks),
            tuple(_row(zones[row_zone(player.seat, row)], row, player) for row in ROWS),
        )
        for number, player in enumerate(view.room.seats, 1)
    )  # fmt: skip


def _row(zone: BoxView, row: str, player: PlayerView) -> BoardRow:
    board = player.board
    points = board.rows[row] if board is not None and board.over else 0
    told = signed(points) if board is not None and board.over else ""
    return BoardRow(row, Hand(zone.key, tuple((zone.key, card) for card in zone.places)), zone.hand, told, points)


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
