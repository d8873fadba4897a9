"""What a table knows of its dealer's seat: who deals and since when, who waits to take over, who is to come."""

from __future__ import annotations

from dataclasses import dataclass

from studio.tables.event.dealer import PlannedTurn


@dataclass(frozen=True, slots=True)
class Seat:
    """`dealer`: who has the table, as an id, since `since_ms`; empty while nobody has. `relief`: who asks to take it
    over in mid-round.

    `stood_down`: the name of a dealer who may not deal any more, and `why`, until another one has the table.
    """

    dealer: str = ""
    dealer_name: str = ""
    since_ms: int = 0
    relief: str = ""
    relief_name: str = ""
    relief_at_ms: int = 0
    plan: tuple[PlannedTurn, ...] = ()
    stood_down: str = ""
    why: str = ""
