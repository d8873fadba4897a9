"""The only place for what a playing card is, how it is written, and what a deck holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from studio.errors import BadInputError

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
_SUIT_SIGN: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@dataclass(frozen=True, slots=True)
class Card:
    """One playing card, written rank then suit.

    >>> Card.parse("Th")
    Card('Th')
    >>> Card.parse("Th").index
    34
    """

    rank: str
    suit: str

    def __post_init__(self) -> None:
        if len(self.rank) != 1 or self.rank not in RANKS or len(self.suit) != 1 or self.suit not in SUITS:
            raise BadInputError(
                f"'{self.rank}{self.suit}' is not a card: write a rank of {RANKS} and a suit of {SUITS}."
            )

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read `As`, `Td`, `2c`; `BadInputError` for anything else."""
        if len(text) != 2:
            raise BadInputError(f"'{text}' is not a card: write a rank of {RANKS} and a suit of {SUITS}.")
        return cls(text[0], text[1])

    @property
    def index(self) -> int:
        """0 to 51: rank from the deuce up, times four, plus the suit in the order c d h s."""
        return RANKS.index(self.rank) * 4 + SUITS.index(self.suit)

    @property
    def sign(self) -> str:
        """Rank and suit as a person reads it: `10♥`."""
        return ("10" if self.rank == "T" else self.rank) + _SUIT_SIGN[self.suit]

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"Card('{self}')"


DECK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
"""The 52 cards, in the order of their index."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written one after another, spaces allowed.

    >>> parse_cards("As Td 2c")
    (Card('As'), Card('Td'), Card('2c'))
    """
    run = text.replace(" ", "")
    return tuple(Card.parse(run[i : i + 2]) for i in range(0, len(run), 2))
