"""The database's machine goes, and its synchronous standby is promoted: nothing acknowledged is lost, play goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fail_over import balance, deposit, is_done, server_folder
from nats_server import NatsServer, needs_nats
from patience import wait_until
from private_postgres import NOT_THERE, as_server, programs
from running_studio import PIT
from wire_house import WireHouse

from studio.errors import RefusedError
from studio.journal.chain import check
from studio.tables import command as c

pytestmark = [needs_nats, pytest.mark.night]
NAMES = ("primary", "standby")


class Pair:
    """A primary that answers a commit once its standby has it, each on a socket of its own folder."""

    def __init__(self, folder: Path, found: Path) -> None:
        self.folder, self._programs = folder, found
        for name in NAMES:
            (folder / name).mkdir()
            if os.geteuid() == 0:
                shutil.chown(folder / name, "postgres", "postgres")
        self._run(
            "initdb", "-D", self._data("primary"), "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"
        )
        self.start("primary")
        self.say("primary", "CREATE DATABASE floor TEMPLATE template0 ENCODING 'UTF8'")
        copied = ("-D", self._data("standby"), "-h", str(folder / "primary"), "-U", "postgres", "-R", "-X", "stream")
        self._run("pg_basebackup", *copied, "-c", "fast")
        self.start("standby")
        self.say("primary", "ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.say("primary", "SELECT pg_reload_conf()")
        wait_until(lambda: self.say("primary", "SELECT sync_state FROM pg_stat_replication") == [("sync",)])

    @property
    def address(self) -> str:
        """Of whichever of the two takes what is written."""
        hosts = ",".join(str(self.folder / name) for name in NAMES)
        return f"postgresql://postgres@/floor?host={hosts}&target_session_attrs=read-write"

    def start(self, name: str) -> None:
        settings = f"-c listen_addresses= -c unix_socket_directories={self.folder / name} -c shared_buffers=32MB"
        self._run(
            "pg_ctl", "-D", self._data(name), "-s", "-w", "-o", settings, "-l", str(self.folder / name / "log"), "start"
        )

    def kill_primary(self) -> None:
        """Its machine goes: nobody there says goodbye."""
        pid = int((self.folder / "primary" / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)

    def promote(self) -> None:
        self._run("pg_ctl", "-D", self._data("standby"), "-s", "-w", "promote")

    def say(self, name: str, statement: str) -> list[tuple[Any, ...]]:
        place = f"postgresql://postgres@/postgres?host={self.folder / name}"
        with psycopg.connect(place, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        for name in NAMES:
            with suppress(subprocess.CalledProcessError):
                self._run("pg_ctl", "-D", self._data(name), "-s", "-m", "immediate", "stop")

    def _data(self, name: str) -> str:
        return str(self.folder / name / "data")

    def _run(self, program: str, *arguments: str) -> None:
        as_server([str(self._programs / program), *arguments])


@pytest.fixture
def pair() -> Iterator[Pair]:
    found = programs()
    if found is None:
        pytest.skip(NOT_THERE)
    with server_folder() as folder, closing(Pair(folder, found)) as made:
        yield made


def test_the_standby_is_promoted_and_tables_go_on_over_the_same_address(pair: Pair, tmp_path: Path) -> None:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=pair.address) as house:
        house.open("t3")
        kept = [id for id in ("d1", "d2", "d3") if deposit(house, id) == 200]
        assert len(kept) == 3
        pair.kill_primary()
        with pytest.raises((RefusedError, TimeoutError)):
            house.do("t3", c.FreezeTable, PIT)
        assert deposit(house, "d4") != 200
        pair.promote()
        wait_until(lambda: deposit(house, "d4") == 200)
        wait_until(lambda: house.at_host("t3").now.status == "open" and house.web.floor.view("t3").now.status == "open")
        wait_until(lambda: is_done(house, c.FreezeTable))
        wait_until(lambda: balance(house) == 400)
        assert pair.say("standby", "SELECT pg_is_in_recovery()") == [(False,)]
        assert check(pair.address) is None
