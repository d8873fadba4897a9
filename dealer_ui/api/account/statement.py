"""A gaming day of an operator as a file: every movement of his bettors' money, to hold against his own books."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import date

from flask import Response

from dealer_ui.api.request.answer import AnswerError
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.reports import GamingDay, cut
from studio.reports.sheet.csv_sheet import iso
from studio.reports.statement.movement import write_lines
from studio.reports.statement.wallet import statement_lines


@dataclass(frozen=True, slots=True)
class StatementDesk:
    floor: OperatorsFloor

    def statement(self, operator: str, day: str) -> Response:
        """The lines of a day that is over, byte for byte as `studio statement --csv` writes them; they never change."""
        studio_day = self.floor.config.studio.gaming_day
        begin_ms, end_ms = studio_day.span_ms(_day(day, studio_day, self.floor.now_ms()))
        file, reader = io.StringIO(newline=""), self.floor.reader()
        write_lines(statement_lines(reader, cut(reader, begin_ms, end_ms), operator), file)
        answer = Response(file.getvalue().encode(), content_type="text/csv; charset=utf-8")
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.headers["Content-Disposition"] = f'attachment; filename="{operator}-{day}.csv"'
        return answer


def _day(text: str, studio_day: GamingDay, now_ms: int) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text or found.year < 1971:
        raise AnswerError(404, "bad_day", "Name a gaming day of the studio as in 2026-01-31.")
    if found >= studio_day.of_ms(now_ms):
        over = "a year to come" if found.year > 2999 else iso(studio_day.span_ms(found)[1])
        sentence = f"The gaming day {text} is not over: ask for its statement after {over}."
        raise AnswerError(409, "day_not_over", sentence)
    return found
