"""Measures what it costs to append to the journal in PostgreSQL, beside bare rows over the same kind of line.

The server is the bench's own, on a socket in a temporary folder, with the disk synced as in a studio. A bare row is one
INSERT that commits by itself: one way to the server and back, and one sync.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from threading import Event

import psycopg

from bench.figure import Figure
from bench.journal_append import BODY, GROUP
from dealer_ui.verbs.private_postgres import PrivatePostgres
from studio.journal import Entry, Store, Unit, Writer

ROUNDS = 60
_UP_S = 60.0
_BARE = "INSERT INTO bare (at, kind, body) VALUES (%s, %s, %s)"


def measure() -> Sequence[Figure]:
    """Nothing where PostgreSQL is not installed."""
    with tempfile.TemporaryDirectory(prefix="studio-bench-", dir="/tmp") as folder, server(Path(folder)) as address:
        if not address:
            return ()
        with Store.open(address) as store, psycopg.connect(address, autocommit=True) as raw:
            raw.execute("CREATE TABLE public.bare (seq bigserial PRIMARY KEY, at bigint, kind text, body text)")
            return [*(_row(store, raw, group) for group in (1, GROUP)), *_trips(store, raw)]


@contextlib.contextmanager
def server(folder: Path) -> Iterator[str]:
    made = PrivatePostgres.in_folder(folder / "postgres")
    if made is None:
        yield ""
        return
    running = subprocess.Popen(made.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
    try:
        until_s = time.monotonic() + _UP_S
        while not made.answers and time.monotonic() < until_s:
            Event().wait(0.1)
        yield made.address
    finally:
        running.terminate()
        running.wait()


def _row(store: Store, raw: psycopg.Connection[tuple[object, ...]], group: int) -> Figure:
    """Median microseconds a row, in commits of `group` rows; house and bare table take turns."""
    writer, house, bare = Writer(store), [], []
    for _ in range(ROUNDS):
        house.append(_timed_us(lambda: _append(writer, group)))
        bare.append(_timed_us(lambda: _insert(raw, group)))
    return Figure(
        name=f"one row in PostgreSQL, {group} a commit", value=median(house) / group, unit="µs",
        raw=median(bare) / group, raw_name="bare insert",
    )  # fmt: skip


def _trips(store: Store, raw: psycopg.Connection[tuple[object, ...]]) -> Iterator[Figure]:
    """How often a commit of one row goes to the server and back, by the time of one that does nothing."""
    writer, house, empty = Writer(store), [], []
    raw.execute("SET synchronous_commit = off")
    store.connection.execute("SET synchronous_commit = off")
    for _ in range(ROUNDS):
        house.append(_timed_us(lambda: _append(writer, 1)))
        empty.append(_timed_us(lambda: raw.execute("SELECT 1")))
    store.connection.execute("SET synchronous_commit = on")
    yield Figure(
        name="one commit without its sync",
        value=median(house),
        unit="µs",
        raw=median(empty),
        raw_name="an empty question",
    )


def _append(writer: Writer, group: int) -> None:
    futures = [writer.submit(Unit(entries=(Entry("CardConfirmed", 1, BODY),))) for _ in range(group)]
    writer.drain()
    for future in futures:
        future.result(timeout=0)


def _insert(raw: psycopg.Connection[tuple[object, ...]], group: int) -> None:
    if group == 1:
        raw.execute(_BARE, (1, "CardConfirmed", BODY.decode()))
        return
    with raw.transaction(), raw.cursor() as cursor:
        cursor.executemany(_BARE, [(1, "CardConfirmed", BODY.decode())] * group)


def _timed_us(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e6
