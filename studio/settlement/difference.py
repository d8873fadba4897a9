"""What the correction of a settled round changes: which bets, by how much, and their sums.

The preview a person sees, the money that moves and the audit years later are made from the same differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

import msgspec

from studio.errors import InvariantError
from studio.money import is_promotion, operator_of, purse_account
from studio.settlement.free_bet import own_minor
from studio.settlement.payout import Payout


class Difference(msgspec.Struct, frozen=True, gc=False):
    """One bet that was settled as `before` and is now settled as `after`; where `after` is None, its stake goes back.

    `pending`: the stake goes back into the escrow only, for the round goes on.
    """

    before: Payout
    after: Payout | None
    pending: bool = False

    @property
    def given_minor(self) -> int:
        """What the bettor has been given for this bet in the end; a free stake is given to nobody."""
        if self.after is None:
            return 0 if self.pending or is_promotion(self.before.account) else self.before.stake_minor
        return own_minor(self.after)

    @property
    def purse(self) -> str:
        """Whose purse gets it, or has to give it back."""
        return purse_account(self.before.account)

    @property
    def take_minor(self) -> int:
        """What its bettor has to give back; below zero, what he gets."""
        return own_minor(self.before) - self.given_minor


class CorrectionSum(msgspec.Struct, frozen=True, kw_only=True):
    """What changes for one operator in one currency: so many bettors, so much taken back, so much paid out."""

    operator: str
    currency: str
    bettors: int
    back_minor: int
    out_minor: int


def differences(before: Iterable[Payout | None], after: Iterable[Payout | None]) -> tuple[Difference, ...]:
    """The bets whose return changed, those that win by it first: what a bettor gets covers what he gives back.

    `before` and `after` are the same bets in the same order; None is one whose stake went back, and it stays back.
    """
    found: list[Difference] = []
    for old, new in zip(before, after, strict=True):
        if old is None:
            continue
        if new is None:
            found.append(Difference(old, None))
            continue
        if (old.id, old.account, old.stake_minor) != (new.id, new.account, new.stake_minor):
            raise InvariantError(f"Bet {new.id} cannot be resettled: it stands where bet {old.id} was settled.")
        if old.returns_minor != new.returns_minor:
            found.append(Difference(old, new))
    return _gains_first(found)


def sums_of(found: Iterable[Difference], own: str) -> tuple[CorrectionSum, ...]:
    """By operator and currency; `own` is the table's."""
    moved: dict[tuple[str, str], list[int]] = {}
    whose: dict[tuple[str, str], set[str]] = {}
    for one in found:
        key = (operator_of(one.before.account), one.before.currency or own)
        back, out = moved.setdefault(key, [0, 0])
        moved[key] = [back + max(one.take_minor, 0), out + max(-one.take_minor, 0)]
        if one.take_minor:
            whose.setdefault(key, set()).add(one.purse)
    return tuple(
        CorrectionSum(operator=operator, currency=currency, bettors=len(whose.get((operator, currency), ())),
                      back_minor=back, out_minor=out)
        for (operator, currency), (back, out) in sorted(moved.items())
    )  # fmt: skip


def differences_digest(found: Iterable[Difference]) -> str:
    """SHA-256 over the differences, one canonical line each: what two people have agreed to.

    A line is the compact JSON array of bet id, account, stake, return before, and return after or null.
    """
    digest = sha256()
    encode = msgspec.json.Encoder().encode
    for one in found:
        old, new = one.before, one.after
        line = (old.id, old.account, old.stake_minor, old.returns_minor, new.returns_minor if new else None)
        digest.update(encode(line) + b"\n")
    return digest.hexdigest()


def _gains_first(found: Sequence[Difference]) -> tuple[Difference, ...]:
    return tuple(sorted(found, key=lambda one: one.take_minor > 0))
