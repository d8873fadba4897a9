"""Measures the settling of a large round, beside its ledger rows inserted bare."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from bench.figure import Figure
from bench.table import Bare
from studio.journal import Store
from studio.journal.sqlite.schema import LEDGER, LEDGER_COLUMNS, LEDGER_INDEXES
from studio.settlement import CHUNK_BETS

BETS = 10_000
BETTORS = [f"bettor{number}" for number in range(500)]
TIMES = 5
RATIO_MAX = 3.0
_ROWS = f"SELECT {LEDGER_COLUMNS} FROM ledger WHERE seq > ? ORDER BY seq"
_INSERT = "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def measure() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        house, bare = [], []
        with Store.open(folder / "house.db") as store:
            table = _opened(store)
            for number in range(TIMES):
                seq = _ready(table, store)
                began = time.perf_counter()
                table.pay()
                house.append(time.perf_counter() - began)
                table.hands.clear()
                rows = store.connection.execute(_ROWS, (seq,)).fetchall()
                bare.append(_inserted_s(folder / f"bare-{number}.db", rows))
            table.writer.close()
    ratio = min(house) / min(bare)
    return [
        Figure(
            name=f"a round of {BETS:,} bets settled", value=min(house) * 1e3, unit="ms", raw=min(bare) * 1e3,
            raw_name="same rows, bare", target=f"≤ {RATIO_MAX:.0f} times", holds=ratio <= RATIO_MAX,
        )
    ]  # fmt: skip


def _opened(store: Store) -> Bare:
    table = Bare(store)
    for bettor in BETTORS:
        table.deposit(bettor, 10_000_000)
    table.hands.open()
    return table


def _ready(table: Bare, store: Store) -> int:
    """A round with its result declared and nothing paid; gives the ledger's last row."""
    table.hands.start_round()
    table.bets(BETS, BETTORS)
    table.hands.finish_round()
    with store.reader() as reader:
        return reader.ledger_head().seq


def _inserted_s(path: Path, rows: Sequence[tuple[object, ...]]) -> float:
    """The same rows into the same table with the same indexes, as many commits, nothing else."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", LEDGER, *LEDGER_INDEXES):
            connection.execute(statement)
        began = time.perf_counter()
        rest = iter(rows)
        while chunk := list(islice(rest, -(-len(rows) * CHUNK_BETS // BETS))):
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_INSERT, chunk)
            connection.execute("COMMIT")
        return time.perf_counter() - began
