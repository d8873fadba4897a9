"""A bet and a decision as an operator sends them, and the kinds of field that every body of a request is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field, StringConstraints

from studio.money import AMOUNT_MINOR_MAX, Offer

STRICT: Final = ConfigDict(strict=True, extra="forbid")
ID_RULE: Final = "1 to 64 letters, digits and . _ : @ ~ + -, the first a letter or a digit"

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@~+-]{0,63}$")]
Minor = Annotated[int, Field(gt=0, le=AMOUNT_MINOR_MAX)]
Currency = Annotated[str, StringConstraints(max_length=8)]


@dataclass(frozen=True, slots=True)
class BetOffer:
    """A bet as an operator sends it; in JSON `stake_minor` is written `stake`.

    `round`: the bet is for that round and for no later one, however late it comes.
    """

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: Id
    bettor: Id
    bet: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    stake_minor: Annotated[Minor, Field(alias="stake")]
    round: Annotated[str, StringConstraints(max_length=64)] = ""

    def whole(self, operator: str, table: str, currency: str) -> Offer:
        """The bet as it is offered to a table. The table gives it its id, and its round where none is named."""
        round = self.round
        return Offer("", operator, self.client_id, self.bettor, table, round, self.bet, self.stake_minor, currency)


@dataclass(frozen=True, slots=True)
class Choice:
    """One bettor's decision as an operator sends it; in a game that is played by boxes, the decision for one of his
    boxes.

    At a poker table `box` is his seat, and `to_minor`, in JSON `to`, what he bets or raises to; `rows`, where each card
    of his street goes.
    """

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: Id
    bettor: Id
    option: Annotated[str, StringConstraints(min_length=1, max_length=32)]
    box: Annotated[str, StringConstraints(max_length=16)] = ""
    to_minor: Annotated[int, Field(alias="to", ge=0, le=AMOUNT_MINOR_MAX)] = 0
    rows: Annotated[tuple[Annotated[str, StringConstraints(max_length=16)], ...], Field(max_length=17)] = ()
