"""`studio migrate-to-postgres`: a studio that has outgrown its file goes on in a database of a server."""

from __future__ import annotations

import time
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from studio.cli.place import RECORD_FILE
from studio.errors import BadInputError, StorageError
from studio.journal.link import Head
from studio.journal.place import driver_there, is_address
from studio.journal.sqlite.carried import note_carried, note_path
from studio.journal.store import HOST


@click.command("migrate-to-postgres")
@click.argument("file", type=RECORD_FILE, metavar="FILE")
@click.argument("address", metavar="ADDRESS")
@click.option("--host", default=HOST, show_default=True, help="The table host that goes on with it.")
@click.option("--rehearsal", is_flag=True, help="Only to see it done: the studio stays on FILE.")
def command(file: Path, address: str, host: str, *, rehearsal: bool) -> None:
    """Carry the record of a stopped studio into an empty PostgreSQL database: every row with its number and its hash.

    Both are verified, and their sums held against each other. FILE stays as it is, and so does what lies beside it: the
    keys of sealed cards are not carried, keep them beside the new studio under the same name. A note beside FILE says
    that its record goes on there: nothing is added to it or backed up from it any more.
    """
    if not is_address(address):
        raise click.ClickException("ADDRESS is that of a database: write postgresql://USER@HOST:PORT/DATABASE.")
    people = Console(stderr=True)
    try:
        with driver_there():
            from studio.journal.postgres.carrying import carry_over
        with Progress(console=people, disable=not people.is_terminal, transient=True) as progress:
            task = progress.add_task("Carrying", total=None)
            done = carry_over(
                file, address, host, lambda table, rows: progress.update(task, description=f"{table}: {rows}")
            )
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(
        f"{done.events} rows of the journal, {done.entries} of the ledger and {done.accounts} balances are there; both"
        f" records verify and their sums agree. The chains end at {done.heads.journal.seq}"
        f" ({done.heads.journal.hash[:12]}) and {done.heads.ledger.seq} ({done.heads.ledger.hash[:12]})."
    )
    if not rehearsal:
        _note(file, address, done.heads.journal)


def _note(file: Path, address: str, last: Head) -> None:
    from studio.journal.postgres.connection import without_password

    try:
        note_carried(file, without_password(address), time.time_ns() // 1_000_000, last)
    except OSError as error:
        raise click.ClickException(
            f"Beside {file} nothing can be written ({error.strerror}), so nothing there says that its record goes on in"
            " the database: move the file away, that no studio runs on it again."
        ) from error
    click.echo(f"{file} is kept as it is, and no studio runs on it any more: {note_path(file).name} beside it says so.")
