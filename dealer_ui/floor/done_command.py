"""The newest commands of a table, known again when they are sent twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from studio.tables.declaration import Command

REMEMBERED_COMMANDS: Final = 2_000


class DoneCommands:
    """Of one table, on its thread."""

    def __init__(self) -> None:
        self._done: OrderedDict[str, int] = OrderedDict()

    def once(self, command: Command, act: Callable[[], int]) -> int:
        """What the act gives; given again where the same person has sent the same command before."""
        key = f"{command.actor.id}/{command.id}"
        if command.id and key in self._done:
            return self._done[key]
        seq = act()
        if command.id:
            self._done[key] = seq
            if len(self._done) > REMEMBERED_COMMANDS:
                self._done.popitem(last=False)
        return seq
