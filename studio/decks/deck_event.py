"""What can happen to a deck of cards from its receipt to its destruction, and how it is written.

A body of the journal is `{"decks": event}`. `by` and `beside` are ids of the staff: who did it, and who stood by.
"""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from studio.errors import BadInputError


class DeckEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    deck: str
    by: str


class DeckReceived(DeckEvent, frozen=True, kw_only=True, tag=True):
    """Two people took it in, sealed. `mark`: what a shuffler calls it, or how that name begins. `packs` of 52 cards."""

    beside: str
    design: str
    back: str
    packs: int
    seal: str
    mark: str
    place: str
    words: str = ""


class DeckIssued(DeckEvent, frozen=True, kw_only=True, tag=True):
    """Its seal was read, found to be the one on record, and broken at this table."""

    table: str
    seal: str


class DeckLoaded(DeckEvent, frozen=True, kw_only=True, tag=True):
    """The deck went into the shoe of a table; `name` is the name it was verified under."""

    table: str
    name: str


class DeckReturned(DeckEvent, frozen=True, kw_only=True, tag=True):
    """Back into locked storage under a new seal."""

    place: str
    seal: str
    words: str = ""


class DeckWithdrawn(DeckEvent, frozen=True, kw_only=True, tag=True):
    """The deck deals no more; it is kept at `place` until it is destroyed."""

    place: str
    reason_code: str
    words: str


class DeckDestroyed(DeckEvent, frozen=True, kw_only=True, tag=True):
    """Two people saw it destroyed, and `how`."""

    beside: str
    how: str


class DeckSealDoubted(DeckEvent, frozen=True, kw_only=True, tag=True):
    """A seal was read that does not fit, and what was asked for was refused: no deck moved.

    `seal` as it was read. `during`: `issue`, at `table`, where it is not the one on record; `receive` or `return` of
    the deck `offered`, where it is the one that `deck` bears.
    """

    seal: str
    during: str
    table: str = ""
    offered: str = ""


class DeckFound(msgspec.Struct, frozen=True, kw_only=True):
    """A deck as a count found it: its number, and the place or the key of the table at which it lay."""

    deck: str
    place: str


class StockDifference(msgspec.Struct, frozen=True, kw_only=True):
    """What a count and the register do not agree on. `what`: missing elsewhere unknown gone.

    `said`: where the register had the deck; `place`: where it was found. Empty is nowhere.
    """

    deck: str
    what: str
    said: str
    place: str


class StockCounted(DeckEvent, frozen=True, kw_only=True, tag=True):
    """Two people counted the whole stock and found this; `deck` is empty. The next count is due by `next_ms`."""

    deck: str = ""
    beside: str
    found: tuple[DeckFound, ...]
    differences: tuple[StockDifference, ...]
    next_ms: int
    words: str = ""


class StockReconciled(DeckEvent, frozen=True, kw_only=True, tag=True):
    """What a difference of the last count came to, in `words`; `place`: where the deck is kept from now on."""

    beside: str
    what: str
    place: str
    words: str


AnyDeckEvent = (
    DeckReceived
    | DeckIssued
    | DeckLoaded
    | DeckReturned
    | DeckWithdrawn
    | DeckDestroyed
    | DeckSealDoubted
    | StockCounted
    | StockReconciled
)
"""Every event of the register of decks; the closed union the journal decodes."""

DECK_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyDeckEvent))
"""The journal's kinds that concern the register of decks."""


class _DeckRow(msgspec.Struct):
    decks: AnyDeckEvent


_DECODER: Final = msgspec.json.Decoder(_DeckRow)


def write_deck_body(event: AnyDeckEvent) -> bytes:
    return msgspec.json.encode(_DeckRow(decks=event))


def read_deck_body(body: bytes) -> AnyDeckEvent:
    """The event of a journal body; `BadInputError` when it is none."""
    try:
        return _DECODER.decode(body).decks
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadInputError(f"A journal row cannot be read as an event of the decks: {error}") from error
