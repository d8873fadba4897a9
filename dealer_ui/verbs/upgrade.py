"""`studio upgrade-rehearsal`: an upgrade tried on a copy, which spares the first start most of its work."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Final

import click

from dealer_ui.care.snapshot_shelf import SnapshotShelf
from studio.care.signing import signer_in, signing_path
from studio.cli.place import RECORD_FILE
from studio.cli.rehearsing import rehearse
from studio.errors import BadInputError, StorageError
from studio.journal import Reader
from studio.tables.books.commit import Folded
from studio.tables.config import TableConfig

KEPT: Final = (
    "What they came to is kept beside DB: the first start of this version folds little but what is dealt from now on."
)
KEPT_IN_PART: Final = "What some came to is kept beside DB, and the rest is not, {}: the first start folds those whole."
NOT_KEPT: Final = "What they came to is not kept, {}: the first start of this version folds every row once more."
NO_KEY: Final = "for there is no signing key beside DB"
TOO_LITTLE: Final = "for no table has dealt enough to be worth it"


@click.command("upgrade-rehearsal")
@click.argument("db", type=RECORD_FILE, metavar="DB")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where the copy goes for a while; its disk needs room.",
)
def command(db: Path, folder: Path | None) -> None:
    """Bring a copy of DB up to this version, verify and replay it, and say how long each step takes.

    DB itself is only read, and a studio may be at work on it; the copy is deleted. What its tables came to is kept
    beside DB, signed, so that the first start of this version need not fold them. Do it with the new version before
    you install it.
    """
    try:
        keeper = Keeper(SnapshotShelf(db, signer_in(db)) if signing_path(db).exists() else None)
        with tempfile.TemporaryDirectory(prefix="upgrade-", dir=folder) as there:
            for step, seconds in rehearse(db, Path(there) / "studio.db", time.perf_counter, keeper.prepare):
                click.echo(f"{seconds:8.1f} s  {step}")
    except (BadInputError, StorageError) as error:
        raise click.ClickException(f"The upgrade would fail. {error}") from None
    click.echo(keeper.words)
    click.echo("The upgrade will do: stop the studio, back up, install, start.")


class Keeper:
    """Keeps beside a database what a copy of it folds to."""

    def __init__(self, shelf: SnapshotShelf | None) -> None:
        self._shelf = shelf
        self._kept = False
        self._why_not = NO_KEY if shelf is None else ""

    @property
    def words(self) -> str:
        """What is kept, and why not, in a sentence."""
        if self._kept:
            return KEPT_IN_PART.format(self._why_not) if self._why_not else KEPT
        return NOT_KEPT.format(self._why_not or TOO_LITTLE)

    def prepare(self, reader: Reader, config: TableConfig) -> Folded | None:
        """A table of the copy, folded as far as it is kept."""
        if self._shelf is None:
            return None
        try:
            folded = self._shelf.prepare(reader, config)
        except OSError as error:
            self._why_not = f"for {error.filename or 'its folder'} cannot be written ({error.strerror})"
            return None
        self._kept = self._kept or folded is not None
        return folded
