"""A studio's own rows, read from a file and checked: what cannot rule is not taken.

    [[rows]]
    id = "OWN1"
    kinds = ["exposed_card"]
    games = ["holdem_bonus"]                    # all games, where nothing is said
    when = "the dealer's first card, in the deal"
    if = "phase in dealing; count = 1"          # see `notation`
    ruling = "pit_decides"
    options = ["continue", "void_round"]
    text = "The dealer's first card was seen: the pit boss goes on or voids the round."
    text_ja = "…"
    instead_of = ["HG3"]                        # rows that ship, and that this one replaces

Every mistake is told with the file, the line and the row.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from studio.errors import BadInputError
from studio.procedures.check import Hidden, hidden_rows, wrong_rows
from studio.procedures.record import Records, RowRecord, in_force, row_from
from studio.procedures.rule import BY_GAME, PROCEDURES
from studio.text_file import read_toml

LANGUAGES: Final = ("ja", "id")
ROWS_MAX: Final = 100
TEXT_MAX: Final = 1_000
_TEXTS: Final = ("id", "when", "if", "ruling", "approval", "text", *(f"text_{tag}" for tag in LANGUAGES))
_LISTS: Final = ("kinds", "games", "options", "afterwards", "arguments", "instead_of")
_NEEDED: Final = ("id", "kinds", "when", "ruling", "text")
_ID: Final = re.compile(r"[A-Z][A-Z0-9-]{0,11}")


def read_own_rows(text: str, file: str) -> Records:
    """The rows of a file, each of which can rule at the games it serves; `BadInputError` names the first mistake."""
    try:
        told = read_toml(text, file)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"This is not valid TOML: {error}.", where=file) from error
    blocks = told.pop("rows", None)
    if told or not isinstance(blocks, list) or not all(isinstance(one, dict) for one in blocks):
        raise BadInputError("A file of procedures holds [[rows]] blocks and nothing else.", where=file)
    if len(blocks) > ROWS_MAX:
        raise BadInputError(f"There are {len(blocks)} rows; {ROWS_MAX} are the most.", where=file)
    place = _Place(file, text)
    records: list[RowRecord] = []
    for at, block in enumerate(blocks):
        records.append(_record(block, at, place))
        if records[-1].id in [one.id for one in records[:at]] and not _is_branch(records):
            raise place.wrong(at, records[-1].id, "the branches of one row stand one after the other.")
    _check_whole(tuple(records), place)
    return tuple(records)


def _is_branch(records: list[RowRecord]) -> bool:
    return records[-2].id == records[-1].id


class _Place:
    """Where a row stands in its file."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        lines = text.splitlines()
        self._lines = [at for at, line in enumerate(lines, 1) if re.match(r"\s*\[\[\s*rows\s*\]\]", line)]

    def wrong(self, at: int, row: str, what: str) -> BadInputError:
        line = self._lines[at] if at < len(self._lines) else 1
        return BadInputError(f"Row {row}: {what}", where=f"{self._file}, line {line}")


def _record(block: Mapping[str, Any], at: int, place: _Place) -> RowRecord:
    name = str(block.get("id", at + 1))
    if wrong := next(_wrong_keys(block), ""):
        raise place.wrong(at, name, wrong)
    record = RowRecord(
        id=block["id"], kinds=tuple(block["kinds"]), when=block["when"], conditions=block.get("if", ""),
        ruling=block["ruling"], text=block["text"], options=tuple(block.get("options", ())),
        approval=block.get("approval", ""), afterwards=tuple(block.get("afterwards", ())),
        arguments=tuple(block.get("arguments", ())), games=tuple(block.get("games", ())),
        words=tuple((tag, block[f"text_{tag}"]) for tag in LANGUAGES if f"text_{tag}" in block),
        instead_of=tuple(block.get("instead_of", ())),
    )  # fmt: skip
    try:
        row_from(record)
    except BadInputError as error:
        raise place.wrong(at, name, error.sentence) from error
    if unknown := next((game for game in record.games if game not in BY_GAME), ""):
        raise place.wrong(at, name, f"there is no game '{unknown}'. The games are: {', '.join(BY_GAME)}.")
    return record


def _wrong_keys(block: Mapping[str, Any]) -> Iterator[str]:
    for key in _NEEDED:
        if key not in block:
            yield f"it says nothing under '{key}'."
    for key, value in block.items():
        if key in _TEXTS and not (isinstance(value, str) and value.strip() and len(value) <= TEXT_MAX):
            yield f"under '{key}' stands a text of {TEXT_MAX} characters at the most."
        elif key in _LISTS and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            yield f"under '{key}' stands a list of words."
        elif key not in (*_TEXTS, *_LISTS):
            yield f"there is no key '{key}'. The keys are: {', '.join((*_TEXTS, *_LISTS))}."
    if not block["kinds"]:
        yield "it names no kind of incident."
    if not _ID.fullmatch(str(block["id"])):
        yield "its id is up to twelve capital letters, digits and dashes, and begins with a letter."


def _check_whole(records: Records, place: _Place) -> None:
    """Ids that ship are not taken, what is replaced is there, and every row rules somewhere in each game it serves."""
    shipped = {row.id for procedures in PROCEDURES for row in procedures.rows}
    ids = [record.id for record in records]
    for at, record in enumerate(records):
        if record.id in shipped:
            raise place.wrong(at, record.id, "a row that ships is called so; give yours a name of its own.")
        if unknown := next((one for one in record.instead_of if one not in shipped), ""):
            raise place.wrong(at, record.id, f"it stands instead of '{unknown}', and no row that ships is called so.")
    for game in BY_GAME:
        _check_at(game, records, ids, place)


def _check_at(game: str, records: Records, ids: list[str], place: _Place) -> None:
    """No row is hidden at this game that is not hidden there already by those that ship."""
    ships, served = BY_GAME[game], in_force(game, records)
    mine = [record for record in records if not record.games or game in record.games]
    for wrong in wrong_rows(served.rows[: len(mine)], ships.boxes):
        name, rest = wrong.split(": ", 1)
        raise place.wrong(ids.index(name), name, rest)
    for kind in dict.fromkeys(kind for record in mine for kind in record.kinds):
        try:
            before = {(one.row, one.when) for one in hidden_rows(ships.rows, kind, ships.dealt_after_bets)}
            found = [one for one in hidden_rows(served.rows, kind, ships.dealt_after_bets)]
        except BadInputError as error:
            raise place.wrong(0, mine[0].id, error.sentence) from error
        for one in found:
            if (one.row, one.when) not in before:
                raise _hides(one, ids, place, game)


def _hides(one: Hidden, ids: list[str], place: _Place, game: str) -> BadInputError:
    """The complaint about a row that another hides, at the line of the house's own file: that of the hidden row, or,
    where the hidden row ships with the house, that of the own row which hides it.
    """
    if one.row in ids:
        return place.wrong(ids.index(one.row), one.row, f"{one.sentence} (at {game})")
    own = next(id for id in one.by if id in ids)
    return place.wrong(
        ids.index(own), own, f'{one.sentence} If that is meant, say instead_of = ["{one.row}"]. ({game})'
    )
