"""Measures bets taken over HTTP, durable when they are answered, beside bare inserts."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from pathlib import Path

from bench.figure import Figure
from bench.serving_studio import API_KEY, TABLE, serving
from dealer_ui.api.door import PREFIX
from studio.journal.sqlite.schema import LEDGER, LEDGER_INDEXES

BATCH = 100
BATCHES = 60
BETTORS = 50
_LEDGER = "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def measure() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as port:
        ids = count()
        deposit(port)
        place(port, ids, 5)  # warm
        alone = BATCH * BATCHES / place(port, ids, BATCHES)
        with ThreadPoolExecutor(4) as operators:
            began = time.perf_counter()
            for done in [operators.submit(place, port, ids, BATCHES // 2) for _ in range(4)]:
                done.result()
            four = 4 * BATCH * (BATCHES // 2) / (time.perf_counter() - began)
        bare = BATCH * BATCHES / _inserted_s(Path(name) / "bare.db")
    return [
        Figure(name=f"by one operator, batches of {BATCH}", value=alone, unit="bets/s", raw=bare, raw_name="bare rows"),
        Figure(name=f"by four at once, batches of {BATCH}", value=four, unit="bets/s", raw=bare, raw_name="bare rows"),
    ]


def deposit(port: int) -> None:
    with connected(port) as connection:
        for number in range(BETTORS):
            body = {"client_id": f"d{number}", "amount": 10**9}
            _post(connection, f"/bettors/b{number}/deposits", body)


def place(port: int, ids: Iterator[int], batches: int, table: str = TABLE) -> float:
    """Seconds for so many batches, one after another; every bet must be accepted."""
    with connected(port) as connection:
        bodies = [_batch(ids) for _ in range(batches)]
        began = time.perf_counter()
        for body in bodies:
            said = _post(connection, f"/tables/{table}/bets", body)
            assert all(one["status"] == "accepted" for one in said["answers"]), said["answers"][0]
        return time.perf_counter() - began


def _batch(ids: Iterator[int]) -> dict[str, object]:
    def bet(number: int) -> dict[str, object]:
        return {"client_id": f"c{number}", "bettor": f"b{number % BETTORS}", "bet": "player1_win", "stake": 100}

    return {"bets": [bet(next(ids)) for _ in range(BATCH)]}


@contextlib.contextmanager
def connected(port: int) -> Iterator[HTTPConnection]:
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        yield connection


def _post(connection: HTTPConnection, path: str, body: object) -> dict[str, list[dict[str, str]]]:
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    connection.request("POST", PREFIX + path, json.dumps(body), headers)
    answer = connection.getresponse()
    said: dict[str, list[dict[str, str]]] = json.loads(answer.read())
    assert answer.status == 200, said
    return said


def _inserted_s(path: Path) -> float:
    """A ledger row and its bet for each, one commit a batch, nothing else."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        bet = "CREATE TABLE bet (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, client_id TEXT, bettor TEXT, stake INTEGER)"
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", LEDGER, *LEDGER_INDEXES, bet):
            connection.execute(statement)
        began = time.perf_counter()
        for batch in range(BATCHES):
            connection.execute("BEGIN IMMEDIATE")
            seqs = range(batch * BATCH + 1, (batch + 1) * BATCH + 1)
            connection.executemany(_LEDGER, [_row(seq) for seq in seqs])
            bets = [(seq, f"north/c{seq}", f"c{seq}", f"b{seq % BETTORS}", 100) for seq in seqs]
            connection.executemany("INSERT INTO bet VALUES (?, ?, ?, ?, ?)", bets)
            connection.execute("COMMIT")
        return time.perf_counter() - began


def _row(seq: int) -> tuple[object, ...]:
    purse = f"bettor:north/b{seq % BETTORS}"
    return seq, 1, "t1-0000001", f"north/c{seq}", "reserve", purse, "escrow:t1-0000001", 100, "EUR", 0, "0" * 64
