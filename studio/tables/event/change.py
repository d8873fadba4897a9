"""What changes a table as such: game, limits, pay table, who deals, the archive it follows; and who did it."""

from __future__ import annotations

import msgspec

from studio.tables.event.situation import AnySituation


class TableCarried(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """The first fact of a table in a database that follows an archive. Numbers go on; the deck is verified anew."""

    rounds: int
    shoes: int
    incidents: int
    moves: int = 0
    """What seats are paid out is named by it, in the operator's wallet too. 0 in older rows."""


class TableChanged(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """`preset`: the name of what was chosen, empty for the table's own configuration."""

    by: str
    by_name: str
    preset: str
    game: str
    reason_code: str
    words: str
    before: AnySituation
    after: AnySituation


class PayTableAllowed(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """An administrator lets the table deal although its pay table is in trouble (`why`: the key of the refusal)."""

    by: str
    by_name: str
    why: str
    said: AnySituation
    reason_code: str
    words: str


class PersonActed(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """Somebody who is not the table's dealer did this: `act` is the command's name, as in `StartRound`."""

    act: str
    by: str
    by_name: str


class PlannedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """Who is to take the table over next, and when."""

    dealer: str
    dealer_name: str
    at_ms: int


class ReliefAsked(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """In mid-round the next dealer has signed in at the table and asks to take it over; the pit confirms."""

    dealer: str
    dealer_name: str


class ReliefDeclined(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    dealer: str
    by: str


class DealerStoodDown(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """The dealer may not deal from now on, and nobody has taken the table over yet. `why`: barred retired roles."""

    dealer: str
    dealer_name: str
    why: str
    by: str


class RotationPlanned(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """Who deals here next, and when; takes the place of the plan before."""

    turns: tuple[PlannedTurn, ...]
    by: str
