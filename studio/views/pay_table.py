"""What screens show of the proof behind a table's pay table."""

from __future__ import annotations

from dataclasses import replace

from studio.tables.deal.pay_table import pay_table_trouble
from studio.tables.state.table import TableState
from studio.views.shape import PayTableView


def view_pay_table(state: TableState) -> PayTableView:
    proof, trouble = state.config.proof, pay_table_trouble(state.config)
    shown = PayTableView(trouble=trouble.key if trouble else "", allowed_by=state.pit.terms.allowed_by)
    if proof is None:
        return shown
    return replace(
        shown,
        certificate=proof.certificate,
        highest_bet=proof.highest_bet,
        highest_percent=proof.highest_percent,
        over=proof.over,
    )
