"""What a simulated person needs of the studio: to look at a table, and to give commands."""

from __future__ import annotations

from typing import Protocol

from studio.tables.declaration import Command
from studio.views import TableView


class Desk(Protocol):
    """One table, as a person at it sees and commands it."""

    def view(self) -> TableView: ...

    def command(self, command: Command) -> None:
        """Carry it out; `RefusedError` says why not."""
        ...
