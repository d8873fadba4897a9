"""A record as an older version kept it: the same rows in the tables that its own migrations made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from studio.journal.sqlite.schema import APPLICATION_ID, migrations


def as_kept_before(path: Path, step: str) -> None:
    """The file as it was before that migration; what later ones added to its rows is left out."""
    new = path.rename(path.with_name("new.db"))
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrations.apply(Database(old, recursive_triggers=False), stop_before=step)
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        old.execute("ATTACH DATABASE ? AS new", (str(new),))
        tables = [name for [name] in old.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
        for table in tables:
            if table.startswith("_"):
                continue
            columns = ", ".join(f'"{row[1]}"' for row in old.execute(f'PRAGMA main.table_info("{table}")'))
            old.execute(f'INSERT INTO main."{table}" ({columns}) SELECT {columns} FROM new."{table}"')
    new.unlink()
