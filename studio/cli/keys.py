"""`studio keys`: whether the key file is wrapped, and wrapping it while the studio is stopped."""

from __future__ import annotations

from pathlib import Path

import click

from studio.cli.place import RECORD_FILE
from studio.errors import BadInputError
from studio.journal.keys.keyring import read_keys
from studio.journal.keys.rewrapping import (
    Rewritten,
    rewrite,
    standing,
)
from studio.journal.keys.wrapping import WrappedBy


def source(ctx: click.Context, param: click.Parameter, value: str | None) -> WrappedBy | None:
    """What a person typed, as a callback of click."""
    try:
        return None if value is None else WrappedBy.parse(value)
    except BadInputError as error:
        raise click.BadParameter(error.sentence, ctx, param) from None


_DB = click.argument("db", type=RECORD_FILE, metavar="DB")


_WRAPPED_BY = click.option(
    "--wrapped-by", callback=source, required=True, help="The wrapping key: file:/PATH, env:NAME or command:PROGRAM …"
)


@click.group("keys")
def command() -> None:
    """Wrap the key file of sealed cards, so that a copy of it opens nothing by itself."""


@command.command()
@_DB
@click.option("--wrapped-by", callback=source, help="Also see whether this wrapping key fits.")
def show(db: Path, wrapped_by: WrappedBy | None) -> None:
    """Say whether the key file is wrapped, and who may read it; also while the studio runs."""
    try:
        wrapped, mode = standing(db)
        click.echo(f"The key file of {db} is {'wrapped' if wrapped else 'not wrapped'}, its mode is {mode:o}.")
        if wrapped_by is not None:
            read_keys(db.with_name(f"{db.name}.keys"), (), wrapped_by)
            click.echo(f"The wrapping key of {wrapped_by} fits.")
    except BadInputError as error:
        raise click.ClickException(str(error)) from None


@command.command()
@_DB
@_WRAPPED_BY
def wrap(db: Path, wrapped_by: WrappedBy) -> None:
    """Wrap the key file; the studio must be stopped, and needs the wrapping key from then on."""
    try:
        if standing(db)[0]:
            raise BadInputError("The key file is wrapped already: studio keys rewrap changes its wrapping key.")
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    _say(_rewritten(db, None, wrapped_by))
    click.echo(
        f'Write in its configuration: [keys] wrapped_by = "{wrapped_by.kind}:…". Keep the wrapping key elsewhere.'
    )


@command.command()
@_DB
@_WRAPPED_BY
@click.option("--to", "after", callback=source, required=True, help="The new wrapping key, from such a source too.")
def rewrap(db: Path, wrapped_by: WrappedBy, after: WrappedBy) -> None:
    """Wrap the key file with another wrapping key, under a fresh data key; the studio must be stopped."""
    _say(_rewritten(db, wrapped_by, after))


@command.command()
@_DB
@_WRAPPED_BY
def unwrap(db: Path, wrapped_by: WrappedBy) -> None:
    """Make the key file plain again; the studio must be stopped."""
    _say(_rewritten(db, wrapped_by, None))
    click.echo("Whoever can read it can open cards now: take wrapped_by out of the configuration.")


def _rewritten(db: Path, before: WrappedBy | None, after: WrappedBy | None) -> Rewritten:
    try:
        return rewrite(db, before, after)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None


def _say(done: Rewritten) -> None:
    click.echo(f"The key file was written anew, with {done.kept} keys.")
    if done.torn:
        click.echo(f"Lines that a kill had torn are not in it: {done.torn}. No card of theirs was ever recorded.")
