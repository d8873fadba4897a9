"""Writes the pages of `docs/procedures` from the rows themselves.

`python -m studio.procedures.page docs/procedures` writes them anew; a test compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from studio.procedures.circumstance import FLAGS, NUMBERS, PHASES, WORDS
from studio.procedures.course import course_of
from studio.procedures.incident import KINDS, IncidentKind
from studio.procedures.meaning import AFTERWARDS, RULING_BY_KEY, RULINGS, effective_approval, row_approval
from studio.procedures.row import PIT_DECIDES, ProcedureRow, Refund
from studio.procedures.rule import NO_ROW, PROCEDURES, Procedures
from studio.procedures.step import Step

INDEX = "README.md"


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return pages_of(PROCEDURES)


def pages_of(shown: Sequence[Procedures], *, version: str = "") -> dict[str, str]:
    """The pages of these procedures; of one table's rows they name the version that is in force."""
    of = f"Version {version}." if version else ""
    return {INDEX: _text(_index(of)), **{f"{kind.key}.md": _text(_kind(kind, shown, of)) for kind in KINDS}}


def write(folder: Path) -> None:
    """Write every page into the folder, which exists."""
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


def _index(of: str) -> Iterator[str]:
    yield "# Irregularities: what happened, what is done"
    if of:
        yield of
    yield (
        "Written from the rows the code walks (`python -m studio.procedures.page docs/procedures`); do not edit. "
        "Rows are tried from the top and the first match rules: the game's own, those of the house (†), the game's "
        "catch-alls, those of every table. `studio ruling` answers the same on the command line."
    )
    yield "## Kinds of incident"
    yield _table(
        ("kind", "what happened", "who reports it", "the table"),
        (
            (f"[{kind.label}]({kind.key}.md)", kind.sentence, ", ".join(kind.reporters), _SEVERITY[kind.severity])
            for kind in KINDS
        ),
    )
    yield f"Where no row fits: {NO_ROW.text}"
    yield "## Rulings"
    yield _table(
        ("ruling", "what it does", "what goes back", "who approves, unless a row says otherwise"),
        ((f"`{one.key}`", one.sentence, one.gives_back, _WHO[one.approval]) for one in RULINGS),
    )
    yield (
        "Two people: entering a card by hand; a void once a reveal is done or the result is shown; any change of a "
        "settled round. They are two persons, and the one who approves has pit rights."
    )
    yield "## Circumstances"
    yield f"Phases: {', '.join(f'`{phase}`' for phase in PHASES)}. What is given overrides what the phase implies."
    yield _table(("name", "values", "meaning"), _names())
    yield "What nobody says is unknown, and fulfils no condition that needs it."


def _names() -> Iterator[tuple[str, ...]]:
    for name, meaning in FLAGS.items():
        yield f"`{name}`", "yes, no", meaning
    for name, meaning in NUMBERS.items():
        yield f"`{name}`", "a number", meaning
    for name, words in WORDS.items():
        yield f"`{name}`", ", ".join(words), _WORDS_MEAN[name]
    yield "`<box>_cards`", "a number", "how many cards that box has"


def _kind(kind: IncidentKind, shown: Sequence[Procedures], of: str) -> Iterator[str]:
    yield f"# {kind.label}"
    if of:
        yield of
    yield f"`{kind.key}`: {kind.sentence} Reported by: {', '.join(kind.reporters)}. {_SEVERITY[kind.severity]}."
    for games, rows in _by_games(kind.key, shown).items():
        yield f"## {games}"
        if rows:
            yield _table(("row", "when", "ruling", "who approves", "what is done"), map(_line, rows))
        yield f"Where no row fits: {NO_ROW.text}" if not rows or rows[-1].conditions else "The last row always fits."
        for row in rows:
            yield from _course(row, kind.key)


def _course(row: ProcedureRow, kind: str) -> Iterator[str]:
    """The steps of a row, and of each way that is chosen under it."""
    yield f"### {row.id}: {row.when}"
    steps = course_of(row, kind)
    yield _numbered(steps)
    for way in row.options if row.ruling == PIT_DECIDES else row.options[1:]:
        chosen = replace(row, ruling=way, options=(), approval=effective_approval(way, row))
        more = tuple(step for step in course_of(chosen, kind) if step not in steps)
        if more:
            yield f"`{way}`:\n\n{_numbered(more)}"


def _numbered(steps: Iterable[Step]) -> str:
    return "\n".join(f"{number}. {_STEP_WHO[step.who]}: {step.text}" for number, step in enumerate(steps, 1))


def _by_games(kind: str, shown: Sequence[Procedures]) -> dict[str, tuple[ProcedureRow, ...]]:
    """The rows of this kind by the games that share them."""
    games: dict[tuple[ProcedureRow, ...], list[str]] = {}
    for procedures in shown:
        games.setdefault(tuple(row for row in procedures.rows if kind in row.kinds), []).append(procedures.game)
    return {", ".join(f"`{key}`" for key in keys): rows for rows, keys in games.items()}


def _line(row: ProcedureRow) -> tuple[str, ...]:
    choices = f" ({', '.join(row.options)})" if row.options else ""
    boxes = f" {', '.join(row.arguments)}" if row.arguments else ""
    done = " ".join((row.text, *(AFTERWARDS[key] for key in row.afterwards)))
    return (
        f"{row.id}{'†' if row.every_game else ''}",
        row.when,
        f"{row.ruling}{boxes}{choices}",
        _WHO[row_approval(row)],
        done if RULING_BY_KEY[row.ruling].refund is Refund.NONE else f"{done} {RULING_BY_KEY[row.ruling].gives_back}",
    )


def _table(header: tuple[str, ...], lines: Iterator[tuple[str, ...]] | map[tuple[str, ...]]) -> str:
    rows = (header, tuple("---" for _ in header), *lines)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _text(parts: Iterator[str]) -> str:
    return "\n\n".join(parts) + "\n"


_WHO = {"none": "nobody", "dealer": "the dealer", "pit_boss": "a pit boss", "two_people": "two people"}
_STEP_WHO = {
    "dealer": "Dealer", "pit_boss": "Pit boss", "second": "Second person", "floor": "Technician",
    "shuffler": "Shuffler",
}  # fmt: skip
_SEVERITY = {
    "note": "Told, the deal goes on",
    "attention": "The deal goes on, but it must be answered",
    "hold": "The table is held at once",
}
_WORDS_MEAN = {
    "pattern": "how the whole hand was dealt; `reversed` is Player 3, 2, 1, Banker",
    "moment": "`last`: after the last card; `street`: a future card is known by it",
    "board": "which board cards are concerned (poker room)",
    "drawn_for": "whose third card it was drawn for (Baccarat)",
}

if __name__ == "__main__":
    write(Path(sys.argv[1]))
