"""Measures what it costs to append to the journal, beside bare rows in a bare SQLite table."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from bench.figure import Figure
from studio.journal import Entry, Store, Unit, Writer

BODY = b'{"table":"knights-1","round":"knights-1-r1","event":{"kind":"CardConfirmed","id":"0011223344556677"}}'
ROUNDS = 40
GROUP = 64


def measure() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        return [_figure(Path(folder), group) for group in (1, GROUP)]


def _figure(folder: Path, group: int) -> Figure:
    """Median microseconds a row, in commits of `group` rows; house and bare table take turns."""
    house, bare = [], []
    with (
        Store.open(folder / f"house-{group}.db") as store,
        contextlib.closing(_bare(folder / f"bare-{group}.db")) as raw,
    ):
        writer = Writer(store)
        for _ in range(ROUNDS):
            house.append(_timed_us(lambda: _append(writer, group)))
            bare.append(_timed_us(lambda: _insert(raw, group)))
        writer.close()
    return Figure(
        name=f"one row, {group} a commit",
        value=median(house) / group,
        unit="µs",
        raw=median(bare) / group,
        raw_name="bare insert",
    )


def _append(writer: Writer, group: int) -> None:
    futures = [writer.submit(Unit(entries=(Entry("CardConfirmed", 1, BODY),))) for _ in range(group)]
    writer.drain()
    for future in futures:
        future.result(timeout=0)


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE row (seq INTEGER PRIMARY KEY, at INTEGER, kind TEXT, body TEXT) STRICT")
    return connection


def _insert(connection: sqlite3.Connection, group: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for _ in range(group):
        connection.execute("INSERT INTO row (at, kind, body) VALUES (?, ?, ?)", (1, "CardConfirmed", BODY.decode()))
    connection.execute("COMMIT")


def _timed_us(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e6
