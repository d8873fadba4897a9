"""The felt as the camera last told it: a look for each place, and the cards that lie in none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.cards import SealedCard
from studio.ports import CardFace
from studio.spoken import Slot


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera last said of a place. `sealed` stays closed unless its face is due."""

    face: CardFace
    sealed: SealedCard | None
    at_ms: int
    evidence: str = ""
    confidence: float = 0.0


@dataclass(frozen=True)  # no slots: see `studio.value`
class Felt:
    """`looks` by place; `strays` are the points where a card lies in no place."""

    looks: Mapping[Slot, Seen] = field(default_factory=dict)
    strays: frozenset[tuple[float, float]] = frozenset()

    @property
    def clear(self) -> bool:
        return not self.looks and not self.strays
