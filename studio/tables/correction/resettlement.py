"""Pays an approved correction: the pot first, then chunk by chunk, resumable, exactly once.

What a won pot gives lies ready before any bet is done; what it has back is gathered first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from studio.errors import InvariantError
from studio.journal import Balances
from studio.settlement import CHUNK_BETS, Difference, correcting, may_owe
from studio.tables.books.pot_feed import Clawing, Paid
from studio.tables.correction.pot_claim import PotStep, after_bets, before_bets
from studio.tables.correction.preview import WeighedCorrection, weigh
from studio.tables.event import table as e
from studio.tables.past.dossier import Dossier, DossierOf
from studio.tables.state.aftermath import Correction


class Corrector:
    """Pays the corrections of one table. It keeps the round's dossier and the weighed correction while that is being
    paid.
    """

    __slots__ = ("_dossier", "_dossier_of", "_weighed")

    def __init__(self, dossier_of: DossierOf | None) -> None:
        self._dossier_of = dossier_of
        self._dossier: Dossier | None = None
        self._weighed: tuple[str, WeighedCorrection] | None = None

    def remember(self, dossier: Dossier) -> None:
        """Keep the dossier that was just approved, so that it need not be read again."""
        self._dossier = dossier

    def next(self, correction: Correction) -> Clawing:
        """The next step of an approved correction."""
        dossier = self._found(correction)
        weighed = self._weigh(correction, dossier)
        first = before_bets(dossier, weighed.pot, weighed.revision)
        if first is not None and not correction.pot_moved:
            return Clawing(first)
        last = after_bets(dossier, weighed.pot, weighed.revision)
        left = weighed.differences[correction.moved :]
        if last is not None and not left:
            return Clawing(_closed(last, closing(dossier, weighed)))
        chunk = left[:CHUNK_BETS]
        done = (closing(dossier, weighed),) if last is None and len(chunk) == len(left) else ()

        def moved(balance: Balances) -> Paid:
            return _moved(dossier, correction, chunk, balance, done)

        return Clawing(moved, may_owe(chunk, correction.claw_back))

    def _found(self, correction: Correction) -> Dossier:
        if self._dossier is None or self._dossier.round.id != correction.round:
            if self._dossier_of is None:
                raise InvariantError(f"Round {correction.round} is to be corrected, and nobody can read it.")
            self._dossier = self._dossier_of(correction.round)
        return self._dossier

    def _weigh(self, correction: Correction, dossier: Dossier) -> WeighedCorrection:
        if self._weighed is None or self._weighed[0] != correction.id:
            asked = correction.asked
            self._weighed = (correction.id, weigh(dossier, asked.facts, void=asked.void, pays=asked.pays))
        weighed = self._weighed[1]
        if (weighed.digest, weighed.revision) != (correction.asked.digest, correction.asked.revision):
            raise InvariantError(f"The correction {correction.id} does not come to what was approved.")
        return weighed

    def forget(self) -> None:
        """The correction is done: the dossier is not the round's any more."""
        self._dossier = self._weighed = None


def closing(dossier: Dossier, weighed: WeighedCorrection) -> e.RoundResettled:
    return e.RoundResettled(
        round=dossier.round.id, number=dossier.round.number, revision=weighed.revision, void=weighed.void,
        outcome=dict(weighed.after), before=dict(weighed.before), bets=len(weighed.differences),
        stake_minor=weighed.stake_minor, returns_minor=weighed.returns_minor, digest=weighed.payouts,
    )  # fmt: skip


def _closed(step: PotStep, done: e.RoundResettled) -> Callable[[Balances], Paid]:
    """The pot has back what is the pot's, and with that the correction is done."""

    def moved(balance: Balances) -> Paid:
        told, transfers = step(balance)
        return (*told, done), transfers

    return moved


def _moved(
    dossier: Dossier,
    correction: Correction,
    chunk: Sequence[Difference],
    balance: Balances,
    done: tuple[e.RoundResettled, ...],
) -> Paid:
    transfers, shorts = correcting(chunk, dossier.purse, correction.asked.revision, correction.claw_back, balance)
    told = e.BetsResettled(
        round=correction.round, revision=correction.asked.revision, cursor=correction.moved + len(chunk), shorts=shorts
    )
    return (told, *done), transfers
