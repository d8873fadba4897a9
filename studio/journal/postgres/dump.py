"""A schema of a server's database written into a file by PostgreSQL's own `pg_dump`, and put back by its `pg_restore`.

Passwords never stand in the arguments of the program, which lists of processes show. The user's travels in its
environment; that of his key, for which there is no such name, in a service file that is on no disk.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from studio.errors import BadInputError, StorageError
from studio.journal.postgres.connection import RawConnection, connect, told, without_password
from studio.journal.postgres.schema import SCHEMA, require_current

SEALED: Final = "sealed"
"""The schema of the keys of sealed cards."""
_SERVICE: Final = "studio"
_DEBIAN: Final = Path("/usr/lib/postgresql")
_VERSION: Final = re.compile(r"\(PostgreSQL\) (\d+)")
_NOT_THERE: Final = (
    "PostgreSQL's {} is not installed here: install postgresql-client, of the server's version or newer."
)


@dataclass(frozen=True, slots=True)
class BookEnd:
    """Where a host's chains end."""

    host: str
    journal: tuple[int, str]
    ledger: tuple[int, str]


def program(name: str) -> str:
    """The newest of that name on this machine."""
    debian = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda found: int(found.parts[-3]))
    found = str(debian[-1]) if debian else shutil.which(name)
    if found is None:
        raise BadInputError(_NOT_THERE.format(name))
    return found


def dump_record(address: str, target: Path) -> tuple[BookEnd, ...]:
    """Write the record as it stands at one moment; gives where each book ends in it."""
    with closing(connect(address, reads_only=True)) as raw, told():
        require_current(raw, without_password(address))
        raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        row = raw.execute("SELECT pg_export_snapshot()").fetchone()
        assert row is not None
        ends = _ends(raw)
        dump(address, target, SCHEMA, snapshot=str(row[0]))
    return ends


def book_ends(address: str) -> tuple[BookEnd, ...]:
    with closing(connect(address, reads_only=True)) as raw:
        return _ends(raw)


def _ends(raw: RawConnection) -> tuple[BookEnd, ...]:
    rows = raw.execute(
        "SELECT host, journal_seq, journal_hash, ledger_seq, ledger_hash FROM book ORDER BY host"
    ).fetchall()
    return tuple(BookEnd(host, (int(seq), hash), (int(last), bound)) for host, seq, hash, last, bound in rows)


def dump(address: str, target: Path, schema: str, snapshot: str = "") -> None:
    """Into a file that is there already, empty, and stays its owner's alone."""
    seen = [f"--snapshot={snapshot}"] if snapshot else []
    arguments = ["--format=custom", "--no-owner", "--no-privileges", f"--schema={schema}", *seen]
    with target.open("wb") as file:
        _run("pg_dump", address, arguments, file.fileno())
        os.fsync(file.fileno())


def put_back(address: str, source: Path, schema: str) -> None:
    """All of it or nothing; `BadInputError` where such a schema is there already."""
    where = without_password(address)
    with closing(connect(address, reads_only=False)) as raw, told():
        row = raw.execute("SELECT to_regnamespace($1) IS NOT NULL", (schema,)).fetchone()
    if row is not None and row[0]:
        sentence = "Something lies there already, and nothing is overwritten: create an empty database."
        raise BadInputError(sentence, where=where)
    _run(
        "pg_restore", address, ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", str(source)]
    )


def dump_keys(address: str, target: Path) -> None:
    """The same of the keys of sealed cards; `BadInputError` where no host has kept one yet, or they lie elsewhere."""
    with closing(connect(address, reads_only=True)) as raw, told():
        [there] = raw.execute("SELECT to_regclass('sealed.card_key') IS NOT NULL").fetchone() or (False,)
    if not there:
        sentence = (
            "No host has kept keys of sealed cards there: name the database of keys, or leave it out until one has."
        )
        raise BadInputError(sentence, where=without_password(address))
    dump(address, target, SEALED)


def settle_anew(address: str) -> None:
    """Commits were numbered by the transactions of another server: here all of them are over."""
    with closing(connect(address, reads_only=False)) as raw, told():
        raw.execute("UPDATE group_commit SET xid = '3'::xid8")
        raw.execute("UPDATE lease SET until = clock_timestamp()")


def _run(name: str, address: str, arguments: list[str], out: int = subprocess.DEVNULL) -> None:
    told_by = {name: str(value) for name, value in conninfo_to_dict(address).items() if value is not None}
    secret = {name: told_by.pop(name) for name in ("password", "sslpassword") if name in told_by}
    environment = {**os.environ, "LC_ALL": "C"}
    if "password" in secret:
        environment["PGPASSWORD"] = secret["password"]
    with _key_password(secret.get("sslpassword", ""), told_by) as (file, where):
        command = [program(name), f"--dbname={make_conninfo(**told_by, **where)}", "--no-password", *arguments]
        environment |= {"PGSERVICEFILE": f"/proc/self/fd/{file}"} if file else {}
        done = subprocess.run(  # noqa: S603 - the server's own programs
            command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, check=False,
            pass_fds=[file] if file else [],
        )  # fmt: skip
    if done.returncode:
        lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        said = next((line for line in lines if "error" in line), lines[-1] if lines else "it said nothing")
        raise StorageError(f"{name} failed: {said.removeprefix(f'{name}: ').removeprefix('error: ')}.")


@contextmanager
def _key_password(password: str, told_by: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """A service file in memory that has the password of the user's key, and how an address names it; none without."""
    if not password:
        yield 0, {}
        return
    if "service" in told_by or "\n" in password:
        raise BadInputError("Write the password of the key (sslpassword) into the service's own file.")
    with os.fdopen(os.memfd_create("service"), "w") as file:
        file.write(f"[{_SERVICE}]\nsslpassword={password}\n")
        file.flush()
        yield file.fileno(), {"service": _SERVICE}
