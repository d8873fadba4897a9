"""Who deals at a table, and what the pit has done to it: frozen it, been called to it, changed its terms."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.tables.event.change import PlannedTurn


@dataclass(frozen=True, slots=True)
class Freeze:
    """Who froze the table, as an id; empty while nobody has. `floor` is the freeze of the whole floor that did it."""

    by: str = ""
    by_name: str = ""
    floor: str = ""


@dataclass(frozen=True, slots=True)
class PitCall:
    """Who called the pit, as an id; empty while nobody waits for it."""

    by: str = ""
    by_name: str = ""


@dataclass(frozen=True, slots=True)
class PitTerms:
    """Whose word the table's terms rest on. `allowed_by`: the administrator who allowed the present pay table, where it
    needed one. `changed_by`: whoever of the pit set game or limits to `preset`, while they differ from the file's.
    """

    allowed_by: str = ""
    changed_by: str = ""
    preset: str = ""


@dataclass(frozen=True, slots=True)
class Pit:
    freeze: Freeze = field(default_factory=Freeze)
    call: PitCall = field(default_factory=PitCall)
    terms: PitTerms = field(default_factory=PitTerms)


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
