"""Cards, open and sealed."""

from studio.cards.card import DECK, RANKS, SUITS, Card, parse_cards
from studio.cards.sealed import COMMITMENT_BYTES, ByteSource, Sealed, SealedCard, Sealer

__all__ = [
    "COMMITMENT_BYTES", "DECK", "RANKS", "SUITS", "ByteSource", "Card", "Sealed", "SealedCard", "Sealer", "parse_cards",
]  # fmt: skip
