"""The only place where the form of a correction becomes the facts that are asked for, and back.

`void` is the whole round; else `card.<id>` says what a card was, `swap_a` and `swap_b` name two hands the record has
the wrong way round, `out` a card that does not count, `move` with `to` (`box.place`) one that belongs elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from studio.cards import Card
from studio.errors import BadInputError, RefusedError
from studio.rounds import CardMoved, CardRemoved, CardReplaced, HandsExchanged
from studio.tables.event import Righting

FIELD_CHARACTERS_MAX = 400


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the form asks for; `fields` are those that ask it again."""

    facts: tuple[Righting, ...]
    void: bool
    fields: Mapping[str, str]


def read_wanted(form: Mapping[str, str]) -> Wanted:
    """The correction a form asks for; `RefusedError` where it cannot be read."""
    if any(len(value) > FIELD_CHARACTERS_MAX for value in form.values()):
        raise RefusedError("too_long", f"That is too long: write at most {FIELD_CHARACTERS_MAX} characters.")
    fields = {name: value for name, value in form.items() if value and _asks(name)}
    if fields.get("void"):
        return Wanted((), void=True, fields={"void": "1"})
    return Wanted(tuple(_facts(fields)), void=False, fields=fields)


def _asks(name: str) -> bool:
    return name.startswith("card.") or name in ("void", "swap_a", "swap_b", "out", "move", "to")


def _facts(fields: Mapping[str, str]) -> Iterator[Righting]:
    """Whose cards they were first, then what they were."""
    if fields.get("swap_a") or fields.get("swap_b"):
        yield HandsExchanged(a=fields.get("swap_a", ""), b=fields.get("swap_b", ""))
    if id := fields.get("out"):
        yield CardRemoved(id=id)
    if id := fields.get("move"):
        box, _, place = fields.get("to", "").rpartition(".")
        yield CardMoved(id=id, box=box, place=int(place) if place.isascii() and place.isdigit() and place else 0)
    for name, value in fields.items():
        if name.startswith("card."):
            yield CardReplaced(id=name.removeprefix("card."), face=_card(value), source="manual")


def _card(text: str) -> Card:
    try:
        return Card.parse(text)
    except BadInputError as error:
        raise RefusedError("bad_card", "Choose the card from the list.") from error
