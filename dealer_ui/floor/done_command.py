"""The newest commands of a table, known again when they are sent twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from studio.tables.declaration import Command, FieldKind, name_of, said_in

REMEMBERED_COMMANDS: Final = 2_000


def _said(command: Command) -> tuple[object, ...]:
    """What a form says in it, each field by itself; turns of a plan, told from now, have other times at each tap."""
    said = said_in(type(command)).items()
    return tuple(getattr(command, name) for name, kind in said if kind is not FieldKind.TURNS)


class DoneCommands:
    """Of one table, on its thread."""

    def __init__(self) -> None:
        self._done: OrderedDict[Hashable, int] = OrderedDict()

    def once(self, command: Command, act: Callable[[], int]) -> int:
        """What the act gives; given again where the same person has sent the same command before.

        A page keeps the id of an order that was never answered, and something else may be chosen in it by then: under
        that id it is another command.
        """
        if not command.id:
            return act()
        key = (command.actor.id, command.id, name_of(type(command)), _said(command))
        if key in self._done:
            return self._done[key]
        seq = self._done[key] = act()
        if len(self._done) > REMEMBERED_COMMANDS:
            self._done.popitem(last=False)
        return seq
