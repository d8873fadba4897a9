"""What a poker table knows of its seats: who sits there, with what chips, and who has the button.

A stack is a purse of the bettor's own that only its table moves: `bettor:north:ann/nlh-1`. No operator can name it, for
his ids hold no slash; a buy-in fills it, chips are bet out of it, what a hand gives back goes into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from studio.rulebook.seating import Sitting
from studio.value import replace


class Player(msgspec.Struct, frozen=True):
    """One seat taken. `stack_minor` is what the seat had when the hand began, and has of what is over by now.

    `in_minor`: what of it is in the pots of the open hand. `away`: wants no cards. `waits`: for the big blind, or
    `posts` one instead. `leaving`: is paid out when the hand is over. `bank_ms` is left of his time bank, which runs
    since `bank_since_ms`. `idle`: so many turns in a row the clock has decided.
    `fantasy`: so many cards it is dealt at once in the next hand, or was in this one. `missed`: so many hands in a row
    were dealt without the seat, for it wanted no cards or had no chips.
    """

    operator: str
    bettor: str
    stack_minor: int
    in_minor: int = 0
    away: bool = False
    waits: bool = False
    posts: bool = False
    leaving: bool = False
    bank_ms: int = 0
    bank_since_ms: int | None = None
    idle: int = 0
    fantasy: int = 0
    missed: int = 0

    @property
    def behind_minor(self) -> int:
        """What is still in front of the seat, to bet with."""
        return self.stack_minor - self.in_minor

    @property
    def wants_cards(self) -> bool:
        return not self.away and not self.leaving and self.stack_minor > 0


ASKED_KEPT: Final = 256
"""So many requests of bettors a table still knows; of an older buy-in the ledger knows."""

RETURNS_KEPT: Final = 256
"""So many bettors who left with chips a table still knows."""


class SeatRequest(msgspec.Struct, frozen=True):
    """What a bettor asks. `act`: sit, buy, leave, away, back, post, or look (at his own cards, which
    is put on record). `client_id` makes a retry harmless.
    """

    act: str
    operator: str
    bettor: str
    client_id: str
    seat: str = ""
    amount_minor: int = 0

    @property
    def plain(self) -> SeatRequest:
        """The request without what its act has no use for."""
        seat = self.seat if self.act == "sit" else ""
        return replace(self, seat=seat, amount_minor=self.amount_minor if self.act in ("sit", "buy") else 0)


class Left(msgspec.Struct, frozen=True):
    """A bettor who left, when, and the chips he took with him."""

    operator: str
    bettor: str
    stack_minor: int
    at_ms: int


class Room(msgspec.Struct, frozen=True):
    """`dealt_in`: the seats of the hand that is open; `button` and `big_blind`, of that hand or of the last.

    `seen`: of these, the ones whose bettor has looked at his cards, where that is on record. `asked`: the last requests
    that changed something here; `left`: who went away last, each bettor once.
    """

    players: Mapping[str, Player] = msgspec.field(default_factory=dict)
    button: str = ""
    dealt_in: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    big_blind: str = ""
    asked: tuple[SeatRequest, ...] = ()
    left: tuple[Left, ...] = ()

    def known(self, operator: str, client_id: str) -> SeatRequest | None:
        """The request this id stands for already."""
        return next((one for one in self.asked if (one.operator, one.client_id) == (operator, client_id)), None)

    def left_by(self, operator: str, bettor: str) -> Left | None:
        """How this bettor left last, where it is still known."""
        return next((one for one in self.left if (one.operator, one.bettor) == (operator, bettor)), None)

    def seat_of(self, operator: str, bettor: str) -> str:
        """The seat of this bettor; empty where he has none."""
        return next(
            (seat for seat, one in self.players.items() if (one.operator, one.bettor) == (operator, bettor)), ""
        )

    @property
    def sitting(self) -> tuple[Sitting, ...]:
        """The seats that want cards, in their order round the table."""
        return tuple(
            Sitting(seat, one.stack_minor, one.waits, one.posts, one.fantasy, seat == self.big_blind)
            for seat, one in sorted(self.players.items())
            if one.wants_cards
        )


def stack_purse(bettor: str, table: str) -> str:
    """The bettor's name for his chips at one table.

    >>> stack_purse("ann", "nlh-1")
    'ann/nlh-1'
    """
    return f"{bettor}/{table}"
