"""What there is to say of a record in PostgreSQL and of the line to it: whatever a table host would be refused for,
and what an administrator should know before it comes to that.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from studio.errors import BadInputError, StorageError
from studio.journal.place import driver_there
from studio.proof.machine.host import HostFinding
from studio.proof.machine.upkeep import DAY_MS, last_backup

if TYPE_CHECKING:
    from studio.journal.postgres.connection import RawConnection

CONNECTIONS_OF_A_PROCESS: Final = 12
OFF_S_NOTE: Final = 0.5
_SHARE_MAX: Final = 0.8

_BOOKS: Final = "SELECT host, journal_seq FROM book ORDER BY host"
_USED: Final = """
SELECT count(*)::integer,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
FROM pg_stat_activity WHERE backend_type = 'client backend'
"""
_ENCRYPTED: Final = """
SELECT ssl, inet_server_addr() IS NULL OR inet_server_addr() = inet_client_addr()
FROM pg_stat_ssl WHERE pid = pg_backend_pid()
"""
_STANDBY: Final = "SELECT current_setting('synchronous_standby_names') <> '', current_setting('synchronous_commit')"
_LAPSED: Final = 'SELECT "table", host FROM lease WHERE until < clock_timestamp() ORDER BY "table"'


def examine_server(address: str, keys: str, now_s: Callable[[], float]) -> Iterator[HostFinding]:
    """Everything there is to say, one after another; nothing is changed."""
    with driver_there():
        from studio.journal.postgres.connection import connect, told
    try:
        with closing(connect(address, reads_only=True)) as raw, told():
            yield HostFinding("server", "ok", f"The database answers; its PostgreSQL is {_version(raw)}.")
            yield from _fits(raw, now_s)
            yield _standby(raw)
            yield _encrypted(raw)
            yield _connections(raw)
            yield from _record(raw, now_s)
    except (BadInputError, StorageError) as error:
        yield HostFinding("server", "missing", str(error))
    yield from _keys(address, keys)


def _version(raw: RawConnection) -> str:
    return f"{raw.info.server_version // 10_000}.{raw.info.server_version % 10_000}"


def _fits(raw: RawConnection, now_s: Callable[[], float]) -> Iterator[HostFinding]:
    from studio.journal.postgres.engine import OFF_S_MAX, clock_off_s, require_fit

    try:
        require_fit(raw, "")
        yield HostFinding(
            "settings", "ok", "It keeps what it has answered: synchronous_commit, fsync, full_page_writes."
        )
    except BadInputError as error:
        yield HostFinding("settings", "missing", error.sentence)
    off_s = clock_off_s(raw, now_s)
    said = f"This machine's clock is {off_s:+.1f} s from the database's"
    if abs(off_s) > OFF_S_MAX:
        yield HostFinding("server clock", "missing", f"{said}: no table host starts; have a time service set both.")
    elif abs(off_s) > OFF_S_NOTE:
        yield HostFinding("server clock", "note", f"{said}: have a time service set both.")
    else:
        yield HostFinding("server clock", "ok", f"{said}.")


def _standby(raw: RawConnection) -> HostFinding:
    row = raw.execute(_STANDBY).fetchone()
    assert row is not None
    named, level = row
    if not named:
        sentence = "No standby confirms a commit: with the server's disk, what it has answered is lost. Name one."
        return HostFinding("standby", "note", sentence)
    if level == "local":
        return HostFinding("standby", "missing", "synchronous_commit is local: no standby is waited for; set it on.")
    return HostFinding("standby", "ok", "A standby confirms each commit.")


def _encrypted(raw: RawConnection) -> HostFinding:
    row = raw.execute(_ENCRYPTED).fetchone()
    if row is not None and row[0]:
        return HostFinding("server line", "ok", "The line to the database is encrypted.")
    if row is not None and row[1]:
        return HostFinding("server line", "ok", "The database is on this machine: its line need not be encrypted.")
    sentence = "The line to the database is not encrypted: say sslmode=verify-full in its address."
    return HostFinding("server line", "missing", sentence)


def _connections(raw: RawConnection) -> HostFinding:
    row = raw.execute(_USED).fetchone()
    assert row is not None
    used, most = int(row[0]), int(row[1])
    said = f"{used} of {most} connections are taken, and each process of the studio wants {CONNECTIONS_OF_A_PROCESS}"
    if used > _SHARE_MAX * most:
        return HostFinding("connections", "missing", f"{said}: raise max_connections.")
    return HostFinding("connections", "ok", f"{said}.")


def _record(raw: RawConnection, now_s: Callable[[], float]) -> Iterator[HostFinding]:
    from studio.journal.postgres.schema import require_current

    try:
        require_current(raw, "")
    except BadInputError as error:
        yield HostFinding("record", "missing", error.sentence)
        return
    books = ", ".join(f"{host} to row {seq}" for host, seq in raw.execute(_BOOKS).fetchall())
    yield HostFinding("record", "ok", f"It holds the books of {books}." if books else "It holds no book yet.")
    for table, host in raw.execute(_LAPSED).fetchall():
        sentence = f"Nobody runs the table {table} now; the host {host} had it last."
        yield HostFinding("tables", "note", sentence)
    yield _backup(raw, now_s)


def _backup(raw: RawConnection, now_s: Callable[[], float]) -> HostFinding:
    """Whether its folder is still there is seen on the machine that it lies on alone."""
    from studio.journal.postgres.backup_note import backup_noted

    if (note := backup_noted(raw)) is None:
        sentence = "The record was never backed up: studio backup ADDRESS FOLDER --keys-to OTHER --keys-at --shared."
        return HostFinding("backup", "missing", sentence)
    here = note.machine == socket.gethostname()
    folder = note.folder if here else f"{note.folder} on {note.machine}"
    there = not here or Path(note.folder).exists()
    return last_backup(folder, (now_s() * 1000 - note.at_ms) / DAY_MS, is_there=there, has_keys=bool(note.keys))


def _keys(address: str, keys: str) -> Iterator[HostFinding]:
    if not keys:
        sentence = "Where the keys of sealed cards lie was not said, so they were not looked at: --keys ADDRESS."
        yield HostFinding("keys", "note", sentence)
        return
    from studio.journal.postgres.connection import connect, told

    try:
        with closing(connect(keys, reads_only=True)) as raw, told():
            row = raw.execute(
                "SELECT to_regclass('sealed.card_key') IS NOT NULL, to_regclass('studio.journal') IS NOT NULL"
            )
            there, beside = row.fetchone() or (False, False)
    except (BadInputError, StorageError) as error:
        yield HostFinding("keys", "missing", f"Of the keys: {error}")
        return
    if beside or keys == address:
        sentence = "Keys and record are in one database: whoever reads the record can open cards. Keep them apart."
        yield HostFinding("keys", "missing", sentence)
    elif there:
        yield HostFinding("keys", "ok", "The keys of sealed cards lie in a database of their own.")
    else:
        yield HostFinding(
            "keys", "note", "The database of keys is empty: its table is made when a host opens it first."
        )
