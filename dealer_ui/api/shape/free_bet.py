"""What the interface answers of free bets, as types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from dealer_ui.api.shape.field import Amount, AtMs, Bettor, ClientId, CurrencyCode, NowMs, one_of


class FreeBetsTold(TypedDict):
    """Free bets you have granted a bettor."""

    client_id: ClientId
    bettor: Bettor
    status: Annotated[str, one_of("open", "used", "expired", "cancelled")]
    """`used`: none is left; one that comes back in a void or a push is left again."""
    stake: Amount
    """What each bet stakes."""
    currency: CurrencyCode
    count: Annotated[int, Field(examples=[3])]
    """So many were granted."""
    left: Annotated[int, Field(examples=[2])]
    """So many may still be placed, once they are open."""
    games: list[str]
    """On which games alone; empty: on any."""
    tables: list[str]
    bets: list[str]
    granted_at_ms: AtMs
    expires_at_ms: Annotated[int | None, Field(examples=[1_700_086_400_000])]


class FreeBetsGiven(FreeBetsTold):
    """Free bets that were granted, or had been before."""

    duplicate: bool
    """They were granted before, and nothing was granted again."""


class FreeBetsOfBettor(TypedDict):
    """All that you have granted him, the newest first."""

    bettor: Bettor
    free_bets: list[FreeBetsTold]
    now_ms: NowMs
