"""Cards, open and sealed."""

from studio.cards.card import DECK, RANKS, SUITS, Card, parse_cards
from studio.cards.sealed import ByteSource, Sealed, SealedCard, Sealer

__all__ = ["DECK", "RANKS", "SUITS", "ByteSource", "Card", "Sealed", "SealedCard", "Sealer", "parse_cards"]
