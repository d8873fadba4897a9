"""What the interface answers of movements of money, as types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from dealer_ui.api.shape.field import AtMs, Bettor, CurrencyCode, NowMs, RoundId, one_of


class MovementTold(TypedDict):
    """Money of one of your bettors that moved."""

    id: Annotated[int, Field(ge=1, examples=[4711])]
    """Names the movement for ever; a later one has a greater id."""
    kind: Annotated[
        str,
        one_of(
            "deposit", "withdrawal", "debit", "credit", "void", "reversal", "compensation", "claw_back", "carried",
            "wallet_debit", "wallet_credit", "wallet_compensation", "wallet_cancel", "wallet_recovery", "suspense",
            "suspense_cleared", "free_granted", "free_cancelled", "free_debit", "free_void", "free_credit",
            "free_reversal", "free_carried", "wallet_free_debit", "wallet_free_credit", "wallet_free_cancel",
            "wallet_free_recovery",
        ),
    ]  # fmt: skip
    """What it was: `debit` a stake, `credit` what a bet returned, `void` a stake given back, `reversal` a return taken
    back by a correction. Where `free_` is in it, a free bet's stake moved in your promotion, and none of the bettor's
    money."""
    bettor: Bettor | None
    """Null of what lies in suspense."""
    round: RoundId | None
    client_id: Annotated[str | None, Field(examples=["n-1001"])]
    """The id of your own making of the deposit, the withdrawal or the bet."""
    bet_id: Annotated[str | None, Field(examples=["north/n-1001"])]
    """The studio's id of the bet."""
    transaction: Annotated[str | None, Field(examples=[None])]
    """The id by which your wallet knows the movement, where you keep the money yourself."""
    free_bet: Annotated[str | None, Field(examples=[None])]
    """The grant of free bets that it belongs to."""
    amount: Annotated[int, Field(examples=[-500])]
    """In minor units, as the bettor's purse in the studio has it: above zero it came in."""
    currency: CurrencyCode
    at_ms: AtMs


class MovementsFound(TypedDict):
    """What moved under one id, the oldest first."""

    movements: list[MovementTold]


class Movements(TypedDict):
    """Movements after a cursor, the oldest first."""

    movements: list[MovementTold]
    next: Annotated[int, Field(examples=[4711])]
    """The cursor of the next page: ask with it as `after`."""
    more: bool
    """Whether the next page has something already."""
    now_ms: NowMs
