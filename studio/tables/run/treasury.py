"""What a table owes, paid step by step: its round, its cases, then a correction."""

from __future__ import annotations

from studio.tables.books.commit import DurableTable
from studio.tables.books.pot_feed import Clawing
from studio.tables.correction.resettlement import Corrector
from studio.tables.past.dossier import Dossier, DossierOf
from studio.tables.payment.round_payment import Cashier, owes_money
from studio.tables.state.table import TableState


class Treasury:
    """`dossier_of` reads a finished round back, for a correction that was cut off."""

    def __init__(self, table: DurableTable, dossier_of: DossierOf | None) -> None:
        self._table = table
        self._weighed: tuple[TableState | None, bool] = (None, False)
        """A state, and whether it owes anything: a table is asked far more often than it changes."""
        self._cashier = Cashier()
        self._corrector = Corrector(dossier_of)

    @property
    def owes(self) -> bool:
        """Whether a step is due now; a disk that takes nothing puts every payment off."""
        state = self._table.state
        if self._weighed[0] is not state:
            correction = state.aftermath.corrections.current
            self._weighed = (state, owes_money(state) or (correction is not None and correction.owes))
        return self._weighed[1] and not self._table.storage_failed

    def pay(self, at_ms: int) -> bool:
        """Pay, give back or correct one chunk; False when there is nothing to do."""
        if not self.owes:
            return False
        if not owes_money(self._table.state):
            return self._correct(at_ms)
        paid = self._cashier.next(self._table.state, self._table.book)
        self._table.now(at_ms)
        if isinstance(paid, Clawing):
            self._table.commit_with(paid.decided, paid.may_owe)
        elif callable(paid):
            self._table.commit_with(paid)
        else:
            self._table.commit(*paid)
        return True

    def remember(self, dossier: Dossier) -> None:
        """The round whose correction was approved just now."""
        self._corrector.remember(dossier)

    def _correct(self, at_ms: int) -> bool:
        """Move one chunk of an approved correction."""
        correction = self._table.state.aftermath.corrections.current
        assert correction is not None
        step = self._corrector.next(correction)
        self._table.now(at_ms)
        self._table.commit_with(step.decided, step.may_owe)
        if self._table.state.aftermath.corrections.current is None:
            self._corrector.forget()
        return True
