"""The register of decks: each deck of cards there is or was, and where it lies; a fold of events.

What a deck does at its table (in the shuffler, in the shoe, resting) is known to the table and is not told twice.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from studio.decks.deck_event import (
    AnyDeckEvent,
    DeckDestroyed,
    DeckIssued,
    DeckLoaded,
    DeckReceived,
    DeckReturned,
    DeckSealDoubted,
    DeckWithdrawn,
    StockCounted,
    StockDifference,
    StockReconciled,
)
from studio.decks.stock import differences
from studio.errors import IllegalEventError


class Whereabouts(enum.StrEnum):
    STORED = "stored"
    AT_TABLE = "at_table"
    WITHDRAWN = "withdrawn"
    DESTROYED = "destroyed"


@dataclass(frozen=True, slots=True)
class RegisteredDeck:
    """One deck. `place`: where it is locked away, empty at a table and once destroyed. `seal`: whole while stored."""

    id: str
    design: str
    back: str
    packs: int
    mark: str
    seal: str
    place: str
    received_ms: int
    whereabouts: Whereabouts = Whereabouts.STORED
    table: str = ""
    issues: int = 0
    loads: int = 0
    history: tuple[AnyDeckEvent, ...] = field(default=(), repr=False)

    def is_called(self, name: str) -> bool:
        """Whether this name, a shuffler's for one of its shuffles or a person's, means this deck.

        >>> deck = RegisteredDeck("RED-7", "casino", "red", 1, "R", "s", "cage", 0)
        >>> [deck.is_called(name) for name in ("RED-7", "R00012", "R", "B00012", "RX1")]
        [True, True, True, False, False]
        """
        if name == self.id or (self.mark and name == self.mark):
            return True
        rest = name.removeprefix(self.mark) if self.mark and name.startswith(self.mark) else ""
        return rest.isdigit()


@dataclass(frozen=True, slots=True)
class DeckRegister:
    """Every deck there is or was, by its id.

    `counted`: the last count of the stock; `open`: what it found that nobody has settled yet.
    """

    decks: Mapping[str, RegisteredDeck] = field(default_factory=lambda: MappingProxyType({}))
    counted: StockCounted | None = field(default=None, repr=False)
    open: tuple[StockDifference, ...] = ()

    def at(self, table: str) -> tuple[RegisteredDeck, ...]:
        """The decks that were brought to this table and have not left it."""
        found = (deck for deck in self.decks.values() if deck.whereabouts is Whereabouts.AT_TABLE)
        return tuple(deck for deck in found if deck.table == table)

    def called(self, name: str, table: str) -> RegisteredDeck | None:
        """The deck at this table that goes by this name."""
        return next((deck for deck in self.at(table) if deck.is_called(name)), None)


_FROM: Mapping[type, frozenset[Whereabouts]] = {
    DeckIssued: frozenset({Whereabouts.STORED}),
    DeckLoaded: frozenset({Whereabouts.AT_TABLE}),
    DeckReturned: frozenset({Whereabouts.AT_TABLE}),
    DeckWithdrawn: frozenset({Whereabouts.STORED, Whereabouts.AT_TABLE}),
    DeckDestroyed: frozenset({Whereabouts.WITHDRAWN}),
    DeckSealDoubted: frozenset(Whereabouts),
    StockReconciled: frozenset(Whereabouts),
}


def may_follow(deck: RegisteredDeck, event: type) -> bool:
    """Whether this can happen to a deck where it is now."""
    return deck.whereabouts in _FROM[event]


def evolve_decks(register: DeckRegister, event: AnyDeckEvent) -> DeckRegister:
    """The register after the event; `IllegalEventError` for what cannot have happened."""
    if isinstance(event, StockCounted | StockReconciled):
        return _of_stock(register, event)
    known = register.decks.get(event.deck)
    if isinstance(event, DeckReceived):
        if known is not None:
            raise IllegalEventError(f"Deck {event.deck} was received twice.")
        deck = RegisteredDeck(
            event.deck, event.design, event.back, event.packs, event.mark, event.seal, event.place, event.at_ms
        )
        return _with(register, deck, event)
    if known is None:
        raise IllegalEventError(f"Deck {event.deck} was never received.")
    if not may_follow(known, type(event)):
        raise IllegalEventError(f"{type(event).__name__} cannot happen to deck {known.id}: it is {known.whereabouts}.")
    return _with(register, _moved(known, event), event)


def _moved(deck: RegisteredDeck, event: AnyDeckEvent) -> RegisteredDeck:
    match event:
        case DeckIssued(table=table, seal=seal):
            if seal != deck.seal:
                raise IllegalEventError(f"Deck {deck.id} was opened under another seal than its own.")
            moved = replace(deck, whereabouts=Whereabouts.AT_TABLE, table=table, place="", issues=deck.issues + 1)
            return replace(moved, seal="")
        case DeckLoaded(table=table):
            if table != deck.table:
                raise IllegalEventError(f"Deck {deck.id} is at {deck.table} and was loaded at {table}.")
            return replace(deck, loads=deck.loads + 1)
        case DeckReturned(place=place, seal=seal):
            return replace(deck, whereabouts=Whereabouts.STORED, table="", place=place, seal=seal)
        case DeckWithdrawn(place=place):
            return replace(deck, whereabouts=Whereabouts.WITHDRAWN, table="", place=place)
        case DeckDestroyed():
            return replace(deck, whereabouts=Whereabouts.DESTROYED, place="")
        case DeckSealDoubted():
            return deck
    raise IllegalEventError(f"{type(event).__name__} moves no deck.")


def _with(register: DeckRegister, deck: RegisteredDeck, event: AnyDeckEvent) -> DeckRegister:
    kept = replace(deck, history=(*deck.history, event))
    return replace(register, decks=MappingProxyType({**register.decks, kept.id: kept}))


def _of_stock(register: DeckRegister, event: StockCounted | StockReconciled) -> DeckRegister:
    """A count, or what one of its differences came to; what it found is held against the register once more."""
    if isinstance(event, StockCounted):
        if register.open or event.differences != differences(register, event.found):
            raise IllegalEventError("A count of the stock does not tell what the register and the count differ in.")
        return replace(register, counted=event, open=event.differences)
    left = tuple(one for one in register.open if one.deck != event.deck)
    if left == register.open:
        raise IllegalEventError(f"Nothing was open of deck {event.deck} when it was settled.")
    settled = replace(register, open=left)
    deck = settled.decks.get(event.deck)
    if deck is None:
        return settled
    if event.place and deck.table:
        raise IllegalEventError(f"Deck {deck.id} is at the table {deck.table} and was counted into {event.place}.")
    return _with(settled, replace(deck, place=event.place or deck.place), event)
