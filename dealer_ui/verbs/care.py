"""`studio care retention`: what may expire, and having it expire while the studio is stopped."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click

from dealer_ui.care.retention_desk import PictureFolder, expire, keep_of, look
from dealer_ui.config.file import load_config, record_file
from studio.care.retention import RetentionPlan
from studio.cli.care import command as group
from studio.errors import BadInputError, StorageError
from studio.journal import Reader, Store, Writer

_BY_ITSELF: Final = (
    "The record is in PostgreSQL: the host that keeps the desk deletes by itself, every day, what is due. Nothing is to"
    " be done by hand."
)


@click.command()
@click.option("--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--dry-run", is_flag=True, help="Only say what would be deleted; also while the studio runs.")
def retention(path: Path, dry_run: bool) -> None:
    """Delete the pictures whose days are over, by the configuration; each deletion is journalled.

    A running studio does this by itself every day. Rows are never deleted.
    """
    now_ms = time.time_ns() // 1_000_000
    try:
        config = load_config(path)
        if config.cluster is not None and config.cluster.postgres:
            raise BadInputError(_BY_ITSELF, where="[cluster] postgres")
        database, keep = record_file(config), keep_of(config)
        pictures = PictureFolder(Path(config.studio.evidence))
        if dry_run:
            with Reader.open(database) as reader:
                _say(look(reader, pictures, keep, now_ms), "may be deleted")
            return
        with Store.open(database, create=False) as store, store.reader() as reader:
            due = look(reader, pictures, keep, now_ms)
            writer = Writer(store)
            expire(due, pictures, keep, writer.commit, now_ms)
            writer.close()
        _say(due, "were deleted")
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None


care: Final = click.Group("care", dict(group.commands), help=group.help)
"""The core's verbs of care, and those that need a configuration."""
care.add_command(retention)


def _say(due: RetentionPlan, what: str) -> None:
    for rule, digests in due.due.items():
        click.echo(f"{len(digests)} pictures {what} by the rule '{rule}'.")
    if not due.count:
        click.echo("No picture's days are over.")
    if due.needed:
        click.echo(f"{len(due.needed)} are kept although their days are over: something open needs them.")
    if due.unknown:
        click.echo(f"{len(due.unknown)} stand nowhere in the record and are left alone.")
