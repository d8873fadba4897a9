"""What the interface answers of how a bettor stands with his operator, as types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from dealer_ui.api.shape.field import Amount, Bettor, CurrencyCode, TableKey


class TermsTold(TypedDict):
    """The terms a bettor plays under; null or empty: not limited."""

    currency: CurrencyCode | None
    jurisdiction: Annotated[str | None, Field(examples=["MT"])]
    least: Amount | None
    most: Amount | None
    bets: list[str]
    decisions: list[str]
    check_min: Annotated[int, Field(examples=[60])]
    person: Annotated[str | None, Field(examples=["9f86d081…"])]


class StandingTold(TypedDict):
    """How a bettor stands with you."""

    bettor: Bettor
    blocked: bool
    """Whether you keep him from playing."""
    logged_out: bool
    """Whether he has to be launched before he stakes anything."""
    terms: TermsTold


class Dismissed(StandingTold):
    """A bettor stakes nothing more; what he has in play is settled."""

    pages: Annotated[int, Field(examples=[1])]
    """So many of his pages were ended."""
    seats: list[TableKey]
    """The poker tables where he has a seat: he leaves it, or is dealt into no hand but the one he is in."""
