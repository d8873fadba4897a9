"""`studio statement` and `studio reconcile`: an operator's day, and his books held against ours."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from studio.cli.older import reading
from studio.cli.place import PLACE
from studio.cli.span import day_of, span_of, span_options
from studio.errors import BadInputError
from studio.journal import Reader
from studio.journal.place import Place
from studio.money import format_minor
from studio.reports import Period, cut
from studio.reports.sheet.csv_sheet import iso
from studio.reports.statement.movement import StatementLine, Sums, Theirs, held, read_lines, summed, write_lines
from studio.reports.statement.reconciliation import Reconciliation, StatementDifference
from studio.reports.statement.wallet import statement_lines
from studio.reports.subject import require_operator

_SAID: Final = {
    "only_here": "only the studio has", "only_there": "only the operator has", "differs": "differs",
    "twice_there": "the operator has twice", "in_suspense": "in suspense",
}  # fmt: skip


@click.command("statement")
@click.argument("db", type=PLACE, metavar="DB")
@click.option("--operator", required=True, help="Whose bettors.")
@span_options
@click.option(
    "--csv",
    "csv_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the lines there; else they are printed.",
)
def command(db: Place, operator: str, csv_file: Path | None, **told: Any) -> None:
    """List every movement of the money of an operator's bettors, as CSV, by the ids he gave them.

    Where he keeps their money himself: every movement in his wallet, by the ids both sides know it by.
    Then, on standard error, what they had, what moved, by kind, and what they have. A studio may be at work.
    """
    sums: Sums = Counter()
    won_free: Sums = Counter()
    with _reading(db, operator, told) as (reader, period):
        found = summed(statement_lines(reader, period, operator), sums, won_free)
        if csv_file is None:
            write_lines(found, sys.stdout)
        else:
            with csv_file.open("w", encoding="utf-8", newline="") as file:
                write_lines(found, file)
        before, after = (held(reader, operator, seq) for seq in (period.ledger_after, period.ledger_upto))
    _say_period(operator, period)
    for currency in sorted({*before, *after}):
        click.echo(f"  had        {format_minor(before.get(currency, 0), currency)}", err=True)
        for kind, of in sorted(sums):
            if of == currency:
                free = won_free[kind, of]
                told_free = f", {format_minor(free, currency)} of it won with free bets" if free else ""
                click.echo(f"  {kind:<10} {format_minor(sums[kind, of], currency)}{told_free}", err=True)
        click.echo(f"  have       {format_minor(after.get(currency, 0), currency)}", err=True)


@click.command("reconcile")
@click.argument("db", type=PLACE, metavar="DB")
@click.option("--operator", required=True, help="Whose books.")
@click.option("--against", "file", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@span_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def reconcile_command(db: Place, operator: str, file: Path, as_json: bool, **told: Any) -> None:
    """Hold an operator's own file against our books: each difference, then sums. Exit 1 where there is one.

    FILE is CSV as `studio statement` writes it; the columns kind, id, bettor, amount_minor and currency are looked at.
    """
    made, count = Reconciliation(), 0
    with _reading(db, operator, told) as (reader, period), file.open(encoding="utf-8-sig", newline="") as book:
        for one in made.differences(statement_lines(reader, period, operator), read_lines(book, str(file))):
            count += 1
            click.echo(_json(one) if as_json else _sentence(one))
    if as_json:
        click.echo(msgspec.json.encode({"agreed": made.agreed, "differences": count}))
    else:
        _say_period(operator, period)
        _say_sums(made.here, made.there)
        click.echo(f"{made.agreed} transactions agree, {count} do not.")
    if count:
        raise SystemExit(1)


@contextmanager
def _reading(db: Place, operator: str, told: dict[str, Any]) -> Iterator[tuple[Reader, Period]]:
    begin, end = span_of(told, day_of(told))
    with reading(db) as reader:
        require_operator(reader, operator)
        yield reader, cut(reader, begin, end)


def _sentence(one: StatementDifference) -> str:
    line = one.ours if one.ours is not None and one.ours.bettor else one.theirs or one.ours
    assert line is not None
    said = f"{_SAID[one.what]:<23}{line.kind} {line.id} of {line.bettor}: {_amount(line)}"
    if one.ours is not None and one.theirs is not None:
        other = one.theirs
        said += f" here, {_amount(other)}{'' if other.bettor == line.bettor else f' of {other.bettor}'} there"
    return said + (f", round {one.ours.round}" if one.ours is not None and one.ours.round else "")


def _amount(line: StatementLine | Theirs) -> str:
    """Whatever an operator calls a currency."""
    try:
        return format_minor(line.amount_minor, line.currency)
    except BadInputError:
        return f"{line.amount_minor} {line.currency}"


def _json(one: StatementDifference) -> bytes:
    told = {
        "what": one.what,
        "here": asdict(one.ours) if one.ours else None,
        "there": asdict(one.theirs) if one.theirs else None,
    }
    return msgspec.json.encode(told)


def _say_period(operator: str, period: Period) -> None:
    click.echo(f"{operator}, {iso(period.begin_ms)} to {iso(period.end_ms)}", err=True)


def _say_sums(here: Sums, there: Sums) -> None:
    for kind, currency in sorted({*here, *there}):
        ours, theirs = here[kind, currency], there[kind, currency]
        mark = "" if ours == theirs else f", {ours - theirs} apart"
        click.echo(f"  {kind:<10} {currency}  here {ours}, there {theirs}{mark}")
