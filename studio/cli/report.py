"""`studio report`: any report over a database, as a table, CSV or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table

from studio.cli.drawn_table import print_table
from studio.cli.older import reading
from studio.cli.place import PLACE
from studio.cli.span import day_of, span_of, span_options
from studio.errors import BadInputError
from studio.journal.place import Place
from studio.money import format_minor, parse_amount
from studio.proof.certificate.folder import SHIPPED, Certificates
from studio.reports import Cell, Money, Regard, Report, ReportAsked, ReportChoice, ReportSheet, Sort, cut, find_kind
from studio.reports.sheet.csv_sheet import iso, plain, write_csv
from studio.reports.subject import names_of_staff, require_subject
from studio.reports.theory import Proved

_SECOND_MS: Final = 1000


@click.command("report")
@click.argument("kind", metavar="KIND")
@click.option("--db", required=True, type=PLACE, help="The studio's database: a file or an address.")
@span_options
@click.option("--table", default="", help="Of this table only; --game, --dealer, --operator likewise.")
@click.option("--game", default="")
@click.option("--dealer", default="", metavar="ID")
@click.option("--operator", default="")
@click.option(
    "--large", multiple=True, metavar="SUM", help="Of significant: from how much on a sum is, as in EUR=5000.00."
)
@click.option(
    "--csv",
    "csv_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write CSV; a file for each of its tables.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(kind: str, db: Place, csv_file: Path | None, *, as_json: bool, **told: Any) -> None:
    """Make a report: KIND is incident, exception, significant, access, shift, closing, purses, table, dealer,
    collusion, returns, cards, decks or uptime.

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


def _made(kind: str, db: Place, told: Mapping[str, Any]) -> Report:
    found = find_kind(kind)
    day = day_of(told)
    begin, end = span_of(told, day)
    choice = ReportChoice(told["table"], told["game"], told["dealer"], told["operator"])
    regard = Regard(dict(_large(one) for one in told["large"]))
    theory = Proved(Certificates.of(SHIPPED))
    with reading(db) as reader:
        require_subject(reader, found, choice)
        period = cut(reader, begin, end)
        return found.make(ReportAsked(reader, period, choice, names_of_staff(reader), theory, day, regard))


def _large(text: str) -> tuple[str, int]:
    currency, _, amount = text.partition("=")
    try:
        return currency, parse_amount(amount, currency)
    except BadInputError:
        raise BadInputError(f"'{text}' is no sum: write currency and amount, as in EUR=5000.00.") from None


def _write(report: Report, file: Path) -> None:
    """Write the report: a single sheet to the file itself, several to a file each, with the sheet's key before the
    suffix.
    """
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


def _plain_sheet(sheet: ReportSheet) -> dict[str, Any]:
    rows = [
        {column.key: plain(cell, column) for column, cell in zip(sheet.columns, row, strict=True)} for row in sheet.rows
    ]
    return {"rows": rows, "notes": [note.english for note in sheet.notes]}


def _show(report: Report) -> None:
    click.echo(f"{report.kind}: {iso(report.begin_ms)} to {iso(report.end_ms)}")
    for sheet in report.sheets:
        drawn = Table(title=sheet.key, title_justify="left")
        for column in sheet.columns:
            right = column.sort not in (Sort.TEXT, Sort.KEY, Sort.MOMENT, Sort.DAY)
            drawn.add_column(column.key, justify="right" if right else "left")
        for row in sheet.rows:
            drawn.add_row(*(_word(cell, column.sort) for cell, column in zip(row, sheet.columns, strict=True)))
        print_table(drawn)
        for note in sheet.notes:
            click.echo(f"{'! ' if note.loud else ''}{note.english}")
    click.echo(f"Journal up to row {report.head.seq}, {report.head.hash}")
    click.echo(f"Ledger up to row {report.ledger_head.seq}, {report.ledger_head.hash}")


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
