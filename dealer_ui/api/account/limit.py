"""What an operator may: of credit in all, and of bets and exposure at each table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dealer_ui.api.shape.account import Limits, TableLimits
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.views.shape import ExposureView, TableView


@dataclass(frozen=True, slots=True)
class LimitDesk:
    floor: OperatorsFloor

    def limits(self, operator: str) -> Limits:
        """What was agreed with you, and how much of it is used."""
        credit = self.floor.config.credit_of(operator)
        purses = self.floor.reader().purses_of(operator)
        return {
            "currency": credit.currency,
            "deposit_most": credit.deposit_most_minor,
            "credit": {"held": credit.worth_minor(purses), "most": credit.credit_most_minor, "purses": dict(purses)},
            "tables": list(self._tables(operator)),
        }

    def _tables(self, operator: str) -> Iterator[TableLimits]:
        for table in self.floor.tables:
            view = self.floor.view(table)
            if view.bets.exposure is not None:
                yield _table(view, view.bets.exposure, operator)


def _table(view: TableView, exposure: ExposureView, operator: str) -> TableLimits:
    own = exposure.of(operator)
    return {
        "table": view.table,
        "currency": view.bets.currency,
        "round": view.round.id or None,
        "bets": {"placed": own.bets, "most": own.limit.bets_most or None},
        "exposure": {"now": own.now_minor, "most": own.limit.exposure_most_minor or None},
        "table_exposure_most": exposure.most_minor or None,
    }
