"""Follows the register of decks through the journal: nothing happens to a deck that cannot."""

from __future__ import annotations

from typing import Final

from studio.decks import DeckRegister, evolve_decks
from studio.decks.deck_event import DECK_KINDS, DeckDestroyed, DeckReceived, read_deck_body
from studio.errors import BadInputError, IllegalEventError
from studio.people import are_two
from studio.proof.audit.wrong import wrong

KINDS: Final = DECK_KINDS


class DeckAudit:
    """The register as the journal tells it, row by row."""

    def __init__(self) -> None:
        self._register = DeckRegister()

    def take(self, kind: str, body: bytes, seq: int) -> None:
        """Follow one row; `WrongError` where it cannot be so."""
        try:
            event = read_deck_body(body)
            self._register = evolve_decks(self._register, event)
        except (BadInputError, IllegalEventError) as error:
            wrong(seq, str(error))
        if type(event).__name__ != kind:
            wrong(seq, f"The row is called {kind} and tells of a {type(event).__name__}.")
        if isinstance(event, DeckReceived | DeckDestroyed) and not are_two(event.by, event.beside):
            wrong(seq, f"Deck {event.deck}: two people do this, and the record names one.")
