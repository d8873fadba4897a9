"""The line to PostgreSQL and NATS is slow and loses packets: what is acknowledged is kept, and nobody loses a table."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
import pytest
from flask.testing import FlaskClient
from lossy_line import LossyLine, why_not
from nats_server import CONFIG, PASSWORDS, PROGRAM, needs_nats
from patience import wait_until
from private_postgres import NOT_THERE, as_server, programs
from running_studio import API_KEY
from wallet_hosts import HOME, Hosts

from dealer_ui.assembly.web_node import WebNode
from dealer_ui.config.file import StudioConfig
from dealer_ui.config.shape import OperatorSection
from dealer_ui.desk.operator_key import digest_of_key
from studio.proof.audit.database import verify

pytestmark = [needs_nats, pytest.mark.night]
HEADERS: Final = {"Authorization": f"Bearer {API_KEY}"}
BATCH: Final = 20
STAKE: Final = 100
SENDERS: Final = 2
"""So many send to each table at once, one batch after another."""
_BETS: Final = "SELECT client_id, bettor, stake FROM bet WHERE operator = 'north'"
_LEASES: Final = 'SELECT "table", host, epoch FROM studio.lease ORDER BY 1'


class FarEngines:
    """PostgreSQL and NATS at the far end of the line. It has of a `NatsServer` what hosts are configured with."""

    def __init__(self, folder: Path, line: LossyLine, found: Path) -> None:
        assert PROGRAM is not None
        self.folder = folder
        self.address = f"nats://{line.there}:4222"
        self.postgres = f"postgresql://postgres@{line.there}:5432/postgres"
        data = str(folder / "data")
        as_server(
            [str(found / "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
        )
        with (folder / "data" / "pg_hba.conf").open("a") as file:
            file.write(f"host all all {line.here}/32 trust\n")
        for role, password in PASSWORDS.items():
            self.secret_of(role).write_text(f"{role}:{password}\n", encoding="utf-8")
        text = CONFIG.read_text(encoding="utf-8").replace("127.0.0.1:4222", f"{line.there}:4222")
        (folder / "nats-server.conf").write_text(text, encoding="utf-8")
        named = {f"{role.upper()}_PASSWORD": password for role, password in PASSWORDS.items()}
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        server = [str(found / "postgres"), "-D", data, "-k", "", "-c", f"listen_addresses={line.there}"]
        self._running = [
            self._run(line.beyond([PROGRAM, "--config", str(folder / "nats-server.conf")]), named),
            self._run(line.beyond([*user, *server]), {}),
        ]
        wait_until(self._answers, 0.2)

    def secret_of(self, role: str) -> Path:
        return self.folder / f"{role}.secret"

    def leases(self) -> list[tuple[str, str, int]]:
        with psycopg.connect(self.postgres, autocommit=True) as raw:
            return [(str(table), str(host), int(epoch)) for table, host, epoch in raw.execute(_LEASES).fetchall()]

    def close(self) -> None:
        for process in self._running:
            process.terminate()
            process.wait()

    def _run(self, command: list[str], named: dict[str, str]) -> subprocess.Popen[bytes]:
        with (self.folder / "engines.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd="/", env={**os.environ, **named})

    def _answers(self) -> bool:
        with suppress(psycopg.Error):
            psycopg.connect(self.postgres, connect_timeout=5).close()
            return True
        return False


class PursedHosts(Hosts):
    """Bettors of an operator whose purses lie in the studio."""

    def config(self, name: str, role: str = "table") -> StudioConfig:
        north = OperatorSection(key_sha256=digest_of_key(API_KEY))
        return super().config(name, role).model_copy(update={"operators": {"north": north}})


@dataclass(slots=True)
class Sender:
    """One who bets over HTTP as long as bets are open; what was not answered is sent again under the same ids."""

    client: FlaskClient
    table: str
    number: int
    kept: dict[str, tuple[str, int]] = field(default_factory=dict)
    slowest_s: float = 0.0

    def send(self) -> None:
        for batch in count():
            bets = [
                {
                    "client_id": f"{self.table}-{self.number}-{batch}-{at}", "bettor": f"b{at}",
                    "bet": "player1_win", "stake": STAKE,
                }
                for at in range(BATCH)
            ]  # fmt: skip
            began = time.perf_counter()
            said = self._answered(bets)
            self.slowest_s = max(self.slowest_s, time.perf_counter() - began)
            stands = [bet for bet in bets if said[str(bet["client_id"])] in ("accepted", "duplicate")]
            self.kept |= {str(bet["client_id"]): (str(bet["bettor"]), STAKE) for bet in stands}
            if len(stands) < BATCH:
                return

    def _answered(self, bets: list[dict[str, object]]) -> dict[str, str]:
        while True:
            told = self.client.post(f"/api/v1/tables/{self.table}/bets", json={"bets": bets}, headers=HEADERS)
            if told.status_code == 200:
                return {one["client_id"]: one["status"] for one in told.json["answers"]}


@pytest.fixture(params=[(0.0, 0.0), (5.0, 1.0)], ids=["plain", "5 ms and 1 of 100"])
def engines(request: pytest.FixtureRequest) -> Iterator[FarEngines]:
    found = programs()
    if found is None:
        pytest.skip(NOT_THERE)
    if sentence := why_not():
        pytest.skip(sentence)
    folder = Path(tempfile.mkdtemp(prefix="studio-pg-", dir="/dev/shm" if Path("/dev/shm").is_dir() else "/tmp"))
    try:
        shutil.chown(folder, "postgres", "postgres")
        folder.chmod(0o711)
        number = 1 + os.getpid() % 250
        with closing(LossyLine(number, *request.param)) as line, closing(FarEngines(folder, line, found)) as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def deposit(node: WebNode, number: int) -> int:
    body = {"client_id": f"p{number}", "amount": 10**7}
    told = node.app.test_client().post(f"/api/v1/bettors/b{number}/deposits", json=body, headers=HEADERS)
    return told.status_code


def test_over_a_line_that_loses_packets_what_is_acknowledged_is_kept_and_no_table_is_lost(
    engines: FarEngines, tmp_path: Path
) -> None:
    with closing(PursedHosts(tmp_path, engines, engines.postgres, ())) as hosts:  # type: ignore[arg-type]
        node = hosts.start_web()
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(partial(deposit, node), range(BATCH))) == {200}
        for table in HOME:
            hosts.betting(table)
        wait_until(lambda: all(node.floor.view(table).bets.open for table in HOME))
        leases = engines.leases()
        assert {(table, host) for table, host, _ in leases} == set(HOME.items())
        senders = [Sender(node.app.test_client(), table, at) for table in HOME for at in range(SENDERS)]
        began = time.perf_counter()
        with ThreadPoolExecutor(len(senders)) as pool:
            for done in [pool.submit(one.send) for one in senders]:
                done.result()
        took_s = time.perf_counter() - began
        kept = {id: told for one in senders for id, told in one.kept.items()}
        print(f"{len(kept) / took_s:.0f} bets/s, slowest batch {max(one.slowest_s for one in senders) * 1_000:.0f} ms")
        assert len(kept) > len(senders) * BATCH
        assert engines.leases() == leases, "whoever was slow is not late"
        assert all(hosts.at(table).here and not hosts.at(table).view.now.held for table in HOME)
        rows = hosts.hosts["a"].studio.floor.reader().read(_BETS, ())
        assert {str(id): (str(bettor), int(stake)) for id, bettor, stake in rows} == kept
    found = verify(engines.postgres)
    assert found.ok, found.first_wrong
