"""What a report may be narrowed to: the tables, games, people and operators that a record knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from studio.errors import BadInputError
from studio.games import find_game
from studio.journal import Reader
from studio.reports.kind import ReportKind
from studio.reports.record.choice import ReportChoice


class _Person(msgspec.Struct):
    id: str
    name: str


class _Added(msgspec.Struct):
    staff: _Person


_DECODER: Final = msgspec.json.Decoder(_Added)


def names_of_staff(reader: Reader) -> dict[str, str]:
    """By their ids; reads the whole journal, so whoever has the register should rather ask it."""
    found = (_DECODER.decode(row.body).staff for row in reader.events(kinds=("StaffAdded",)))
    return {person.id: person.name for person in found}


_TABLES: Final = "SELECT DISTINCT \"table\" FROM journal WHERE kind = 'TableConfigured' ORDER BY 1"
_OPERATORS: Final = """
SELECT substr(account, 10) FROM balance WHERE substr(account, 1, 9) = 'operator:'
UNION SELECT operator FROM bet ORDER BY 1
"""
_AT_TABLES: Final = """
SELECT DISTINCT json_extract(body, '$.event.dealer') FROM journal
WHERE kind IN ('TableOpened', 'DealerChanged', 'DealerRelieved', 'RoundStarted') AND "table" IS NOT NULL
UNION SELECT DISTINCT json_extract(body, '$.event.by') FROM journal WHERE kind = 'TableOpened'
"""
"""People of a record that keeps no register of staff."""


def require_subject(reader: Reader, kind: ReportKind, choice: ReportChoice) -> None:
    """`BadInputError` where this report cannot be narrowed so, or the record knows no table, game, … of that name."""
    for name in ("table", "game", "dealer", "operator"):
        if getattr(choice, name) and name not in kind.narrows:
            may = " and ".join(f"--{one}" for one in kind.narrows)
            raise BadInputError(f"The report {kind.key} cannot be made of one {name}: it takes {may}.")
    require_known(reader, choice)


def require_known(reader: Reader, choice: ReportChoice) -> None:
    """`BadInputError` where the record knows no table, game, … of that name."""
    if choice.game:
        find_game(choice.game)
    if choice.table:
        _require("table", choice.table, _column(reader, _TABLES))
    if choice.operator:
        require_operator(reader, choice.operator)
    if choice.dealer and choice.dealer not in (staff := names_of_staff(reader)):
        others = [one for one in _column(reader, _AT_TABLES) if one not in staff]
        _require("dealer", choice.dealer, others, [*(f"{id} ({name})" for id, name in staff.items()), *others])


def require_operator(reader: Reader, operator: str) -> None:
    """`BadInputError` where the record knows no operator of that name."""
    _require("operator", operator, _column(reader, _OPERATORS))


def _require(what: str, asked: str, known: Iterable[str], said: Iterable[str] | None = None) -> None:
    if asked not in known:
        there = ", ".join(known if said is None else said) or "none"
        raise BadInputError(f"There is no {what} '{asked}' in this record. It has: {there}.")


def _column(reader: Reader, sql: str) -> list[str]:
    return [str(value) for (value,) in reader.read(sql, ()) if value]
