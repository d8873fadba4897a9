"""Turns the fields of a console's form into a command of the table.

`command` names what is asked (`start_round`), `id` was made by the screen so that a double tap is one act, `seen`
is the table's `moves` the person looked at, `about` the round, deck or freeze that the form was drawn for. A form
without an id (a browser without scripts) gets one from what it asks, so that sending it again is still the same act.
Circumstances come as `with.<name>`, arguments as `argument`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from werkzeug.datastructures import MultiDict

from studio.cards import Card
from studio.errors import BadInputError, RefusedError
from studio.people import Actor
from studio.tables.command import COMMANDS as EVERY
from studio.tables.declaration import Command, FieldKind, name_of, said_in
from studio.tables.event.change import PlannedTurn

FIELD_CHARACTERS_MAX: Final = 1_000
_WHOLE: Final = re.compile(r"-?[0-9]{1,16}")
Fields = MultiDict[str, str]

COMMANDS: Final[Mapping[str, type[Command]]] = {name_of(made): made for made in EVERY if made.terms.door}
"""Every command that a form may ask for, by the name it asks under."""


def read_fields(json: object, form: Fields) -> Fields:
    """The fields of a JSON body or of a form; `RefusedError` when they are no flat text, or too long."""
    fields = form if json is None else _flat(json)
    for values in fields.listvalues():
        if any(len(value) > FIELD_CHARACTERS_MAX for value in values):
            raise RefusedError("too_long", f"That is too long: write at most {FIELD_CHARACTERS_MAX} characters.")
    return fields


def read_command(fields: Fields, actor: Actor, table: str) -> Command:
    """The command the fields ask for; `RefusedError` says what is missing."""
    made = COMMANDS.get(fields.get("command", ""))
    if made is None:
        raise RefusedError(
            "unknown_command", "This station asked for something the studio does not know. Load it again."
        )
    seen = _number(fields, "seen") if fields.get("seen") else None
    id = fields.get("id") or id_of(fields, actor.id, table)
    told = {name: _READERS[how](fields, name) for name, how in said_in(made).items()}
    return made(actor=actor, id=id, seen=seen, about=fields.get("about", ""), **told)


def _flat(json: object) -> Fields:
    if not isinstance(json, dict):
        raise RefusedError("not_readable", "This station sent something that cannot be read. Load the page again.")
    fields: Fields = MultiDict()
    for name, value in json.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict | list) or one is None:
                raise RefusedError("not_readable", f"This station sent something odd as '{name}'. Load the page again.")
            fields.add(str(name), str(one).lower() if isinstance(one, bool) else str(one))
    return fields


def id_of(fields: Fields, *asked: str) -> str:
    """The id of a command from a page without scripts: a digest of who asks for what and where, so that sending the
    form again is the same act.
    """
    told = [(name, value) for name, value in sorted(fields.items(multi=True)) if name not in ("csrf", "pin", "id")]
    return hashlib.sha256(repr((*asked, told)).encode()).hexdigest()[:32]


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name, "").strip()
    if not value:
        raise RefusedError("field_missing", "Something is missing: fill in what is empty and ask again.", field=name)
    return value


def _number(fields: Fields, name: str) -> int:
    text = (fields.get(name) or "0").strip()
    if not _WHOLE.fullmatch(text):
        raise RefusedError("not_a_number", "Write a whole number, in digits.")
    return int(text)


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise RefusedError("not_a_number", "Write a whole number as minutes.")
    return int(text)


def _arguments(fields: Fields, name: str) -> tuple[str, ...]:
    """What the chosen ruling is about: a form that offers several rulings names each one's own."""
    told = (*fields.getlist("argument"), *fields.getlist(f"argument.{fields.get('ruling', '')}"))
    return tuple(value.strip() for value in told if value.strip())


def _circumstances(fields: Fields, name: str) -> tuple[tuple[str, str], ...]:
    told = ((name.removeprefix("with."), value) for name, value in fields.items() if name.startswith("with."))
    return tuple(sorted((name, value) for name, value in told if value))


def _card(fields: Fields, name: str) -> str:
    text = fields.get("card", "").strip()
    try:
        return str(Card.parse(text[:1].upper() + text[1:].lower()))
    except BadInputError:
        raise RefusedError("not_a_card", "Choose the rank and the suit of the card you read.") from None


def _needed_number(fields: Fields, name: str) -> int:
    _text(fields, name)
    return _number(fields, name)


def _turns(fields: Fields, name: str) -> tuple[PlannedTurn, ...]:
    """Rows of `dealer` and `at_ms`; a row without a dealer is none."""
    rows = zip(fields.getlist("dealer"), fields.getlist("at_ms"), strict=False)
    return tuple(PlannedTurn(dealer=dealer, dealer_name="", at_ms=_whole(at)) for dealer, at in rows if dealer)


def _box(fields: Fields, name: str) -> str:
    """A place of the felt: `at` names its box and its number together, else `box` and `place` do."""
    return fields["at"].partition(" ")[0] if "at" in fields else _text(fields, name)


def _place(fields: Fields, name: str) -> int:
    if "at" not in fields:
        return _number(fields, name)
    place = fields["at"].partition(" ")[2]
    if not re.fullmatch(r"[0-9]{1,2}", place):
        raise RefusedError("no_card", "There is no open card in that place; choose one that lies on the felt.")
    return int(place)


_READERS: Final[Mapping[FieldKind, Callable[[Fields, str], Any]]] = {
    FieldKind.TEXT: lambda fields, name: fields.get(name, "").strip(),
    FieldKind.NEEDED_TEXT: _text,
    FieldKind.NUMBER: _number,
    FieldKind.NEEDED_NUMBER: _needed_number,
    FieldKind.YES: lambda fields, name: fields.get(name) == "true",
    FieldKind.CARD: _card,
    FieldKind.BOX: _box,
    FieldKind.PLACE: _place,
    FieldKind.SEAT: lambda fields, name: _text(fields, "seat").partition(" ")[0],
    FieldKind.BETTOR: lambda fields, name: _text(fields, "seat").partition(" ")[2],
    FieldKind.DEALER_NAME: _text,
    FieldKind.TURNS: _turns,
    FieldKind.ARGUMENTS: _arguments,
    FieldKind.CIRCUMSTANCES: _circumstances,
}
