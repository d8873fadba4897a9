"""A command as the form of a console says it: what `dealer_ui.frame.command_form` reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studio.tables.declaration import Command, FieldKind, name_of, said_in

Form = Mapping[str, str | list[str]]


def form_of(command: Command) -> Form:
    """The fields of its form; what a person types beside it (his PIN) is not in it.

    >>> from studio.people import Actor
    >>> from studio.tables.command import LoadShoe
    >>> form_of(LoadShoe(actor=Actor("d1", "Dewi", frozenset()), deck_id="A", id="x1", seen=7))
    {'command': 'load_shoe', 'id': 'x1', 'seen': '7', 'deck_id': 'A'}
    """
    made = type(command)
    said: dict[str, str | list[str]] = {"command": name_of(made), "id": command.id}
    if command.seen is not None:
        said["seen"] = str(command.seen)
    for name, how in said_in(made).items():
        said |= _field(how, name, getattr(command, name))
    return said


def _field(how: FieldKind, name: str, value: Any) -> Form:
    match how:
        case FieldKind.ARGUMENTS:
            return {"argument": list(value)}
        case FieldKind.CIRCUMSTANCES:
            return {f"with.{key}": one for key, one in value}
        case FieldKind.YES:
            return {name: "true" if value else ""}
        case FieldKind.SEAT:
            return {"seat": str(value)}
        case FieldKind.DEALER_NAME | FieldKind.BETTOR | FieldKind.TURNS:
            return {}  # the house knows the name; nobody here names a seat's bettor, or plans turns
    return {name: str(value)}
