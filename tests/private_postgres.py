"""A PostgreSQL of the tests' own: in a temporary folder, on a socket in it, and gone with them.

It runs as nobody but itself: root starts it as the `postgres` that Debian's package makes. Each test gets a database
that nobody has written to.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from closed_again import closed_again

from studio.journal.postgres.connection import connect
from studio.journal.postgres.schema import migrate

NOT_THERE = "PostgreSQL is not installed: run make setup as root, or install postgresql."
_SETTINGS = ("shared_buffers=32MB", "max_connections=60", "listen_addresses=", "autovacuum=off")
_NUMBERS = count(1)
_ROOM = 1 << 30
_BEGUN = "begun"
"""A database that has its tables already, from which the others are copied."""


@dataclass(frozen=True)
class PostgresServer:
    """A server that runs. `programs`: the folder of its programs."""

    folder: Path
    programs: Path

    def address(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def say(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Say a statement as its owner."""
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def new_database(self) -> str:
        name = f"studio{next(_NUMBERS)}"
        self.say(f"CREATE DATABASE {name} TEMPLATE {_BEGUN}")
        return name

    def start(self) -> None:
        settings = " ".join(f"-c {setting}" for setting in [*_SETTINGS, f"unix_socket_directories={self.folder}"])
        self._control("start", "-w", "-o", settings, "-l", str(self.folder / "log"))

    def stop(self, how: str = "immediate") -> None:
        self._control("stop", "-m", how)

    def _control(self, *arguments: str) -> None:
        as_server([str(self.programs / "pg_ctl"), "-D", str(self.folder / "data"), "-s", *arguments])


def programs() -> Path | None:
    """Where PostgreSQL's programs lie on this machine; None where it is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda found: int(found.parts[-3]))
    found = debian[-1] if debian else shutil.which("initdb")
    return Path(found).parent if found else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The server of this process' tests."""
    found = programs()
    if found is None:
        pytest.skip(NOT_THERE)
    memory = Path("/dev/shm")  # a test waits for many syncs, and none of them has to outlive the machine
    place = memory if memory.is_dir() and shutil.disk_usage(memory).free > _ROOM else Path("/tmp")
    folder = Path(tempfile.mkdtemp(prefix="studio-pg-", dir=place))  # a socket's name must be short
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        initdb = [str(found / "initdb"), "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-N"]
        as_server([*initdb, "-E", "UTF8", "--locale=C"])
        server = PostgresServer(folder, found)
        server.start()
        with closed_again(server.stop):
            server.say(f"CREATE DATABASE {_BEGUN} TEMPLATE template0 ENCODING 'UTF8'")
            with closing(connect(server.address(_BEGUN), reads_only=False)) as connection:
                migrate(connection, _BEGUN)
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_address(postgres: PostgresServer) -> Iterator[str]:
    """The address of a database in which nothing has happened."""
    name = postgres.new_database()
    yield postgres.address(name)
    postgres.say(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def as_server(command: list[str]) -> None:
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")


def place_of(request: pytest.FixtureRequest, folder: Path) -> str | Path:
    """The place that a parameter of a fixture names: a new `file`, `memory`, or a `server`'s database."""
    if request.param == "server":
        return str(request.getfixturevalue("postgres_address"))
    return ":memory:" if request.param == "memory" else folder / "studio.db"
