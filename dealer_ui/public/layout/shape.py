"""What a drawn layout is: zones on the cloth, and in each the fields that a chip is laid on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """One place for chips. `width` of the columns of its zone; `shape`: `spot` (round), `plain` or `bar` (flat);
    `tone` is a colour of the game's own, such as `shark`. `joined`: drawn as one with the field before it.
    """

    bet: str
    width: int = 1
    shape: str = "plain"
    tone: str = ""
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Zone:
    """Fields that belong together. `title` is a key of the catalogue; `columns` lie side by side in it."""

    fields: tuple[Field, ...]
    columns: int = 2
    title: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """`across`: so many zones stand side by side where there is room; `narrow`: so many on a telephone."""

    game: str
    zones: tuple[Zone, ...]
    across: int = 1
    narrow: int = 1

    def bets(self) -> Iterator[str]:
        return (field.bet for zone in self.zones for field in zone.fields)
