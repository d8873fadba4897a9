"""How a settled round reads before a correction and after it, part by part, and how the record writes that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studio.cards import Card
from studio.spoken import Slot


@dataclass(frozen=True, slots=True)
class CardReads:
    """A card in its place. `face` is None for one that nobody turned."""

    slot: Slot
    face: Card | None

    def __str__(self) -> str:
        return f"{self.slot[0]} {self.slot[1]} = {self.face or 'sealed'}"


@dataclass(frozen=True, slots=True)
class CardOut:
    """A place whose card is taken out of the deal."""

    slot: Slot

    def __str__(self) -> str:
        return f"{self.slot[0]} {self.slot[1]} taken out"


@dataclass(frozen=True, slots=True)
class HandsRead:
    """Two hands as they were recorded, or exchanged."""

    a: str
    b: str
    exchanged: bool

    def __str__(self) -> str:
        return f"{self.a} and {self.b} {'exchanged' if self.exchanged else 'as recorded'}"


@dataclass(frozen=True, slots=True)
class Stands:
    """The round, or the hand of one box: settled, or void; a void round may still pay some bets, named by `pays`."""

    void: bool
    box: str = ""
    pays: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.box, "void" if self.void else "settled", self.pays) if part)


Part = CardReads | CardOut | HandsRead | Stands
Reading = tuple[Part, ...]


def written(parts: Iterable[Part]) -> str:
    """As the record keeps it.

    >>> written([CardReads(("player1", 2), Card.parse("Ah")), Stands(void=True, box="3")])
    'player1 2 = Ah, 3 void'
    """
    return ", ".join(map(str, parts))
