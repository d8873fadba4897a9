"""Measures bets through a web node, durable in PostgreSQL when answered, with one table host and with two, beside bare
rows over the same kind of line; and `verify` of that record, beside reading its rows and hashing them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Event

import psycopg

from bench.betting import connected, deposit, place
from bench.cluster_process import HOSTS
from bench.figure import Figure
from bench.server_append import server
from bench.serving_studio import free_port
from dealer_ui.verbs.cluster import nats_program
from dealer_ui.verbs.cluster_files import NATS_CONFIG
from studio.proof.audit.database import verify

BATCH = 100
BATCHES = 8
"""Few: a window stands open for 15 seconds, and the processes come up meanwhile."""
OPERATORS = 2
"""So many send to each table at once."""
PASSWORDS = {"table": "of-the-bench-s-hosts", "web": "of-the-bench-s-nodes"}
_WEB = "web-1"
_UP_S = 30.0
_TABLES = (
    "CREATE TABLE bare_bet (seq bigserial PRIMARY KEY, id text UNIQUE, client_id text, bettor text, stake bigint)",
    "CREATE TABLE bare_ledger (seq bigserial PRIMARY KEY, at bigint, round text, bet text, kind text,"
    " debit text, credit text, amount bigint)",
)
_BET = "INSERT INTO bare_bet (id, client_id, bettor, stake) VALUES (%s, %s, %s, %s)"
_LEDGER = "INSERT INTO bare_ledger (at, round, bet, kind, debit, credit, amount) VALUES (%s, %s, %s, %s, %s, %s, %s)"


def measure() -> Sequence[Figure]:
    """Nothing where PostgreSQL or NATS is not installed."""
    program = nats_program()
    with tempfile.TemporaryDirectory(prefix="studio-bench-", dir="/tmp") as name, ExitStack() as opened:
        folder = Path(name)
        address = opened.enter_context(server(folder))
        if not address or program is None:
            return ()
        opened.enter_context(nats_running(folder, program))
        write_cluster(folder, address)
        for host in HOSTS:
            opened.enter_context(process_running(folder, host))
        port = opened.enter_context(process_running(folder, _WEB))
        ids = count()
        wait_for(port, tuple(HOSTS.values()))
        deposit(port)
        place(port, ids, 3, "t1")  # warm
        one, two = (_bets_a_second(port, ids, tables) for tables in (("t1",), tuple(HOSTS.values())))
        bare = _bare(address)
        return [
            Figure(name="through a web node, one host", value=one, unit="bets/s", raw=bare, raw_name="bare rows"),
            Figure(name="through a web node, two hosts", value=two, unit="bets/s", raw=bare, raw_name="bare rows"),
            _verified(address),
        ]


def _bets_a_second(port: int, ids: Iterator[int], tables: Sequence[str]) -> float:
    with ThreadPoolExecutor(OPERATORS * len(tables)) as senders:
        began = time.perf_counter()
        sent = [senders.submit(place, port, ids, BATCHES, table) for table in tables for _ in range(OPERATORS)]
        for done in sent:
            done.result()
        return len(sent) * BATCHES * BATCH / (time.perf_counter() - began)


def _bare(address: str) -> float:
    """A ledger row and its bet for each, many rows a statement, one commit a batch, nothing else."""
    with psycopg.connect(address, autocommit=True) as raw:
        for table in _TABLES:
            raw.execute(table)
        began = time.perf_counter()
        for batch in range(BATCHES):
            numbers = range(batch * BATCH, (batch + 1) * BATCH)
            with raw.transaction(), raw.cursor() as cursor:
                cursor.executemany(_LEDGER, [(1, "r", f"b{one}", "reserve", "b", "held", 100) for one in numbers])
                cursor.executemany(_BET, [(f"north/c{one}", f"c{one}", f"b{one % 50}", 100) for one in numbers])
        return BATCHES * BATCH / (time.perf_counter() - began)


def _verified(address: str) -> Figure:
    began = time.perf_counter()
    verdict = verify(address)
    whole_s = time.perf_counter() - began
    assert verdict.ok, verdict
    began = time.perf_counter()
    with psycopg.connect(address) as raw:
        for table in ("journal", "ledger", "bet"):
            digest = sha256()
            for row in raw.execute(f"SELECT * FROM studio.{table} ORDER BY seq".encode()):
                digest.update(repr(row).encode())
    bare_s, rows = time.perf_counter() - began, verdict.events + verdict.entries
    return Figure(
        name=f"verify {verdict.events:,} journal rows, {verdict.entries:,} ledger rows", value=rows / whole_s,
        unit="rows/s", raw=rows / bare_s, raw_name="scan, sha256",
    )  # fmt: skip


def write_cluster(folder: Path, address: str, shoe: str = "") -> None:
    """`shoe`: where the first host's table has its shoe; without one its bets stand open."""
    (folder / "shared").mkdir(mode=0o700)
    told = {
        "nats": [(folder / "nats.address").read_text()], "desk": next(iter(HOSTS)), "postgres": address,
        "shared": str(folder / "shared"), "shoe": shoe,
    }  # fmt: skip
    (folder / "cluster.json").write_text(json.dumps(told))


@contextmanager
def nats_running(folder: Path, program: str) -> Iterator[None]:
    """The wire's server, and the secrets of it in the folder."""
    port = free_port()
    for role, password in PASSWORDS.items():
        (folder / f"{role}.secret").write_text(f"{role}:{password}\n")
    text = NATS_CONFIG.read_text(encoding="utf-8").replace("127.0.0.1:4222", f"127.0.0.1:{port}")
    (folder / "nats.conf").write_text(text, encoding="utf-8")
    (folder / "nats.address").write_text(f"nats://127.0.0.1:{port}")
    named = {f"{role.upper()}_PASSWORD": password for role, password in PASSWORDS.items()}
    command, silent = [program, "--config", str(folder / "nats.conf")], subprocess.DEVNULL
    with subprocess.Popen(command, stdout=silent, stderr=silent, env={**os.environ, **named}) as running:
        try:
            yield
        finally:
            running.terminate()


@contextmanager
def process_running(folder: Path, name: str) -> Iterator[int]:
    """A process of the studio; gives its port."""
    command = [sys.executable, "-m", "bench.cluster_process", str(folder), name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield int(running.stdout.readline())
        finally:
            running.terminate()


def wait_for(port: int, tables: Sequence[str]) -> None:
    """Until the web node has heard of these tables."""
    until_s = time.monotonic() + _UP_S
    while time.monotonic() < until_s:
        with connected(port) as connection:
            connection.request("GET", "/api/v1/tables", headers={"Authorization": "Bearer a-key-for-benches"})
            told = connection.getresponse().read().decode()
            if all(f'"{table}"' in told for table in tables):
                return
        Event().wait(0.2)
