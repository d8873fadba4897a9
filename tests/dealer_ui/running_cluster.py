"""A studio of several processes with its crowds, as `make cluster` runs it, and what a test does to its processes."""

from __future__ import annotations

import random
import signal
import socket
import threading
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from closed_again import close_each, closed_again
from patience import wait_until
from private_postgres import NOT_THERE, as_server, programs

from dealer_ui.rehearsal.demo.options import OPERATOR
from dealer_ui.rehearsal.person.interface import Interface, InterfaceError, TableNow
from dealer_ui.rehearsal.person.web_bettors import WebBettors
from dealer_ui.verbs.cluster import SETTLE_S, Cluster
from dealer_ui.verbs.cluster_files import TABLES, WEB_NODES
from studio.journal import Reader

SPEED: Final = 4.0
_LOOK_S: Final = 0.2


class RunningCluster:
    """What has ended is started again, as a machine's own unit would, but for what is `down`."""

    def __init__(self, folder: Path, wallet: str = "") -> None:
        self.folder = folder
        self.cluster = Cluster(folder, port=free_ports(len(WEB_NODES)), speed=SPEED, seed=1, wallet=wallet)
        self.port, self.api_key = self.cluster.files.port, self.cluster.files.api_key
        assert self.cluster.postgres is not None
        self.postgres = self.cluster.postgres
        self.down: set[str] = set()
        self._stopping = threading.Event()
        self._keeping = threading.Thread(target=self._keep, daemon=True)
        self.bettors = WebBettors(self.cluster.web_ports, self.api_key, OPERATOR, TABLES, SPEED, launches=bool(wallet))
        self._interface = Interface("127.0.0.1", self.port, self.api_key, timeout_s=30.0)

    def __enter__(self) -> RunningCluster:
        with closed_again(self._end):
            self.cluster.start(self._stopping)
            self._keeping.start()
            self.bettors.start()
        return self

    def __exit__(self, *_: object) -> None:
        close_each((lambda: self.bettors.finish(0.0), self._end))

    def _end(self) -> None:
        self._interface.close()
        self._end_keeping()
        for process in self.cluster.processes:
            process.send(signal.SIGCONT)  # whoever stands still hears no other
        self.cluster.stop()

    # --- what is done to processes ----------------------------------------------------------------------

    def send(self, name: str, what: signal.Signals) -> None:
        next(one for one in self.cluster.processes if one.name == name).send(what)

    def stop_postgres(self) -> None:
        """As an administrator does: who is connected is sent away."""
        self.down.add("postgres")
        data = str(self.postgres.folder / "data")
        as_server([str(self.postgres.programs / "pg_ctl"), "-D", data, "-s", "-w", "-m", "fast", "stop"])

    # --- what is seen -----------------------------------------------------------------------------------

    def table(self, key: str) -> TableNow | None:
        """As a web node tells it to the operator; None while it cannot."""
        try:
            return self._interface.table(key)
        except (InterfaceError, OSError):
            return None

    def round_of(self, key: str) -> str:
        now = self.table(key)
        return now.round.id if now is not None and now.round is not None else ""

    def say(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.postgres.address, autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()

    def lease_of(self, what: str) -> tuple[str, int]:
        """Who has it, and the how-manieth hold that is."""
        [(host, epoch)] = self.say(f"SELECT host, epoch FROM studio.lease WHERE \"table\" = '{what}'")
        return str(host), int(epoch)

    def until_more_is_acknowledged(self, count: int) -> None:
        before = self.bettors.acknowledged
        wait_until(lambda: self.bettors.acknowledged >= before + count, _LOOK_S)

    def until_rounds_go_on(self) -> None:
        """Every table deals a round that it does not deal now."""
        before = {key: self.round_of(key) for key in TABLES}
        for key in TABLES:
            wait_until(lambda key=key: self.round_of(key) not in ("", before[key]), _LOOK_S)

    # --- the end ----------------------------------------------------------------------------------------

    def ask_for_the_rest(self) -> None:
        """Nobody bets any more, and whoever was not answered asks until he is."""
        self.bettors.finish(SETTLE_S)

    def checked(self) -> int:
        """The record is sound, and has what was acknowledged, once; gives how many rounds it holds."""
        self._end_keeping()
        verdict = self.cluster.read_record()
        assert verdict is not None
        assert verdict.first_wrong is None, verdict.first_wrong.sentence
        with closing(Reader.open(self.postgres.address)) as reader:
            assert not [*self.bettors.wrong(reader)]
        return verdict.rounds

    def _keep(self) -> None:
        while not self._stopping.wait(_LOOK_S):
            for process in self.cluster.processes:
                if process.ended and process.name not in self.down:
                    process.start()

    def _end_keeping(self) -> None:
        self._stopping.set()
        if self._keeping.is_alive():
            self._keeping.join()


def need_postgres() -> None:
    if programs() is None:
        pytest.skip(NOT_THERE)


def free_ports(count: int) -> int:
    """The first of so many in a row that nobody listens at; below those that the system gives to whoever connects."""
    chance = random.SystemRandom()
    while True:
        first = chance.randrange(20_000, 32_000)
        if all(_is_free(first + at) for at in range(count)):
            return first


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0
