"""What can have happened to who deals at a table, beside `TableOpened` and `DealerChanged`."""

from __future__ import annotations

import msgspec


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
