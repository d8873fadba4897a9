"""A bet and a decision as an operator sends them, and the kinds of field that every body of a request is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field, StringConstraints

from studio.money import AMOUNT_MINOR_MAX, Offer

STRICT: Final = ConfigDict(strict=True, extra="forbid", use_attribute_docstrings=True)
ID_RULE: Final = "1 to 64 letters, digits and . _ : @ ~ + -, the first a letter or a digit"

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@~+-]{0,63}$")]
ClientId = Annotated[Id, Field(description="An id of your own making.", examples=["n-1001"])]
Bettor = Annotated[Id, Field(description="Your name for the bettor.", examples=["ann"])]
Minor = Annotated[int, Field(gt=0, le=AMOUNT_MINOR_MAX, description="In minor units.", examples=[500])]
Currency = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$"), Field(examples=["EUR"])]


@dataclass(frozen=True, slots=True)
class BetOffer:
    """A bet as an operator sends it."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: ClientId
    bettor: Bettor
    bet: Annotated[str, StringConstraints(min_length=1, max_length=64), Field(examples=["player1_win"])]
    """The key of a bet that the table's state offers."""
    stake_minor: Annotated[Minor, Field(alias="stake")]
    round: Annotated[str, StringConstraints(max_length=64), Field(examples=["t1-0000017"])] = ""
    """The bet is for that round and for no later one, however late it comes; left out, for the one that is played."""
    free_bet: Annotated[
        str, StringConstraints(pattern=r"^([A-Za-z0-9][A-Za-z0-9._:@~+-]{0,63})?$"), Field(examples=["welcome-ann"])
    ] = ""
    """The `client_id` of a grant of free bets: the stake is one of these, and not the bettor's own money."""

    def whole(self, operator: str, table: str, currency: str) -> Offer:
        """The bet as it is offered to a table. The table gives it its id, and its round where none is named."""
        return Offer(
            "", operator, self.client_id, self.bettor, table, self.round, self.bet, self.stake_minor, currency,
            self.free_bet,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """One bettor's decision as an operator sends it; in a game that is played by boxes, for one of his boxes."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: ClientId
    bettor: Bettor
    option: Annotated[str, StringConstraints(min_length=1, max_length=32), Field(examples=["play"])]
    """One of those the table's state, or his seat's turn, offers now."""
    box: Annotated[str, StringConstraints(max_length=16), Field(examples=["3a"])] = ""
    """In a game that is played by boxes the box or row of a split box; at a poker table his seat; else left out."""
    to_minor: Annotated[int, Field(alias="to", ge=0, le=AMOUNT_MINOR_MAX, examples=[1_200])] = 0
    """At a poker table what he bets or raises to, in minor units; else left out."""
    rows: Annotated[tuple[Annotated[str, StringConstraints(max_length=16)], ...], Field(max_length=17)] = ()
    """In Open-Face Chinese where each card of his street goes; else left out."""
    round: Annotated[str, StringConstraints(max_length=64), Field(examples=["t1-0000017"])] = ""
    """The decision is for that round and for no later one, however late it comes; left out, for the one played."""
