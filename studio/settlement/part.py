"""A part of a round's settlement: bets that are decided while the round goes on are paid then. Pure; it moves nothing.

What was paid in a part may change, when a card was read wrongly, or go back, when a hand or the round is void. Then the
same bets are gone through once more, under the next revision, and only differences move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

import msgspec

from studio.errors import InvariantError
from studio.money import Transfer
from studio.settlement.clawback import Holding, Short, correcting
from studio.settlement.difference import Difference
from studio.settlement.payout import Payout, PlacedBet
from studio.settlement.transfers import Purse, settling_transfers


class Turned(msgspec.Struct, frozen=True):
    """What a part changes, by bet key: what a stake of 1 returned `before` the part, and what it returns `after`.

    A key in `before` alone is undecided again; if it is in `back` as well, its stakes go back to the bettors.
    """

    before: Mapping[str, Fraction] = msgspec.field(default_factory=dict)
    after: Mapping[str, Fraction] = msgspec.field(default_factory=dict)
    back: frozenset[str] = frozenset()

    @property
    def reverses(self) -> bool:
        """Whether anything that was paid is taken back or changed."""
        return any(self.after.get(key) != ret for key, ret in self.before.items())

    @property
    def keys(self) -> frozenset[str]:
        """The bets it moves money for."""
        every = self.before.keys() | self.after.keys()
        return frozenset(key for key in every if self.before.get(key) != self.after.get(key))


@dataclass(frozen=True, slots=True)
class PartMoves:
    """What a part comes to for some bets: those paid for the first time, and those that were paid otherwise."""

    paid: tuple[Payout, ...]
    changed: tuple[Difference, ...]

    @property
    def after(self) -> Iterator[Payout]:
        """What these bets are settled as from now on, without those that are pending again or went back."""
        yield from self.paid
        yield from (one.after for one in self.changed if one.after is not None)

    def digest(self, since: str = "") -> str:
        """SHA-256 chained over the moves, one compact JSON line each: bet id, account, stake, and its return before and
        after, null where it was or is not settled."""
        digest = bytes.fromhex(since)
        encode = msgspec.json.Encoder().encode
        lines = [(one.id, one.account, one.stake_minor, None, one.returns_minor) for one in self.paid]
        for one in self.changed:
            old, new = one.before, one.after
            after = new.returns_minor if new else None
            lines.append((old.id, old.account, old.stake_minor, old.returns_minor, after))  # type: ignore[arg-type]
        for line in lines:
            digest = sha256(digest + encode(line)).digest()
        return digest.hex()


def part_moves(bets: Iterable[PlacedBet], turned: Turned, merged: Mapping[str, int]) -> PartMoves:
    """What the part does with these bets, in their order; `merged` are the `merged_stakes` of the whole round."""
    paid: list[Payout] = []
    changed: list[Difference] = []
    keys = turned.keys
    for bet in bets:
        if bet.bet not in keys:
            continue
        old, new = (_payout(bet, table.get(bet.bet), merged) for table in (turned.before, turned.after))
        if old is None and new is not None:
            paid.append(new)
        elif old is not None:
            changed.append(Difference(old, new, pending=new is None and bet.bet not in turned.back))
    return PartMoves(tuple(paid), tuple(changed))


def need_paid_so(payouts: Iterable[Payout], returns: Mapping[str, Fraction], merged: Mapping[str, int]) -> None:
    """`InvariantError` unless the end of the round makes of the bets that were paid in parts exactly what they were
    paid.
    """
    for each in payouts if returns else ():
        ret = returns.get(each.bet)
        counted_minor = merged.get(each.id, each.stake_minor)
        if ret is not None and each.returns_minor != counted_minor * ret.numerator // ret.denominator:
            raise InvariantError(f"The bet {each.id} was paid in a part otherwise than the round's end makes it.")


def _payout(bet: PlacedBet, ret: Fraction | None, merged: Mapping[str, int]) -> Payout | None:
    if ret is None:
        return None
    returns_minor = merged.get(bet.id, bet.stake_minor) * ret.numerator // ret.denominator
    return Payout(bet.id, bet.bet, bet.account, bet.stake_minor, returns_minor, currency=bet.currency)


def part_transfers(
    moves: PartMoves, purse: Purse, revision: int, policies: Mapping[str, str], holding: Holding
) -> tuple[tuple[Transfer, ...], tuple[Short, ...]]:
    """The transfers of a part, and what purses did not cover of what it takes back."""
    taken, shorts = correcting(_gains_first(moves.changed), purse, revision, policies, holding)
    return (*taken, *settling_transfers(moves.paid, purse, revision)), shorts


def _gains_first(changed: Sequence[Difference]) -> tuple[Difference, ...]:
    return tuple(sorted((one for one in changed if _moves_money(one)), key=lambda one: one.take_minor > 0))


def _moves_money(one: Difference) -> bool:
    return one.after is None or one.after.returns_minor != one.before.returns_minor
