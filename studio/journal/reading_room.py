"""A record that a process only reads, with many threads: the file of another process, or a server's database."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from studio.journal.place import Place, driver_there, is_address
from studio.journal.reader import Reader


@dataclass(frozen=True, slots=True)
class ReadingRoom:
    """`reader` gives a reader for use by one thread, which closes it. `close` lets go of what readers share."""

    reader: Callable[[], Reader]
    close: Callable[[], None] = lambda: None

    @classmethod
    def of(cls, place: Place) -> ReadingRoom:
        """`BadInputError` where a server's database cannot be reached or read; a file is looked at by its readers."""
        if not is_address(place):
            return cls(lambda: Reader.open(place))
        with driver_there():
            from studio.journal.postgres.connection import PooledDatabase, connect_to_read, pool
        address = str(place)
        connect_to_read(address).close()
        shared = pool(address)
        database = PooledDatabase(shared)
        return cls(lambda: Reader(database, contextlib.nullcontext(), owns_connection=False), shared.close)
