"""What a playing card is, how it is written, and what a deck holds."""

from __future__ import annotations

from typing import ClassVar, Final

from studio.errors import BadInputError

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
_SUIT_SIGN: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class Card:
    """One playing card, written rank then suit; there are 52 of them, each made once, compared by identity.

    `index` is 0 to 51: rank from the deuce up, times four, plus the suit in the order c d h s.

    >>> Card.parse("Th")
    Card('Th')
    >>> Card.parse("Th").index
    34
    >>> Card("T", "h") is Card.parse("Th")
    True
    """

    __slots__ = ("index", "rank", "suit")

    rank: str
    suit: str
    index: int
    _made: ClassVar[dict[str, Card]] = {}

    def __new__(cls, rank: str, suit: str) -> Card:
        if known := cls._made.get(rank + suit):
            return known
        if len(rank) != 1 or rank not in RANKS or len(suit) != 1 or suit not in SUITS:
            raise BadInputError(f"'{rank}{suit}' is not a card: write a rank of {RANKS} and a suit of {SUITS}.")
        card = super().__new__(cls)
        object.__setattr__(card, "rank", rank)
        object.__setattr__(card, "suit", suit)
        object.__setattr__(card, "index", RANKS.index(rank) * 4 + SUITS.index(suit))
        return cls._made.setdefault(rank + suit, card)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A card does not change: {name} cannot be set.")

    def __reduce__(self) -> tuple[type[Card], tuple[str, str]]:
        return Card, (self.rank, self.suit)

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read `As`, `Td`, `2c`; `BadInputError` for anything else."""
        if len(text) != 2:
            raise BadInputError(f"'{text}' is not a card: write a rank of {RANKS} and a suit of {SUITS}.")
        return cls(text[0], text[1])

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
