"""The page at the end of a soak: what was found wrong, what grew, and what a round and an idle hour cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from soak.figure import FigureBook, Life, Trend, by_life, trends

IDLE_BYTES_A_DAY: Final = 100_000
"""Of one table."""
_SURE_S: Final = 3_600
"""Heartbeats are told after a minute, two, four, up to an hour: a shorter rest says nothing of a day."""


def unbounded(book: FigureBook, tables: int) -> list[str]:
    """A sentence for everything that grows without a bound."""
    grown = [(number, one) for number, samples in by_life(book.samples).items() for one in trends(samples)]
    found = [
        f"Life {number + 1}: {one.name}: {one.early:.1f}, then {one.late:.1f} {one.unit}, {one.per_hour:+.1f} an hour."
        for number, one in grown
        if not one.bounded
    ]
    for life in book.lives:
        if life.kind == "idle" and life.lasted_s >= _SURE_S and _a_day(life, tables) > IDLE_BYTES_A_DAY:
            found.append(f"Life {life.number + 1}: an idle table writes {_a_day(life, tables):,.0f} bytes a day.")
    return found


def _a_day(life: Life, tables: int) -> float:
    return life.bytes / tables / life.counted_s * 86_400


def page(book: FigureBook, tables: Sequence[str]) -> str:
    """The whole page, as Markdown."""
    wrong = [f"Life {life.number + 1}: {what}" for life in book.lives for what in life.wrong]
    grown = unbounded(book, len(tables))
    verdict = "Nothing is wrong, and nothing grows without a bound." if not wrong + grown else "**Not sound.**"
    lines = [
        "# Soak",
        "",
        f"{len(tables)} tables ({', '.join(tables)}), {book.spent_s / 60:.0f} minutes. {verdict}",
        "",
    ]
    lines += [f"- {one}" for one in (*wrong, *grown)]
    return (
        "\n".join([*lines, *_lives(book), *_journal(book, len(tables)), *_grown(book), *_disk(book), *_notes(book)])
        + "\n"
    )


def _lives(book: FigureBook) -> Iterator[str]:
    yield from (
        "",
        "## Lives",
        "",
        "| life | kind | minutes | rounds | rows | bytes a round |",
        "|---|---|---|---|---|---|",
    )
    for life in book.lives:
        a_round = f"{life.bytes / life.rounds:,.0f}" if life.rounds else "–"
        counts = f"{life.lasted_s / 60:.1f} | {life.rounds} | {life.rows} | {a_round}"
        yield f"| {life.number + 1} | {life.kind} | {counts} |"


def _journal(book: FigureBook, tables: int) -> Iterator[str]:
    """Bodies of rows; a row costs some 350 bytes more, with its hash and its indexes."""
    for kind, title in (("long", "A working hour"), ("idle", "An idle hour")):
        for life in [one for one in book.lives if one.kind == kind][-1:]:
            an_hour = life.bytes / life.counted_s * 3600
            yield from ("", f"## {title} (life {life.number + 1})", "")
            yield f"{an_hour / 1000:,.0f} KB in the journal, {an_hour / tables / 1000:,.1f} KB a table. Most of it:"
            yield ""
            yield from (f"- {name}: {rows} rows, {size / 1000:,.1f} KB" for name, rows, size in life.kinds[:8])


def _grown(book: FigureBook) -> Iterator[str]:
    for number, samples in by_life(book.samples).items():
        if found := trends(samples):
            yield from ("", f"## Early and late in life {number + 1}", "")
            yield from ("| figure | early | late | an hour |", "|---|---|---|---|")
            yield from map(_row, found)


def _row(one: Trend) -> str:
    hour = f"{one.per_hour:+.1f}" if one.per_hour else "–"
    return f"| {one.name} | {one.early:,.1f} {one.unit} | {one.late:,.1f} {one.unit} | {hour} |"


def _disk(book: FigureBook) -> Iterator[str]:
    """What lies on the disk at the end of each life that had a look."""
    last = {one.life: one for one in book.samples}
    parts = sorted({part for one in last.values() for part in one.sizes})
    yield from ("", "## On the disk, in KB", "", f"| life | {' | '.join(parts)} |", f"|---|{'---|' * len(parts)}")
    for number, one in last.items():
        yield f"| {number + 1} | {' | '.join(f'{one.sizes.get(part, 0) / 1000:,.0f}' for part in parts)} |"


def _notes(book: FigureBook) -> Iterator[str]:
    yield from ("", "## What happened")
    for life in book.lives:
        if life.notes:
            yield from ("", f"Life {life.number + 1}, {life.kind}:", "")
            yield from (f"- {note}" for note in life.notes)
