"""Who deals at a table, and what the pit has done to it: frozen it, been called to it, changed its terms."""

from __future__ import annotations

import msgspec

from studio.tables.event.change import PlannedTurn


class Freeze(msgspec.Struct, frozen=True):
    """Who froze the table, as an id; empty while nobody has. `floor` is the freeze of the whole floor that did it."""

    by: str = ""
    by_name: str = ""
    floor: str = ""

    @property
    def own(self) -> bool:
        """Whether somebody froze this very table: no release of the floor lets it go."""
        return bool(self.by) and not self.floor


class PitCall(msgspec.Struct, frozen=True):
    """Who called the pit, as an id; empty while nobody waits for it."""

    by: str = ""
    by_name: str = ""


class PitTerms(msgspec.Struct, frozen=True):
    """Whose word the table's terms rest on. `allowed_by`: the administrator who allowed the present pay table, where it
    needed one. `changed_by`: whoever of the pit set game or limits to `preset`, while they differ from the file's.
    """

    allowed_by: str = ""
    changed_by: str = ""
    preset: str = ""


class Pit(msgspec.Struct, frozen=True):
    freeze: Freeze = msgspec.field(default_factory=Freeze)
    call: PitCall = msgspec.field(default_factory=PitCall)
    terms: PitTerms = msgspec.field(default_factory=PitTerms)


class Seat(msgspec.Struct, frozen=True):
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

    @property
    def plan_mark(self) -> str:
        """What a new plan takes the place of."""
        return " ".join(f"{turn.dealer}@{turn.at_ms}" for turn in self.plan) or "unplanned"
