"""Two PostgreSQL servers under Patroni, with one etcd, in a folder of the test's own, and gone with it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psycopg
from patience import wait_until
from private_postgres import NOT_THERE, programs

NAMES: Final = ("db-1", "db-2")
ETCD: Final = shutil.which("etcd")
PATRONI: Final = shutil.which("patroni")
_LOOK_S: Final = 0.2
_SETTINGS: Final = {
    "ttl": 20, "loop_wait": 3, "retry_timeout": 5, "maximum_lag_on_failover": 0, "synchronous_mode": True,
    "postgresql": {
        "use_pg_rewind": True,
        "parameters": {"max_connections": 60, "shared_buffers": "32MB", "wal_log_hints": "on"},
    },
}  # fmt: skip


def why_not() -> str:
    """In a sentence, what is not installed; empty where all of it is."""
    if programs() is None:
        return NOT_THERE
    if ETCD is None or PATRONI is None:
        return (
            "Patroni is not installed: run 'make setup' as root, or 'apt-get install patroni etcd-server python3-etcd'."
        )
    return ""


class PatroniPair:
    """Each server with its Patroni is one machine; the etcd is a third one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ports = {name: _free_port() for name in NAMES}
        self._etcd_port = _free_port()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        try:
            self._come_up()
        except BaseException:
            self.close()
            raise

    def _come_up(self) -> None:
        self._start_etcd()
        for name in NAMES:
            self._write(name)
            self.start(name)
            wait_until(lambda name=name: self.role(name), _LOOK_S)
        wait_until(lambda: sorted(map(self.role, NAMES)) == ["master", "sync_standby"], _LOOK_S)
        self.say(self.leader, "CREATE DATABASE floor TEMPLATE template0 ENCODING 'UTF8'")

    @property
    def address(self) -> str:
        """Of whichever of the two takes what is written."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self._ports.values())
        return f"postgresql://postgres@{hosts}/floor?target_session_attrs=read-write"

    @property
    def leader(self) -> str:
        return next((name for name in NAMES if self.role(name) == "master"), "")

    def role(self, name: str) -> str:
        """What etcd knows of a server that runs: master, replica or sync_standby; empty where it knows none."""
        try:
            with psycopg.connect(self._address(name), connect_timeout=2, autocommit=True) as raw:
                [(standby,)] = raw.execute("SELECT pg_is_in_recovery()").fetchall()
                if not standby:
                    return "master"
            leader = self._address(next(one for one in NAMES if one != name))
            with psycopg.connect(leader, connect_timeout=2, autocommit=True) as raw:
                rows = raw.execute("SELECT sync_state FROM pg_stat_replication").fetchall()
            return "sync_standby" if rows == [("sync",)] else "replica"
        except psycopg.Error:
            return ""

    def start(self, name: str) -> None:
        assert PATRONI is not None
        self._run(name, [PATRONI, str(self.folder / f"{name}.yml")])

    def kill(self, name: str) -> None:
        """Its machine goes: neither Patroni nor the server says goodbye."""
        patroni = self._running.pop(name)
        patroni.kill()
        patroni.wait()
        with suppress(FileNotFoundError, ProcessLookupError):
            postmaster = int((self.folder / name / "postmaster.pid").read_text().split()[0])
            for pid in (postmaster, *_children(postmaster)):
                os.kill(pid, signal.SIGKILL)

    def say(self, name: str, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self._address(name), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        for name in [one for one in self._running if one in NAMES]:
            self.kill(name)
        for process in self._running.values():
            process.kill()
            process.wait()

    def _address(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self._ports[name]}/postgres"

    def _start_etcd(self) -> None:
        assert ETCD is not None
        client, peer = f"http://127.0.0.1:{self._etcd_port}", f"http://127.0.0.1:{_free_port()}"
        self._run(
            "etcd",
            [ETCD, "--name", "e1", "--data-dir", str(self.folder / "etcd"), "--listen-client-urls", client,
             "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
             "--initial-cluster", f"e1={peer}", "--unsafe-no-fsync"],
        )  # fmt: skip

    def _write(self, name: str) -> None:
        """JSON is YAML, too."""
        found = programs()
        assert found is not None
        anybody = {"username": "postgres", "password": "of-nobody"}
        told = {
            "scope": "floor",
            "name": name,
            "restapi": dict.fromkeys(("listen", "connect_address"), f"127.0.0.1:{_free_port()}"),
            "etcd3": {"hosts": f"127.0.0.1:{self._etcd_port}"},
            "bootstrap": {"dcs": _SETTINGS, "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "no-sync"]},
            "postgresql": {
                **dict.fromkeys(("listen", "connect_address"), f"127.0.0.1:{self._ports[name]}"),
                "data_dir": str(self.folder / name),
                "bin_dir": str(found),
                "pgpass": str(self.folder / f"{name}.pgpass"),
                "authentication": {"superuser": anybody, "replication": anybody},
                "pg_hba": ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
                "parameters": {"unix_socket_directories": ""},
            },
        }  # fmt: skip
        (self.folder / f"{name}.yml").write_text(json.dumps(told), encoding="utf-8")

    def _run(self, name: str, command: list[str]) -> None:
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")


def _children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
