"""The studio's decks of cards as things: received, locked away, at a table, withdrawn, destroyed."""

from studio.decks.deck_event import AnyDeckEvent as AnyDeckEvent
from studio.decks.register import DeckRegister as DeckRegister
from studio.decks.register import RegisteredDeck as RegisteredDeck
from studio.decks.register import Whereabouts as Whereabouts
from studio.decks.register import evolve_decks as evolve_decks
