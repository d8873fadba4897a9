"""Tells of tables: the list, one table as it stands, its last results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import Response

from dealer_ui.api.answer import AnswerError, read_limit, say
from dealer_ui.api.state import public_state, result, table_line
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.views.shape import TableView

RESULTS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class TableDesk:
    floor: OperatorsFloor

    def tables(self, operator: str) -> Response:
        lines = [table_line(self.floor.view(table)) for table in self.floor.tables]
        return say({"tables": lines, "now_ms": self.floor.now_ms()})

    def table(self, operator: str, table: str) -> Response:
        view = find_view(self.floor, table)
        return say({**public_state(view), "seq": view.seq, "now_ms": self.floor.now_ms()})

    def results(self, operator: str, table: str) -> Response:
        """The last results, newest first."""
        limit = read_limit(20, RESULTS_MAX)
        newest = sorted(find_view(self.floor, table).results, key=lambda result: result.number, reverse=True)
        return say({"table": table, "results": [result(view) for view in newest[:limit]]})


def find_view(floor: OperatorsFloor, table: str) -> TableView:
    if table not in floor.tables:
        sentence = f"There is no table '{table[:64]}' here: the tables are {', '.join(floor.tables)}."
        raise AnswerError(404, "unknown_table", sentence)
    return floor.view(table)
