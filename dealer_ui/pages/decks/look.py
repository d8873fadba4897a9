"""The register of decks, as its pages show it: each deck, where it is just now, its life."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.floor.house import House, name_of
from dealer_ui.words.language import Language
from studio.decks import AnyDeckEvent, RegisteredDeck, Whereabouts, stock
from studio.decks.deck_event import StockCounted, StockDifference
from studio.views import TableView

STATES: Final = ("in_shoe", "in_shuffler", "resting", "stored", "withdrawn", "destroyed")
"""Where a deck may be, what is in use first."""


@dataclass(frozen=True, slots=True)
class DeckLook:
    """A deck as the pages show it. `state`: one of `STATES`; `where`: its table's title, or the place it is kept in."""

    deck: RegisteredDeck
    state: str
    where: str


@dataclass(frozen=True, slots=True)
class LifeLine:
    """One event of a deck's life, told."""

    at_ms: int
    sentence: str


def look_at(house: House, deck: RegisteredDeck) -> DeckLook:
    if deck.whereabouts is not Whereabouts.AT_TABLE:
        return DeckLook(deck, str(deck.whereabouts), deck.place)
    if deck.table not in house.tables:
        return DeckLook(deck, "resting", deck.table)
    view = house.view(deck.table)
    return DeckLook(deck, _at_table(deck, view), view.title)


def inventory(house: House) -> Sequence[tuple[str, Sequence[DeckLook]]]:
    """Every deck, by where it is."""
    looks = [look_at(house, deck) for deck in house.decks.register.decks.values()]
    return [(state, found) for state in STATES if (found := [look for look in looks if look.state == state])]


def life_of(house: House, deck: RegisteredDeck, language: Language) -> Sequence[LifeLine]:
    """What happened to a deck, the newest first."""
    titles = {table: house.view(table).title for table in house.tables}
    names = Names(lambda id: name_of(house, id), lambda table: titles.get(table, table))
    return [LifeLine(event.at_ms, tell(event, language, names)) for event in reversed(deck.history)]


@dataclass(frozen=True, slots=True)
class StockLook:
    """The count of the stock: the last one and who made it, when the next is due, what is open, where to look."""

    counted: StockCounted | None
    people: tuple[str, ...]
    due_ms: int | None
    is_late: bool
    open: Sequence[tuple[StockDifference, str, str]]
    places: Sequence[tuple[str, str]]


def stock_look(house: House) -> StockLook:
    """Of each difference and place, how people call it."""
    desk = house.decks
    register, due_ms = desk.register, desk.count_due_ms
    titles = {table: house.view(table).title for table in house.tables}
    last = register.counted
    return StockLook(
        last,
        (name_of(house, last.by), name_of(house, last.beside)) if last is not None else (),
        due_ms,
        due_ms is not None and house.now_ms() >= due_ms,
        [(one, titles.get(one.said, one.said), titles.get(one.place, one.place)) for one in register.open],
        [(place, titles.get(place, place)) for place in stock.places(register)],
    )


def _at_table(deck: RegisteredDeck, view: TableView) -> str:
    if view.shoe.deck and deck.is_called(view.shoe.deck):
        return "in_shoe"
    if view.shoe.machine is not None and view.shoe.machine.deck and deck.is_called(view.shoe.machine.deck):
        return "in_shuffler"
    return "resting"


@dataclass(frozen=True, slots=True)
class Names:
    """What people and tables are called, by their ids."""

    person: Callable[[str], str]
    table: Callable[[str], str]


def tell(event: AnyDeckEvent, language: Language, names: Names) -> str:
    """One event of a deck's life, in a sentence."""
    values = {name: getattr(event, name) for name in event.__struct_fields__ if name != "at_ms"}
    values["by"] = names.person(event.by)
    if values.get("beside"):
        values["beside"] = names.person(str(values["beside"]))
    if table := str(values.get("table", "")):
        values["table"] = names.table(table)
    if reason := str(values.get("reason_code", "")):
        values["reason_code"] = language.either(f"reason.{reason}", reason)
    return language.say(f"event.{type(event).__name__}", **values).strip().removesuffix(":")
