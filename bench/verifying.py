"""Measures `verify`, beside reading the same rows bare and hashing their bytes."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from bench.figure import Figure
from bench.table import Bare
from studio.journal import Store
from studio.journal.chain import check
from studio.journal.sqlite.schema import LEDGER_COLUMNS
from studio.proof.audit.database import verify

ROUNDS = 200
"""So many that the record is large enough for two processes."""
BETS = 100
BETTORS = [f"bettor{number}" for number in range(20)]


def measure() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "house.db"
        _played(path)
        began = time.perf_counter()
        verdict = verify(path)
        whole_s = time.perf_counter() - began
        assert verdict.ok, verdict
        began = time.perf_counter()
        assert check(path) is None
        chains_s = time.perf_counter() - began
        bare_s = _scanned_s(path)
    rows = verdict.events + verdict.entries
    size = f"{verdict.events:,} journal rows, {verdict.entries:,} ledger rows"
    return [
        Figure(name=f"verify {size}", value=rows / whole_s, unit="rows/s", raw=rows / bare_s, raw_name="scan, sha256"),
        Figure(
            name="the chains alone", value=rows / chains_s, unit="rows/s", raw=rows / bare_s, raw_name="scan, sha256"
        ),
    ]


def _played(path: Path) -> None:
    with Store.open(path) as store:
        table = Bare(store)
        table.play(ROUNDS, BETS, BETTORS)
        table.writer.close()


def _scanned_s(path: Path) -> float:
    """Every row read, and the bytes of all its values hashed."""
    began = time.perf_counter()
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        for table, columns in (("journal", "*"), ("ledger", LEDGER_COLUMNS), ("bet", "*")):
            digest = sha256()
            for row in connection.execute(f"SELECT {columns} FROM {table} ORDER BY seq"):
                digest.update(repr(row).encode())
    return time.perf_counter() - began
