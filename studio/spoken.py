"""What fills in a message of the catalogue, where that is more than a name or a number.

Each is said in its reader's own words at the edge, by `dealer_ui.words`; nothing here is a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Slot = tuple[str, int]
"""A place of the felt: its zone, and its number in it, counted from 1."""


def named(slots: Iterable[Slot]) -> str:
    """Places as an English sentence of the record names them.

    >>> named([("player1", 2), ("burn", 1)])
    'player1 2, burn 1'
    """
    return ", ".join(f"{zone} {place}" for zone, place in slots)


@dataclass(frozen=True, slots=True)
class Places:
    """Places of the felt."""

    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """Cards of a street by their places, each with the row it goes to, or `muck`."""

    to: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum of money in minor units."""

    minor: int
    currency: str


@dataclass(frozen=True, slots=True)
class Seats:
    """Seats of a poker table by their keys, `seat4`, in the order they are named."""

    keys: tuple[str, ...]


Value = str | int | Places | Moves | Amount | Seats
