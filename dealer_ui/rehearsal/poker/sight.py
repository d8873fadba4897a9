"""What a simulated player sees when it is his turn: no more than his seat may know."""

from __future__ import annotations

from dataclasses import dataclass

from studio.cards import Card


@dataclass(frozen=True, slots=True)
class Sight:
    """One turn as its seat sees it; amounts in minor units.

    `to_minor`: from and to what he may bet or raise, None where he may not. `opponents` are still in the hand; `shown`
    are the hands of those who turned theirs at the end.
    """

    game: str
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    options: tuple[str, ...]
    owed_minor: int
    to_minor: tuple[int, int] | None
    pot_minor: int
    opponents: int
    shown: tuple[tuple[Card, ...], ...] = ()
