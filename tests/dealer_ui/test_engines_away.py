"""PostgreSQL is away for a minute, under load, and comes back: a studio of several processes goes on by itself."""

from __future__ import annotations

import json
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from nats_server import needs_nats
from patience import wait_until
from running_cluster import RunningCluster, need_postgres

from dealer_ui.verbs.cluster_files import TABLES
from studio.journal import Reader
from studio.tables.event.record import read_body
from studio.tables.event.table import TableFrozen

pytestmark = [needs_nats, pytest.mark.night]
AWAY_S: Final = 60.0
HELD: Final = "One moment, please"
ENOUGH: Final = 40


@pytest.fixture
def running() -> Iterator[RunningCluster]:
    need_postgres()
    with tempfile.TemporaryDirectory(prefix="studio-cluster-") as folder, RunningCluster(Path(folder)) as made:
        yield made


def refusal_of_a_deposit(running: RunningCluster, id: str) -> str:
    """What an operator is told who pays in now; empty where it is done."""
    body = json.dumps({"client_id": id, "amount": 100}).encode()
    headers = {"Authorization": f"Bearer {running.api_key}", "Content-Type": "application/json"}
    place = f"http://127.0.0.1:{running.port}/api/v1/bettors/zoe/deposits"
    try:
        urllib.request.urlopen(urllib.request.Request(place, body, headers), timeout=60).close()
    except urllib.error.HTTPError as error:
        with error:
            return error.read().decode()
    return ""


def shown(running: RunningCluster, table: str) -> str:
    """What the public sees of a table at a web node, whether or not it can be drawn."""
    place = f"http://127.0.0.1:{running.port}/display/{table}"
    try:
        with urllib.request.urlopen(place, timeout=60) as page:
            return str(page.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return str(error.read().decode()) if error.code == 503 else ""


def test_postgres_is_away_for_a_minute_under_load_and_play_goes_on_by_itself(running: RunningCluster) -> None:
    running.until_more_is_acknowledged(ENOUGH)
    leases = {table: running.lease_of(table) for table in TABLES}
    assert {host for host, _ in leases.values()} == {"a", "b"}
    running.stop_postgres()
    assert "send it again with the same ids" in refusal_of_a_deposit(running, "d1")
    for table in TABLES:
        wait_until(lambda table=table: HELD in shown(running, table), 0.2)
    acknowledged = running.bettors.acknowledged
    threading.Event().wait(AWAY_S)
    assert running.bettors.acknowledged == acknowledged
    running.down.clear()
    wait_until(lambda: refusal_of_a_deposit(running, "d1") == "", 1.0)
    running.until_rounds_go_on()
    running.until_more_is_acknowledged(ENOUGH)
    assert {table: running.lease_of(table) for table in TABLES} == leases, "nobody has taken a table of the other"
    running.ask_for_the_rest()
    assert running.checked() > len(TABLES)
    with closing(Reader.open(running.postgres.address)) as reader:
        frozen = [read_body(row.body).event for row in reader.events(kinds=("TableFrozen",))]
    assert frozen == [one for one in frozen if isinstance(one, TableFrozen) and "the record was away" in one.by_name]
