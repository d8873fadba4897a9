"""Which incidents a demo has seen, and which recipe the person at its hands follows."""

from __future__ import annotations

import threading
from typing import Final

from dealer_ui.rehearsal.practice.recipe import Practice, practices_of
from studio.journal import Reader
from studio.tables.event.record import read_body
from studio.tables.event.table import IncidentOpened

_KINDS: Final = (IncidentOpened.__name__,)


class Practised:
    """What was practised at one table. Callable from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seq = 0
        self._seen: set[tuple[str, str]] = set()
        self._followed = ""

    def look(self, reader: Reader, table: str) -> None:
        """Take in the incidents of the table that have been opened since the last look."""
        with self._lock:
            for row in reader.events(after_seq=self._seq, table=table, kinds=_KINDS):
                self._seq = row.seq
                event = read_body(row.body).event
                if isinstance(event, IncidentOpened):
                    self._seen.add((event.incident, event.row))

    def has(self, practice: Practice) -> bool:
        """Whether such an incident was opened under its row."""
        return (practice.kind, practice.row) in self._seen

    def follow(self, key: str) -> None:
        """Follow the recipe of this key; given the key that is followed already, or an empty one, follow none."""
        self._followed = "" if key == self._followed else key

    def followed(self, game: str) -> Practice | None:
        return next((one for one in practices_of(game) if one.key == self._followed), None)
