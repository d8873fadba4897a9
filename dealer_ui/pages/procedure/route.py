"""The pages of the procedures: `/procedure`, and `/procedure/<kind>` with the rows in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.frame.console import Console
from dealer_ui.words.language import Language
from studio.errors import RefusedError
from studio.games import find_game
from studio.procedures import KIND_BY_KEY, KINDS, PIT_DECIDES, RULING_BY_KEY, ProcedureRow, effective_approval
from studio.procedures.course import course_of
from studio.procedures.meaning import row_approval
from studio.procedures.record import in_force, version_in_force
from studio.procedures.rule import words_key
from studio.procedures.step import Step
from studio.views.shape import RowWords, TableView


@dataclass(frozen=True, slots=True)
class RowTold:
    """A row of the procedures as a person reads it: its words, who approves it, its steps, and the steps of each other
    way that may be chosen.
    """

    id: str
    when: str
    text: str
    ruling: str
    approval: str
    refund: str
    steps: tuple[Step, ...]
    ways: tuple[tuple[str, tuple[Step, ...]], ...]


def routes(console: Console) -> Blueprint:
    found = Blueprint("procedure", __name__)

    @found.get("/procedure")
    @needs()
    def index() -> Response:
        table = _table(console)
        return console.plain("procedure/index.html", kinds=KINDS, table=table, **_at(console, table))

    @found.get("/procedure/<kind>")
    @needs()
    def one_kind(kind: str) -> Response:
        if kind not in KIND_BY_KEY:
            abort(404)
        table = _table(console)
        view = console.house.view(table)
        return console.plain(
            "procedure/kind.html", kind=KIND_BY_KEY[kind], table=table, rows=_told(view, kind, console.language()),
            **_at(console, table),
        )  # fmt: skip

    return found


def _table(console: Console) -> str:
    """The table asked for, else the first of the house."""
    wanted = request.args.get("table", "")
    if wanted and wanted not in console.house.tables:
        abort(404)
    return wanted or console.house.tables[0]


def _at(console: Console, table: str) -> dict[str, Any]:
    view = console.house.view(table)
    return {
        "game_title": find_game(view.game.key).title,
        "version": version_in_force(view.game.key, view.game.own_rows),
        "tables": [console.house.view(one) for one in console.house.tables],
    }


def _told(view: TableView, kind: str, language: Language) -> Sequence[RowTold]:
    rows = in_force(view.game.key, view.game.own_rows).rows
    return [_row(view.game.key, row, kind, language) for row in rows if kind in row.kinds]


def _row(game: str, row: ProcedureRow, kind: str, language: Language) -> RowTold:
    key, steps = words_key(game, row.id, row.text), course_of(row, kind)
    ways = row.options if row.ruling == PIT_DECIDES else row.options[1:]
    return RowTold(
        id=row.id,
        when=language.row(RowWords(f"when.{key}" if key else ""), row.when),
        text=language.row(RowWords(f"row.{key}" if key else "", dict(row.words)), row.text),
        ruling=row.ruling,
        approval=str(row_approval(row)),
        refund=str(RULING_BY_KEY[row.ruling].refund),
        steps=steps,
        ways=tuple((way, more) for way in ways if (more := _more(row, way, kind, steps))),
    )


def _more(row: ProcedureRow, way: str, kind: str, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that another ruling under this row would need and `steps` does not list yet."""
    try:
        chosen = replace(row, ruling=way, options=(), approval=effective_approval(way, row))
    except RefusedError:
        return ()
    return tuple(step for step in course_of(chosen, kind) if step not in steps)
