"""Who is dealt into the next hand of the poker room, has its button, and posts what. [PR-10]"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FEW = 3
"""With fewer seats than this nobody waits for a blind."""

HEADS_UP = 2


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat that wants cards. `waits`: for the big blind to come round; `posts`: he pays one instead of waiting.

    `fantasy`: how many cards it is dealt at once in Open-Face Chinese; 0 where it is not in fantasy. `big`: it had the
    big blind in the hand before.
    """

    seat: str
    stack_minor: int
    waits: bool = False
    posts: bool = False
    fantasy: int = 0
    big: bool = False


@dataclass(frozen=True, slots=True)
class NextHand:
    """`sitting` from the left of the button on, the button last; `posting`: seats that pay a big blind out of turn."""

    sitting: tuple[Sitting, ...]
    posting: frozenset[str] = frozenset()

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(one.seat for one in self.sitting)

    @property
    def button(self) -> str:
        return self.sitting[-1].seat


def next_hand(sitting: Sequence[Sitting], button: str, *, blinds_wait: bool = True, moves: bool = True) -> NextHand:
    """The next hand of these seats, given in their order round the table; `button` had the hand before.

    Where `blinds_wait`, a seat that waits is dealt in when the big blind comes to it, and the button goes past a seat
    where it would give the big blind to who has just paid it. Without `moves` the button stays.
    """
    ready = [one for one in sitting if not one.waits]
    if not blinds_wait or len(ready) < FEW:
        ready = list(sitting)
    round_table = [one for one in sitting if one in ready or blinds_wait]
    hands = [_dealt_by(holder, round_table, ready) for holder in _holders(ready, button, moves=moves)]
    paid = {one.seat for one in sitting if one.big and blinds_wait}
    return next((hand for hand in hands if big_blind_of(hand.seats) not in paid), hands[0])


def _dealt_by(holder: Sitting, round_table: Sequence[Sitting], ready: Sequence[Sitting]) -> NextHand:
    """The hand that is dealt where this seat has the button."""
    after = _after(round_table, holder)
    if len(ready) == len(round_table):
        return NextHand((*after, holder))
    small = next(at for at, one in enumerate(after) if one in ready)
    big = min(small + 1, len(after) - 1)
    dealt = [one for at, one in enumerate(after) if one in ready or at == big or (one.posts and at > big)]
    posting = frozenset(one.seat for at, one in enumerate(after) if one.waits and one.posts and at > big)
    return NextHand((*dealt, holder), posting)


def _holders(ready: Sequence[Sitting], button: str, *, moves: bool) -> Sequence[Sitting]:
    """Who may have the button, the next ready seat clockwise first; or the same one where it stays and still plays."""
    stays = [one for one in ready if one.seat == button]
    if stays and not moves:
        return stays
    return [*(one for one in ready if one.seat > button), *(one for one in ready if one.seat <= button)]


def _after(sitting: Sequence[Sitting], holder: Sitting) -> list[Sitting]:
    at = sitting.index(holder)
    return [*sitting[at + 1 :], *sitting[:at]]


def big_blind_of(seats: Sequence[str]) -> str:
    """Who has the big blind of these seats, from the left of the button on; heads-up the button has the small one."""
    return seats[0] if len(seats) == HEADS_UP else seats[1]
