"""The shapes of a table whose seats play among themselves: seats, pots, and what is said aloud."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.views.shape.words import Words


@dataclass(frozen=True, slots=True)
class BoardView:
    """What a seat's board of Open-Face Chinese has come to against all other seats: points by row, for `scoops` and
    `royalties`, in all, and the money won. `out`: `foul` or `dead`. `fantasy`: so many cards it gets in the next hand.

    Before it is `over` only `in_fantasy` is known: so many cards it was dealt in this one.
    """

    rows: Mapping[str, int] = field(default_factory=dict)
    scoops: int = 0
    royalties: int = 0
    points: int = 0
    won_minor: int = 0
    over: bool = False
    out: str = ""
    fantasy: int = 0
    in_fantasy: int = 0

    @property
    def signed(self) -> str:
        """The points with their sign, as a score is written: `+6`, `0`, `−6`."""
        return signed(self.points)

    @staticmethod
    def signed_of(points: int) -> str:
        return signed(points)


def signed(points: int) -> str:
    """
    >>> signed(6), signed(0), signed(-6)
    ('+6', '0', '−6')
    """
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One seat. `bettor` and `operator` are for the dealer and the pit alone, and empty where nobody sits.

    `stack_minor` is what is left to bet with, `front_minor` what lies before the seat on this street. `marks`: `button`
    `small_blind` `big_blind` `acts` `bank` (its time bank runs) `folded` `all_in` `away` `waits` `posts` `leaving`
    `next_hand` `won`, in this order. `hand` is what it shows at the showdown; `won_minor` what it takes of the pots,
    `back_minor` a bet of its own that nobody called; `board` what it has in Open-Face Chinese.
    """

    seat: str
    bettor: str = ""
    stack_minor: int = 0
    front_minor: int = 0
    marks: tuple[str, ...] = ()
    hand: Words | None = None
    won_minor: int = 0
    back_minor: int = 0
    board: BoardView | None = None
    operator: str = ""

    @property
    def taken(self) -> bool:
        return bool(self.bettor)


@dataclass(frozen=True, slots=True)
class PotShare:
    """One pot, the main one first. `seats` can win it; once the hand is over, `winners` have."""

    amount_minor: int
    seats: tuple[str, ...] = ()
    winners: tuple[tuple[str, int], ...] = ()
    rake_minor: int = 0


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """What the seat may choose and what that puts in; of a bet or a raise, from and to what it may lie in front."""

    option: str
    cost_minor: int = 0
    to_minor: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class RoomView:
    """`dealt_in`: the seats of the hand, in the order they are dealt to; empty between two hands.

    `street`: `preflop` `flop` `turn` `river`, or empty. `stakes`: blinds, ante, unit and buy-ins in minor units.

    `in_play_minor`: all chips of the hand that are in no stack. `mucks`: the seats whose hand is given up and still
    lies there. `spoken`: the pots as the dealer says them, or who gets them; `told`: which hand wins each of them.
    `turn_s` is the whole time of the turn. `rake_percent` of each pot is the house's, `rake_cap_minor` a hand's most.
    """

    seats: tuple[PlayerView, ...]
    stakes: Mapping[str, int] = field(default_factory=dict)
    street: str = ""
    pots: tuple[PotShare, ...] = ()
    in_play_minor: int = 0
    choices: tuple[ChoiceView, ...] = ()
    mucks: tuple[str, ...] = ()
    spoken: tuple[Words, ...] = ()
    told: tuple[Words, ...] = ()
    turn_s: float = 0.0
    rake_percent: str = "0"
    rake_cap_minor: int = 0
    dealt_in: tuple[str, ...] = ()
