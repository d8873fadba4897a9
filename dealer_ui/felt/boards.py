"""Seats with rows of their own, as a screen draws them: a column a seat, row below row."""

from __future__ import annotations

from dataclasses import dataclass

from dealer_ui.felt.spread import Hand, pointed_of
from studio.games.ofc_hand import row_zone
from studio.games.open_face import ROWS
from studio.views.room_shape import PlayerView, signed
from studio.views.shape import BoxView, TableView, Words


@dataclass(frozen=True, slots=True)
class Row:
    """`points` are those of the row against all other seats, as a score is written; empty before the hand is over."""

    key: str
    hand: Hand
    words: Words | None
    points: str
    won: int


@dataclass(frozen=True, slots=True)
class Column:
    """One seat. `street` has the cards it was dealt and has not set yet."""

    number: int
    player: PlayerView
    street: Hand
    rows: tuple[Row, ...]

    @property
    def acts(self) -> bool:
        return "acts" in self.player.marks


def columns_of(view: TableView) -> tuple[Column, ...]:
    """The columns of Open-Face Chinese; none at any other table."""
    zones = {box.key: box for box in view.boxes}
    if view.room is None or row_zone(view.room.seats[0].seat, "top") not in zones:
        return ()
    pointed = pointed_of(view)
    return tuple(
        Column(
            number, player,
            Hand(player.seat, tuple(
                (player.seat, card) for card in zones[player.seat].places
                if card.state != "empty" or (player.seat, card.place) in pointed
            ), acts="acts" in player.marks),
            tuple(_row(zones[row_zone(player.seat, row)], row, player) for row in ROWS),
        )
        for number, player in enumerate(view.room.seats, 1)
    )  # fmt: skip


def _row(zone: BoxView, row: str, player: PlayerView) -> Row:
    board = player.board
    points = board.rows[row] if board is not None and board.over else 0
    told = signed(points) if board is not None and board.over else ""
    return Row(row, Hand(zone.key, tuple((zone.key, card) for card in zone.places)), zone.hand, told, points)
