"""Snapshots of tables on disk, with their past results: a folder beside the database, written now and then, read at a
start.

Whatever is wrong with one, it is left aside with a word in the log, and the journal is folded from its first row.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from itertools import takewhile
from pathlib import Path
from typing import Final

import structlog

from dealer_ui.care.caretaker import Duty
from studio.care.signing import Signer
from studio.errors import BadInputError
from studio.games import find_game
from studio.journal import Reader
from studio.tables.books.commit import Folded
from studio.tables.books.snapshot import fold_on, read_snapshot, write_snapshot
from studio.tables.config import TableConfig
from studio.tables.state.table import TableState
from studio.views import ShoeResults
from studio.views.past.result import RESULT_KINDS

_LOG = structlog.get_logger("dealer_ui.care")
EVERY_ROWS: Final = 5_000
"""So many new rows of a table are worth a snapshot; folding that many takes a start less than a second."""
AT_ONCE: Final = 5_000
"""So many rows are folded in one go, so that the tables' threads get their turn."""
_HASH: Final = "SELECT hash FROM journal WHERE seq = ?"
_NEWEST: Final = 'SELECT max(seq) FROM journal WHERE "table" = ?'

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
            data = (self._folder / f"{table}.snapshot").read_bytes()
        except OSError:
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
        folded = fold_on(since, reader.events(after_seq=since[1], table=config.key, limit=AT_ONCE))
        if folded is since:
            return False
        [(hash,)] = reader.read(_HASH, (folded[1],))
        told = reader.events(after_seq=since[1], table=config.key, kinds=RESULT_KINDS)
        results = results.after(takewhile(lambda row: row.seq <= folded[1], told))
        self._keep(config.key, write_snapshot(folded, hash, self._signer, results))
        self._since[config.key] = folded, results
        return True

    def _keep(self, table: str, data: bytes) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        part = self._folder / f"{table}.part"
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
        part.write_bytes(data)
        part.replace(self._folder / f"{table}.snapshot")


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
