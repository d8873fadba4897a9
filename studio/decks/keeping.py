"""What may be done with a deck of cards where it lies, and by whom: each act is decided here.

Each act gives its event or refuses with a sentence. Who is in the shoe of a table is asked through `Held`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from studio.decks.deck_event import (
    DeckDestroyed,
    DeckIssued,
    DeckReceived,
    DeckReturned,
    DeckSealDoubted,
    DeckWithdrawn,
)
from studio.decks.register import DeckRegister, RegisteredDeck, Whereabouts
from studio.errors import RefusedError
from studio.people import TwoPeople

Held = Callable[[RegisteredDeck], bool]
"""Whether the cards of this deck are in use at its table just now: in the shoe, or a round is dealt from them."""

AT_A_TABLE_MAX: Final = 2
"""One is dealt, the other is shuffled: a third would only get mixed in."""
PACKS_MAX: Final = 8
TEXT_MAX: Final = 120
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,29}")
_MARK: Final = re.compile(r"[A-Za-z0-9_.-]{0,15}")


@dataclass(frozen=True, slots=True)
class NewDeck:
    """A deck as two people read it off its box."""

    id: str
    design: str
    back: str
    packs: int
    seal: str
    place: str
    mark: str = ""
    words: str = ""


class SealDoubtedError(RefusedError):
    """Refused for a seal that does not fit; `doubt` goes on record all the same."""

    def __init__(self, key: str, sentence: str, doubt: DeckSealDoubted) -> None:
        super().__init__(key, sentence)
        self.doubt = doubt


def receive(
    register: DeckRegister, new: NewDeck, people: TwoPeople, *, backs: tuple[str, ...], at_ms: int
) -> DeckReceived:
    """A deck is taken in; its number is never another's, its seal not that of another deck in storage."""
    id, back, seal = new.id.strip(), _text(new.back, "the colour of the back"), _text(new.seal, "the seal's number")
    if not _ID.fullmatch(id):
        raise RefusedError("deck_id", "Give the deck a number of letters, digits, dots or dashes, 30 at most.")
    if id in register.decks:
        raise RefusedError("deck_known", f"Deck {id} is in the register already: each deck has a number of its own.")
    if not 1 <= new.packs <= PACKS_MAX:
        raise RefusedError("deck_packs", f"A deck has 1 to {PACKS_MAX} packs: count the boxes and write how many.")
    if not _MARK.fullmatch(new.mark.strip()):
        raise RefusedError("deck_mark", "A shuffler's name for a deck has letters, digits, dots or dashes, 15 at most.")
    _need_back(back, backs)
    _need_own_seal(register, DeckSealDoubted(at_ms=at_ms, deck=id, by=people.asked_by, seal=seal, during="receive"))
    return DeckReceived(
        at_ms=at_ms, deck=id, by=people.asked_by, beside=people.approved_by, back=back, packs=new.packs, seal=seal,
        design=_text(new.design, "the design"), mark=new.mark.strip(),
        place=_text(new.place, "the place it is locked away in"), words=new.words.strip()[:TEXT_MAX],
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class DeckTable:
    """A table that wants a deck: `packs` is how many its game deals from."""

    key: str
    packs: int


def issue(register: DeckRegister, id: str, table: DeckTable, seal: str, by: str, at_ms: int) -> DeckIssued:
    """A deck is brought to a table, its seal read and broken there."""
    deck = _deck(register, id)
    if deck.whereabouts is not Whereabouts.STORED:
        raise RefusedError("deck_not_stored", f"{_where(deck)} Only a deck from locked storage is brought to a table.")
    seal = _text(seal, "the number on the seal")
    if seal != deck.seal:
        raise SealDoubtedError(
            "seal_wrong",
            f"This is not the seal deck {deck.id} was locked away under: leave it closed and withdraw it.",
            DeckSealDoubted(at_ms=at_ms, deck=deck.id, by=by, seal=seal, during="issue", table=table.key),
        )
    if deck.packs != table.packs:
        raise RefusedError(
            "deck_size", f"Deck {deck.id} has {deck.packs} packs, this table deals from {table.packs}: bring another."
        )
    beside = register.at(table.key)
    if len(beside) >= AT_A_TABLE_MAX:
        raise RefusedError("table_has_decks", "Two decks are at this table already: take one of them away first.")
    if any(other.back == deck.back for other in beside):
        raise RefusedError(
            "back_taken",
            f"A deck with {deck.back} backs is at this table already: bring one of another colour, so that a card of "
            "the wrong deck is seen.",
        )
    if any(other.mark == deck.mark and deck.mark for other in beside):
        raise RefusedError("mark_taken", f"The shuffler would call both decks {deck.mark}: bring another one.")
    return DeckIssued(at_ms=at_ms, deck=deck.id, by=by, table=table.key, seal=deck.seal)


def give_back(
    register: DeckRegister, id: str, new: tuple[str, str, str], by: str, at_ms: int, held: Held
) -> DeckReturned:
    """From a table into storage; `new` is the place, the new seal, and words."""
    deck = _deck(register, id)
    place, seal, words = new
    if deck.whereabouts is not Whereabouts.AT_TABLE:
        raise RefusedError("deck_not_at_table", f"{_where(deck)} Only a deck at a table is put back into storage.")
    _need_free(deck, held)
    seal = _text(seal, "the number of the new seal")
    _need_own_seal(register, DeckSealDoubted(at_ms=at_ms, deck=deck.id, by=by, seal=seal, during="return"))
    place = _text(place, "the place it is locked away in")
    return DeckReturned(at_ms=at_ms, deck=deck.id, by=by, place=place, seal=seal, words=words.strip()[:TEXT_MAX])


def withdraw(
    register: DeckRegister, id: str, why: tuple[str, str, str], by: str, at_ms: int, held: Held
) -> DeckWithdrawn:
    """Withdraw a deck: it deals no more. `why` is the place where it is kept, a reason and some words."""
    deck = _deck(register, id)
    place, reason_code, words = why
    if deck.whereabouts not in (Whereabouts.STORED, Whereabouts.AT_TABLE):
        raise RefusedError("deck_out_already", f"{_where(deck)} It deals no more already.")
    _need_free(deck, held)
    if not reason_code or not words.strip():
        raise RefusedError("reason_needed", "Choose a reason and write a few words: they are kept.")
    place = _text(place, "the place it is kept in until it is destroyed")
    return DeckWithdrawn(
        at_ms=at_ms, deck=deck.id, by=by, place=place, reason_code=reason_code, words=words.strip()[:TEXT_MAX]
    )


def destroy(register: DeckRegister, id: str, how: str, people: TwoPeople, at_ms: int) -> DeckDestroyed:
    """Two people saw a withdrawn deck destroyed."""
    deck = _deck(register, id)
    if deck.whereabouts is not Whereabouts.WITHDRAWN:
        raise RefusedError("deck_not_withdrawn", f"{_where(deck)} Withdraw a deck before it is destroyed.")
    how = _text(how, "how it was destroyed")
    return DeckDestroyed(at_ms=at_ms, deck=deck.id, by=people.asked_by, beside=people.approved_by, how=how)


def need_loadable(register: DeckRegister, name: str, table: str, packs: int) -> RegisteredDeck:
    """The registered deck at this table that goes by the name; refused where there is none, or not of this game."""
    deck = register.called(name, table)
    if deck is None and (known := register.decks.get(name)) is not None:
        raise RefusedError("deck_elsewhere", f"{_where(known)} It cannot be loaded at {table}.")
    if deck is None:
        raise RefusedError(
            "deck_unregistered",
            f"No registered deck that is called {name} is at this table: a pit boss brings one to the table first.",
        )
    if deck.packs != packs:
        raise RefusedError(
            "deck_size", f"Deck {deck.id} has {deck.packs} packs, this table deals from {packs}: bring another."
        )
    return deck


def _where(deck: RegisteredDeck) -> str:
    match deck.whereabouts:
        case Whereabouts.STORED:
            return f"Deck {deck.id} lies in storage ({deck.place})."
        case Whereabouts.AT_TABLE:
            return f"Deck {deck.id} is at the table {deck.table}."
        case Whereabouts.WITHDRAWN:
            return f"Deck {deck.id} was withdrawn."
        case Whereabouts.DESTROYED:
            return f"Deck {deck.id} was destroyed and cannot come back."


def _deck(register: DeckRegister, id: str) -> RegisteredDeck:
    found = register.decks.get(id.strip())
    if found is None:
        raise RefusedError("deck_unknown", "No deck of the register has this number: look at the list of decks.")
    return found


def _need_own_seal(register: DeckRegister, read: DeckSealDoubted) -> None:
    """Refuse a seal that is on another deck already; `read` says which deck was offered under it."""
    twin = next((one for one in register.decks.values() if one.seal == read.seal), None)
    if twin is not None:
        raise SealDoubtedError(
            "seal_taken", f"Seal {read.seal} is on deck {twin.id}: read the number on this seal again.",
            msgspec.structs.replace(read, deck=twin.id, offered=read.deck),
        )  # fmt: skip


def _need_back(back: str, backs: tuple[str, ...]) -> None:
    if backs and back not in backs:
        raise RefusedError(
            "back_foreign", f"This studio plays with these backs only: {', '.join(backs)}. Refuse the deck."
        )


def _need_free(deck: RegisteredDeck, held: Held) -> None:
    if deck.whereabouts is Whereabouts.AT_TABLE and held(deck):
        raise RefusedError(
            "deck_in_use", f"Deck {deck.id} is in the shoe of table {deck.table}: take it out of play there first."
        )


def _text(value: str, what: str) -> str:
    value = value.strip()
    if not value:
        raise RefusedError("deck_field", f"Write down {what}.")
    if len(value) > TEXT_MAX:
        raise RefusedError("too_long", f"That is too long: write at most {TEXT_MAX} characters.")
    return value
