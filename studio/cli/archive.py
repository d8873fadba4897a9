"""`studio archive`: a year closed and archived whole, and a new database that goes on from it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from studio.care.archive import Closing, archive
from studio.care.checkpoint import checkpoints
from studio.care.event import CarriedPurse, PursesCarried, entry_of
from studio.care.signing import signer_in
from studio.cli.place import RECORD_FILE
from studio.cli.rehearsing import TABLES, folded
from studio.errors import BadInputError, StorageError
from studio.journal import Entry, Reader
from studio.proof.audit.database import verify
from studio.reports.purse import purses_at
from studio.settlement.transfers import chunks
from studio.tables.event.record import kind_of, write_body
from studio.tables.event.table import TableCarried, TableConfigured


@click.command("archive")
@click.argument("db", type=RECORD_FILE, metavar="DB")
@click.argument("year", type=click.IntRange(2000, 9999), metavar="YEAR")
@click.option("--to", "into", required=True, type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER")
@click.option("--by", required=True, metavar="NAME", help="Who closes the year.")
def command(db: Path, year: int, into: Path, by: str) -> None:
    """Close YEAR: DB becomes an archive in FOLDER, and a new DB goes on from its head with all balances.

    The studio must be stopped and every table closed. The archive and the new database are verified before either
    counts; the old file stays beside DB until you put it away.
    """
    try:
        with Reader.open(db) as reader:
            studio = next((one.studio for one in checkpoints(reader)), "")
            carried(reader)  # a table that is not at rest is refused before anything is made
        closing = Closing(year, by, time.time_ns() // 1_000_000, studio)
        made = archive(db, into, closing, signer_in(db), carried, _prove)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{year} is closed: {made.folder} holds it up to row {made.heads.journal.seq} of the journal.")
    click.echo(f"{db} goes on from there with {made.accounts} balances. The old file is {made.aside}.")
    check = shlex.join(("studio", "verify", str(db), "--archive", str(made.folder / "studio.db")))
    click.echo(f"Check both at any time: {check}")


def carried(reader: Reader) -> Sequence[Entry]:
    """What each table needs to go on, and what is known of purses; `BadInputError` while a table is not at rest."""
    tables = [entry for (key,) in reader.read(TABLES, ()) for entry in _of_table(reader, key)]
    return (*tables, *_of_purses(reader))


def _of_purses(reader: Reader) -> Iterator[Entry]:
    """Since when money lies in each purse: what is carried would else seem to have moved as the year was closed."""
    found = purses_at(reader, reader.head().seq, reader.ledger_head().seq)
    kept = [
        CarriedPurse(one.operator, one.bettor, one.currency, one.opened_ms, one.moved_ms)
        for one in found
        if one.held_minor
    ]
    for some in chunks(kept):
        yield entry_of(PursesCarried(at_ms=reader.newest_ms(), purses=some))


def _of_table(reader: Reader, key: str) -> Iterator[Entry]:
    state, at_ms = folded(reader, key)
    if (
        state.status != "closed"
        or state.incidents.open
        or state.aftermath.cases
        or (state.round is not None and not state.round.over)
    ):
        raise BadInputError(f"Table {key} is not at rest: finish its round, its incidents and its cases, and close it.")
    if state.room.players:
        seats = ", ".join(sorted(state.room.players))
        raise BadInputError(
            f"Chips lie at {seats} of table {key}: start the studio and have every seat paid out first."
        )
    correction = state.aftermath.corrections.current
    if correction is not None and correction.owes:
        raise BadInputError(f"Table {key} still pays the correction {correction.id}: start the studio, let it end.")
    for event in (
        TableConfigured(config=state.config),
        TableCarried(
            rounds=state.rounds, shoes=state.decks.shoes, incidents=state.incidents.count, moves=state.moves.count
        ),
    ):
        yield Entry(kind_of(event), at_ms, write_body(key, "", event))


def _prove(db: Path) -> None:
    verdict = verify(db)
    if verdict.first_wrong is not None:
        raise BadInputError(f"It would not be sound: {verdict.first_wrong.sentence}", where=str(db))
