"""`studio procedures`: a studio's own rows are checked, and the pages of a table's rows written."""

from __future__ import annotations

import tomllib
from pathlib import Path

import click

from studio.errors import BadInputError
from studio.procedures.own import read_own_rows
from studio.procedures.page import pages_of
from studio.procedures.record import Records, in_force, version_in_force
from studio.text_file import read_text, read_toml


def own_rows(path: Path) -> Records:
    """The rows of a file; `BadInputError` with file, line and row where one is wrong."""
    return read_own_rows(read_text(path), str(path))


def table_rows(config: Path, table: str) -> tuple[str, Records]:
    """The game of a table in a configuration file, and its own rows; the file of the rows lies beside it."""
    try:
        told = read_toml(read_text(config), str(config))
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"This is not valid TOML: {error}.", where=str(config)) from error
    tables = [one for one in told.get("tables", ()) if isinstance(one, dict)]
    found = next((one for one in tables if not table or one.get("key") == table), None)
    if found is None:
        known = ", ".join(str(one.get("key")) for one in tables) or "none"
        raise BadInputError(f"There is no table '{table}'. The tables are: {known}.", where=str(config))
    file = found.get("procedures", "")
    return str(found.get("game", "")), own_rows(config.parent / file) if file else ()


@click.group("procedures")
def command() -> None:
    """A studio's own rows of procedures."""


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Read a file of rows, and say what is wrong with it: file, line and row."""
    try:
        rows = own_rows(file)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{file}: {len(rows)} rows, and each of them can rule.")
    for row in rows:
        games = ", ".join(row.games) or "every game"
        instead = f", instead of {', '.join(row.instead_of)}" if row.instead_of else ""
        click.echo(f"  {row.id}  {', '.join(row.kinds)}: {row.ruling} ({games}){instead}")


@command.command("page")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--config", required=True, type=click.Path(path_type=Path), help="The studio's configuration file.")
@click.option("--table", default="", metavar="KEY", help="The table whose rows are printed; the first of the file.")
def page(folder: Path, config: Path, table: str) -> None:
    """Write the pages of the rows in force at a table, one a kind of incident, to be printed."""
    try:
        game, own = table_rows(config, table.strip())
        procedures = in_force(game, own)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages_of((procedures,), version=version_in_force(game, own)).items():
        (folder / name).write_text(text, encoding="utf-8")
    click.echo(f"{folder}: the procedures of {game}, version {version_in_force(game, own)}.")
