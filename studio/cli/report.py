"""The only place for `studio report`: any report over a database, as a table, CSV or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, tzinfo
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
from rich.console import Console
from rich.table import Table

from studio.errors import BadInputError
from studio.games import find_game
from studio.journal import Reader
from studio.money import format_minor
from studio.proof.certificate_folder import SHIPPED, Certificates
from studio.reports import Asked, Cell, Choice, Expected, GamingDay, Money, Report, Sheet, Sort, cut, find_kind
from studio.reports.csv_sheet import iso, plain, write_csv
from studio.reports.people import names_of_staff
from studio.reports.subject import require_subject
from studio.reports.theory import expected_of

_SECOND_MS: Final = 1000
_YEARS: Final = range(1971, 3000)


@click.command("report")
@click.argument("kind", metavar="KIND")
@click.option("--db", required=True, type=click.Path(path_type=Path), help="The studio's database.")
@click.option("--from", "begin", metavar="MOMENT", help="From when on, as in 2026-01-31 or 2026-01-31T18:00.")
@click.option("--to", "end", metavar="MOMENT", help="Until when, not included.")
@click.option("--day", metavar="DATE", help="One gaming day, instead of --from and --to.")
@click.option("--zone", default="UTC", show_default=True, help="Of moments that name none, and of the gaming day.")
@click.option("--day-begins", default="00:00", show_default=True, help="When a gaming day begins.")
@click.option("--table", default="", help="Of this table only; --game, --dealer, --operator likewise.")
@click.option("--game", default="")
@click.option("--dealer", default="", metavar="ID")
@click.option("--operator", default="")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write CSV; a file for each of its tables.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(kind: str, db: Path, csv_file: Path | None, *, as_json: bool, **told: Any) -> None:
    """Make a report: KIND is incident, exception, shift, closing, table, dealer, returns, cards, decks or uptime.

    Nothing is written to the database, and a studio may be at work on it.
    """
    try:
        report = _made(kind, db, told)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    if csv_file is not None:
        _write(report, csv_file)
    elif as_json:
        click.echo(json.dumps(_plain(report), ensure_ascii=False))
    else:
        _show(report)


def _made(kind: str, db: Path, told: Mapping[str, Any]) -> Report:
    found = find_kind(kind)
    day = GamingDay(_clock(told["day_begins"]), _zone(told["zone"]))
    begin, end = _span(told, day)
    choice = Choice(told["table"], told["game"], told["dealer"], told["operator"])
    certificates = Certificates.of(SHIPPED)

    def theory(game: str, version: int, rules: Mapping[str, Any]) -> Sequence[Expected]:
        rulebook = find_game(game)
        certificate = certificates.find(rulebook, rules) if rulebook.has_figures_of(version) else None
        return expected_of(certificate.figures) if certificate else ()

    with Reader.open(db) as reader:
        require_subject(reader, found, choice)
        period = cut(reader, begin, end)
        return found.make(Asked(reader, period, choice, names_of_staff(reader), theory, day))


def _span(told: Mapping[str, Any], day: GamingDay) -> tuple[int | None, int | None]:
    if told["day"]:
        if told["begin"] or told["end"]:
            raise BadInputError("Give either --day, or --from and --to.")
        return day.span_ms(_moment(told["day"], UTC).date())
    begin, end = (_moment(told[name], day.zone) if told[name] else None for name in ("begin", "end"))
    return tuple(None if one is None else int(one.timestamp() * _SECOND_MS) for one in (begin, end))  # type: ignore[return-value]


def _moment(text: str, zone: tzinfo) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadInputError(f"'{text}' is no moment: write it as 2026-01-31 or 2026-01-31T18:00.") from None
    if found.year not in _YEARS:
        raise BadInputError(f"'{text}' is no moment of a studio: name a year from {_YEARS[0]} to {_YEARS[-1]}.")
    return found if found.tzinfo else found.replace(tzinfo=zone)


def _clock(text: str) -> time:
    try:
        found = time.fromisoformat(text)
    except ValueError:
        raise BadInputError(f"'{text}' is no time of day: write it as 06:00.") from None
    if found.tzinfo is not None:
        raise BadInputError(f"'{text}' names a zone of its own: write it as 06:00, and the zone with --zone.")
    return found


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInputError(f"There is no zone '{name}': write it as in Asia/Makassar.") from None


def _write(report: Report, file: Path) -> None:
    """One file where there is one sheet; else one a sheet, its key before the suffix."""
    for sheet in report.sheets:
        path = file if len(report.sheets) == 1 else file.with_name(f"{file.stem}-{sheet.key}{file.suffix or '.csv'}")
        try:
            path.write_text(write_csv(sheet), encoding="utf-8", newline="")
        except OSError as error:
            raise click.ClickException(f"{path}: It cannot be written: {error.strerror}.") from None
        click.echo(str(path))


def _plain(report: Report) -> dict[str, Any]:
    return {
        "report": report.kind,
        "from": iso(report.begin_ms),
        "to": iso(report.end_ms),
        "journal": {"seq": report.head.seq, "hash": report.head.hash},
        "ledger": {"seq": report.ledger_head.seq, "hash": report.ledger_head.hash},
        "sheets": {sheet.key: _plain_sheet(sheet) for sheet in report.sheets},
    }


def _plain_sheet(sheet: Sheet) -> dict[str, Any]:
    rows = [
        {column.key: plain(cell, column) for column, cell in zip(sheet.columns, row, strict=True)} for row in sheet.rows
    ]
    return {"rows": rows, "notes": [note.english for note in sheet.notes]}


def _show(report: Report) -> None:
    console = Console(markup=False, emoji=False, highlight=False)
    console.print(f"{report.kind}: {iso(report.begin_ms)} to {iso(report.end_ms)}")
    for sheet in report.sheets:
        drawn = Table(title=sheet.key, title_justify="left")
        for column in sheet.columns:
            right = column.sort not in (Sort.TEXT, Sort.KEY, Sort.MOMENT, Sort.DAY)
            drawn.add_column(column.key, justify="right" if right else "left")
        for row in sheet.rows:
            drawn.add_row(*(_word(cell, column.sort) for cell, column in zip(row, sheet.columns, strict=True)))
        console.print(drawn)
        for note in sheet.notes:
            console.print(f"{'! ' if note.loud else ''}{note.english}")
    console.print(f"Journal up to row {report.head.seq}, {report.head.hash}")
    console.print(f"Ledger up to row {report.ledger_head.seq}, {report.ledger_head.hash}")


def _word(cell: Cell, sort: Sort) -> str:
    match cell, sort:
        case None, _:
            return ""
        case Money(amount, currency), _:
            return format_minor(amount, currency)
        case int(), Sort.MOMENT | Sort.DAY:
            return iso(cell)
        case int(), Sort.LENGTH:
            return f"{cell / _SECOND_MS:.1f} s"
        case int() | float(), Sort.SHARE:
            return f"{cell:.2%}"
        case float(), Sort.CHANCE:
            return f"{cell:.4f}"
        case float(), _:
            return f"{cell:.2f}"
    return str(cell)
