"""Snapshots of tables on disk, with their past results: a folder beside the database, written now and then, read at a
start.

Whatever is wrong with one, it is left aside with a word in the log, and the journal is folded from its first row. Each
names the program that folded it, so that another version's can be made before that version is started.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, Final

import structlog

from dealer_ui.care.caretaker import Duty
from studio.care.signing import Signer
from studio.errors import BadInputError
from studio.file_owner import give_to_owner
from studio.games import find_game
from studio.journal import Reader, Row
from studio.tables.books.commit import Folded
from studio.tables.books.snapshot import fold_on, program, read_snapshot, write_snapshot
from studio.tables.config import TableConfig
from studio.tables.state.table import TableState
from studio.views import ShoeResults
from studio.views.past.result import RESULT_KINDS

_LOG = structlog.get_logger("dealer_ui.care")
EVERY_ROWS: Final = 5_000
"""So many new rows of a table are worth a snapshot; folding that many takes a start less than a second."""
AT_ONCE: Final = 5_000
"""So many rows are folded in one go, so that the tables' threads get their turn."""
KEEP_ROUNDS: Final = 2
"""The last rounds that were read are folded anew at a start."""
LONG_ROWS: Final = 100_000
"""So many rows of a table take a start the better part of a minute."""
VERSIONS: Final = 3
"""Of a table the snapshots of so many programs stay: the one that runs, the next, and the one before."""
_PART: Final = re.compile(r".+\.([0-9]{1,10})\.part")
"""What is being written, by the process of this number."""
_HASH: Final = "SELECT hash FROM journal WHERE seq = ?"
_NEWEST: Final = 'SELECT max(seq) FROM journal WHERE "table" = ?'
_LONG: Final = 'SELECT 1 FROM journal WHERE "table" = ? LIMIT 1 OFFSET ?'

Kept = tuple[Folded, ShoeResults]
"""A table as folded up to a row, and its results up to the same."""


class SnapshotShelf:
    def __init__(self, database: Path, signer: Signer) -> None:
        self._folder = database.with_name(f"{database.name}.snapshots")
        self._signer = signer
        self._since: dict[str, Kept] = {}

    def read(self, reader: Reader, table: str) -> Kept | None:
        """The table's state as folded up to an earlier row; None when there is no snapshot, or none that can be
        trusted.
        """
        try:
            data = self._path(table).read_bytes()
        except OSError:
            if reader.read(_LONG, (table, LONG_ROWS)):
                _LOG.warning(
                    "no snapshot of this version: a long journal is folded whole, which takes long", table=table
                )
            return None
        try:
            folded, hash, results = read_snapshot(data, table, self._signer.public_key)
            if reader.read(_HASH, (folded[1],)) != [(hash,)]:
                raise BadInputError("The snapshot is of another journal.")
            if not isinstance(results, ShoeResults):
                raise BadInputError("The snapshot holds no results.")
        except Exception as error:  # a cache in doubt is no cache, whatever the doubt is
            _LOG.warning("a snapshot was left aside; the journal is folded whole", table=table, why=str(error))
            return None
        self._since[table] = folded, results
        return folded, results

    def advance(self, reader: Reader, config: TableConfig) -> bool:
        """Fold on a stretch, and keep what there is at its end; False when there is too little new to be worth it."""
        since, results = self._since.get(config.key) or ((TableState(config), 0), no_results(config))
        [(newest,)] = reader.read(_NEWEST, (config.key,))
        if (newest or 0) - since[1] < EVERY_ROWS:
            return False
        begun = list(reader.events(since[1], config.key, kinds=("RoundStarted",), limit=KEEP_ROUNDS + 1))
        if len(begun) <= KEEP_ROUNDS:
            return False
        folded = fold_on(since, _stretch(reader.events(since[1], config.key), begun[-1].seq), KEEP_ROUNDS)
        [(hash,)] = reader.read(_HASH, (folded[1],))
        told = reader.events(after_seq=since[1], table=config.key, kinds=RESULT_KINDS)
        results = results.after(takewhile(lambda row: row.seq <= folded[1], told))
        self._keep(config.key, write_snapshot(folded, hash, self._signer, results))
        self._since[config.key] = folded, results
        return True

    def prepare(self, reader: Reader, config: TableConfig) -> Folded | None:
        """Fold a journal as far as a start would have it folded before; what it came to, if anything."""
        while self.advance(reader, config):
            pass
        kept = self._since.get(config.key)
        return kept[0] if kept else None

    def _path(self, table: str) -> Path:
        return self._folder / f"{table}.{program()[:12]}.snapshot"

    def _keep(self, table: str, data: bytes) -> None:
        if not self._folder.is_dir():
            self._folder.mkdir(mode=0o700, exist_ok=True)
            give_to_owner(self._folder, self._folder.absolute().parent)
        path = self._path(table)
        self._clear_parts()
        part = path.with_suffix(f".{os.getpid()}.part")  # the studio at work and a rehearsal of its own version
        try:
            with _locked(part) as written:
                give_to_owner(written.fileno(), self._folder)
                written.write(data)
                written.flush()
                part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        self._clear(table)

    def _clear_parts(self) -> None:
        """What processes left that were killed while they wrote: nobody holds it, nor has its number but this one.

        The lock is for a process that cannot be seen from here, such as a rehearsal in a container.
        """
        for path in list(self._folder.iterdir()):
            if (named := _PART.fullmatch(path.name)) and not _is_another(int(named[1])):
                with suppress(OSError), path.open("rb") as left:
                    fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if _is_at(left, path):
                        path.unlink()

    def _clear(self, table: str) -> None:
        """Of other programs' only the newest stay."""
        named = re.compile(rf"{re.escape(table)}(\.[0-9a-f]{{12}})?\.snapshot")
        others = [path for path in self._folder.iterdir() if named.fullmatch(path.name) and path != self._path(table)]
        for path in sorted(others, key=_written_at, reverse=True)[VERSIONS - 1 :]:
            path.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[BinaryIO]:
    """The empty file of that name, held: one that was cleared before it was held is made anew."""
    while True:
        with path.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if _is_at(file, path):
                file.truncate(0)
                yield file
                return


def _is_at(file: BinaryIO, path: Path) -> bool:
    """Whether it is this open file that has the name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _is_another(process: int) -> bool:
    """Whether a process of this number runs that is not this one."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _written_at(path: Path) -> float:
    """Seconds; a file that another process has just taken away is as old as can be."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _stretch(rows: Iterable[Row], to_seq: int) -> Iterator[Row]:
    """As many as are folded in one go, and at least up to `to_seq`, however many rows a round has."""
    for number, row in enumerate(rows):
        if number >= AT_ONCE and row.seq > to_seq:
            return
        yield row


def no_results(config: TableConfig) -> ShoeResults:
    """Those of a table that has played nothing."""
    return ShoeResults(bets=find_game(config.game).betting.bets)


def snapshot_duty(shelf: SnapshotShelf, reader: Callable[[], Reader], configs: Iterable[TableConfig]) -> Duty:
    """One table a beat, in turn."""
    turn = list(configs)

    def duty() -> None:
        if turn:
            turn.append(turn.pop(0))
            shelf.advance(reader(), turn[-1])

    return duty
