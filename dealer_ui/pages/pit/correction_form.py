"""The form of a correction: into the facts that are asked for, and back.

`void` is the whole round: `1`, or the game's word for the hands that are paid all the same. Else `card.<id>` says what
a card was, `swap_a` and `swap_b` name two hands the record has the wrong way round, `out` a card that does not count,
`move` with `to` (`box.place`) one that belongs elsewhere, `hand` the boxes (`3` or `3 5`) whose hands are void.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from studio.cards import Card
from studio.errors import BadInputError, RefusedError
from studio.rounds import CardMoved, CardRemoved, CardReplaced, HandsExchanged, HandVoided
from studio.rulebook.game import Game
from studio.tables.event.table import Righting
from studio.tables.state.box import zones_of

FIELD_CHARACTERS_MAX = 400


@dataclass(frozen=True, slots=True)
class WantedCorrection:
    """The correction that a form asks for. `fields` are the form's own, to ask for the same once more."""

    facts: tuple[Righting, ...] = ()
    void: bool = False
    pays: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


def read_wanted(form: Mapping[str, str], game: Game) -> WantedCorrection:
    """The correction a form asks for; `RefusedError` where it cannot be read."""
    if any(len(value) > FIELD_CHARACTERS_MAX for value in form.values()):
        raise RefusedError("too_long", f"That is too long: write at most {FIELD_CHARACTERS_MAX} characters.")
    fields = {name: value for name, value in form.items() if value and _asks(name)}
    if fields.get("void") == "1":
        return WantedCorrection(void=True, fields={"void": "1"})
    if pays := fields.get("void", ""):
        cards = {name: value for name, value in fields.items() if name != "hand"}
        return WantedCorrection(tuple(_facts(cards, game)), void=True, pays=pays, fields=cards)
    return WantedCorrection(tuple(_facts(fields, game)), fields=fields)


def _asks(name: str) -> bool:
    return name.startswith("card.") or name in ("void", "swap_a", "swap_b", "out", "move", "to", "hand")


def _facts(fields: Mapping[str, str], game: Game) -> Iterator[Righting]:
    """Whose cards they were first, then what they were; what does not count at all comes last."""
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
    for box in fields.get("hand", "").split():
        yield HandVoided(box=box, zones=zones_of(game, box))


def _card(text: str) -> Card:
    try:
        return Card.parse(text)
    except BadInputError as error:
        raise RefusedError("bad_card", "Choose the card from the list.") from error
