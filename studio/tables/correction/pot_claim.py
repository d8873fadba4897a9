"""What a correction of a settled round does to the pot it feeds.

A round that won after all has its share of what lay in the pot when it was settled: the pot gives what it holds today,
the house makes up the rest. A round that did not win after all gives everything back where it came from. The
contribution of a round that is void leaves the pot. What the pot holds is read where it is moved.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any

from studio.errors import InvariantError
from studio.jackpot import (
    divide,
    late_claiming_transfers,
    returning_transfers,
    taken_late,
    unclaiming_transfers,
)
from studio.journal import Balances
from studio.money import Transfer, pot_account
from studio.tables.event import table as e
from studio.tables.past.dossier import Dossier
from studio.tables.state.pot import PotStanding

PotTold = e.PotTakenBack | e.PotClaimedLate | e.PotClaimUndone
PotMoved = tuple[tuple[PotTold, ...], tuple[Transfer, ...]]
PotStep = Callable[[Balances], PotMoved]
"""What is told and moved, once it is known what the pot holds."""


class PotChange(StrEnum):
    """What a correction does to the pot. `LOST`: a win is taken back; `LOST_VOID`: so is the win of a round that is now
    void.
    """

    NONE = "none"
    WON = "won"
    LOST = "lost"
    LOST_VOID = "lost_void"
    UNFED = "unfed"


def pot_change(dossier: Dossier, before: Any, after: Any | None) -> PotChange:
    """What becomes of the pot when the outcome of the round changes from `before` to `after`; None stands for a
    void.
    """
    pot = dossier.round.pot
    if pot is None:
        return PotChange.NONE
    had, has = _wins(dossier, before), after is not None and _wins(dossier, after)
    if had and not has:
        return PotChange.LOST_VOID if after is None else PotChange.LOST
    if has and not had:
        return PotChange.WON
    return PotChange.UNFED if after is None and pot.fed is not None else PotChange.NONE


def _wins(dossier: Dossier, outcome: Any) -> bool:
    return bool(dossier.sharers and dossier.game.pot.pots(dossier.round.rules, outcome))


def before_bets(dossier: Dossier, change: PotChange, revision: int) -> PotStep | None:
    """What is done at the pot before any bet: what the bettors are to have must lie there."""
    match change:
        case PotChange.WON:
            return partial(_claim, dossier, _pot(dossier), revision)
        case PotChange.UNFED:
            return partial(_unfeed, dossier, _pot(dossier), revision)
    return None


def after_bets(dossier: Dossier, change: PotChange, revision: int) -> PotStep | None:
    """What is done when every share lies in the round's prize again."""
    if change in (PotChange.LOST, PotChange.LOST_VOID):
        return partial(_unclaim, dossier, _pot(dossier), revision, void=change is PotChange.LOST_VOID)
    return None


def pot_told(dossier: Dossier, change: PotChange, revision: int, balance: Balances) -> tuple[PotTold, ...]:
    """How a correction would leave the pot, to be shown before it is asked for; empty where the pot stays as it is."""
    steps = (before_bets(dossier, change, revision), after_bets(dossier, change, revision))
    return tuple(one for step in steps if step is not None for one in step(balance)[0])


def _pot(dossier: Dossier) -> PotStanding:
    pot = dossier.round.pot
    if pot is None:
        raise InvariantError(f"Round {dossier.round.id} feeds no pot.")
    return pot


def _held(pot: PotStanding, balance: Balances) -> int:
    return balance(pot_account(pot.terms.key), pot.terms.currency) or 0


def _claim(dossier: Dossier, pot: PotStanding, revision: int, balance: Balances) -> PotMoved:
    terms, then_minor, pot_minor = pot.terms, pot.then_minor or 0, _held(pot, balance)
    share_minor, left_minor = divide(then_minor, dossier.sharers)
    taken = taken_late(terms, then_minor - left_minor, pot_minor)
    told = e.PotClaimedLate(
        round=dossier.round.id, revision=revision, pot=terms.key, currency=terms.currency, then_minor=then_minor,
        pot_minor=pot_minor, sharers=dossier.sharers, share_minor=share_minor, from_pot_minor=taken.from_pot_minor,
        made_up_minor=taken.made_up_minor, reset_minor=taken.reset_minor,
    )  # fmt: skip
    return (told,), late_claiming_transfers(terms, dossier.round.id, taken, revision)


def _unclaim(dossier: Dossier, pot: PotStanding, revision: int, balance: Balances, *, void: bool) -> PotMoved:
    terms, taken, pot_minor = pot.terms, pot.taken, _held(pot, balance)
    if taken is None:
        raise InvariantError(f"Round {dossier.round.id} has nothing of its pot that could go back.")
    reset_back_minor = min(taken.reset_minor, pot_minor + taken.from_pot_minor)
    told = e.PotClaimUndone(
        round=dossier.round.id, revision=revision, pot=terms.key, currency=terms.currency, pot_minor=pot_minor,
        to_pot_minor=taken.from_pot_minor, made_up_minor=taken.made_up_minor, reset_back_minor=reset_back_minor,
        short_minor=taken.reset_minor - reset_back_minor,
    )  # fmt: skip
    moved = unclaiming_transfers(terms, dossier.round.id, taken, reset_back_minor, revision)
    if not void or pot.fed is None:
        return (told,), moved
    left_minor = pot_minor + taken.from_pot_minor - reset_back_minor
    unfed, out = _unfed(dossier, pot, revision, left_minor)
    return (told, *unfed), (*moved, *out)


def _unfeed(dossier: Dossier, pot: PotStanding, revision: int, balance: Balances) -> PotMoved:
    return _unfed(dossier, pot, revision, _held(pot, balance))


def _unfed(dossier: Dossier, pot: PotStanding, revision: int, pot_minor: int) -> PotMoved:
    """Take the round's contribution out of the pot again, as far as the pot covers it: another table may have won it
    meanwhile.
    """
    assert pot.fed is not None
    terms, fed = pot.terms, pot.fed
    back_minor = min(pot_minor, fed.amount_minor)
    told = e.PotTakenBack(
        round=dossier.round.id, revision=revision, pot=terms.key, currency=terms.currency, pot_minor=pot_minor,
        amount_minor=back_minor, short_minor=fed.amount_minor - back_minor,
    )  # fmt: skip
    parts = (fed.amount_minor, fed.parts)
    return (told,), returning_transfers(terms, dossier.round.id, dossier.table, parts, back_minor)
