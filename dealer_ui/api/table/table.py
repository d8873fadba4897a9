"""Tells of tables: the list, one table as it stands, its last results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field

from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Asked
from dealer_ui.api.shape.field import DIGITS, READ
from dealer_ui.api.shape.table import Results, Tables, TableTold
from dealer_ui.api.table.state import public_state, result, table_line
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.views.shape import TableView

RESULTS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class ResultsAsked:
    """How many of the last results are asked for."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    limit: Annotated[int, Field(ge=1, le=RESULTS_MAX), DIGITS] = 20
    """So many at most."""


RESULTS: Final = Asked(ResultsAsked)


@dataclass(frozen=True, slots=True)
class TableDesk:
    floor: OperatorsFloor

    def tables(self, operator: str) -> Tables:
        """All tables, in short."""
        lines = [table_line(self.floor.view(table)) for table in self.floor.tables]
        return {"tables": lines, "now_ms": self.floor.now_ms()}

    def table(self, operator: str, table: str) -> TableTold:
        """One table as the public sees it."""
        view = find_view(self.floor, table)
        return {**public_state(view), "seq": view.seq, "now_ms": self.floor.now_ms()}

    def results(self, operator: str, table: str) -> Results:
        """The last results, newest first."""
        limit = RESULTS.read().limit
        newest = sorted(find_view(self.floor, table).past.results, key=lambda result: result.number, reverse=True)
        return {"table": table, "results": [result(view) for view in newest[:limit]]}


def find_view(floor: OperatorsFloor, table: str) -> TableView:
    need_table(floor, table)
    return floor.view(table)


def need_table(floor: OperatorsFloor, table: str) -> None:
    """`AnswerError` where there is no such table here."""
    if table not in floor.tables:
        sentence = f"There is no table '{table[:64]}' here: the tables are {', '.join(floor.tables)}."
        raise AnswerError(404, "unknown_table", sentence)
