"""Reading the best hand of one set of cards at full speed, and the tables behind it.

A hand is a sum. Every card has a key, and the keys of a hand add up to one number that says all there is to know:

    bits  0-30   how often each rank is there: a number in base five, in two halves (2 to 8, then 9 to A)
    bits 31-46   how many cards there are of each suit: four bits a suit
    bits 47-98   which cards they are: thirteen bits a suit

Sums may be kept while a loop adds one card at a time. Each suit's count starts so far from eight as a flush needs
cards, so that its highest bit says that there is a flush; its cards then decide, and otherwise the ranks do. With
seven cards or fewer a flush leaves no room for quads or a full house, so neither has to be asked for the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

from studio.cards import RANKS, SUITS, Card
from studio.errors import InvariantError
from studio.hands.poker import PokerOrder

LOW_RANKS: Final = 7
HIGH_SHIFT: Final = 17
RANK_BITS: Final = 31
SUIT_BITS: Final = 4
CARDS_SHIFT: Final = RANK_BITS + SUIT_BITS * len(SUITS)
RANK_MASK: Final = (1 << RANK_BITS) - 1
EVERY_SUIT: Final = sum(1 << RANK_BITS + SUIT_BITS * suit for suit in range(len(SUITS)))
FLUSH_MASK: Final = 8 * EVERY_SUIT

RANK_KEYS: Final[tuple[int, ...]] = tuple(
    5**rank if rank < LOW_RANKS else 5 ** (rank - LOW_RANKS) << HIGH_SHIFT for rank in range(len(RANKS))
)


def _key(card: int) -> int:
    rank, suit = divmod(card, len(SUITS))
    which = 1 << CARDS_SHIFT + len(RANKS) * suit + rank
    return RANK_KEYS[rank] + (1 << RANK_BITS + SUIT_BITS * suit) + which


KEYS: Final = tuple(_key(card) for card in range(len(RANKS) * len(SUITS)))
"""The key of each card, by `Card.index`."""


class Evaluator:
    """Reads hands in one order; values are those of `PokerOrder`.

    Get it from `evaluator_of`, which makes each one's tables once. The methods that take numbers (`Card.index`) trust
    them to be different cards, and enough of them; `of_cards` asks.
    """

    __slots__ = ("by_ranks", "by_suited", "empty", "order")

    def __init__(self, order: PokerOrder) -> None:
        self.order: Final = order
        self.empty: Final = (8 - order.size) * EVERY_SUIT
        """The sum of no cards: a sum starts here."""
        self.by_ranks: Final = ranked_table(order)
        self.by_suited: Final = suited_table(order)

    def of_sum(self, total: int) -> int:
        """The best hand of the cards whose `KEYS` add up, with `empty`, to `total`."""
        if total & FLUSH_MASK:
            return self._of_flush(total)
        return self.by_ranks[total & RANK_MASK]

    def of(self, hand: Iterable[int]) -> int:
        """The best hand of as many cards as the order reads."""
        return self.of_sum(sum(map(KEYS.__getitem__, hand), self.empty))

    def of_seven(self, hand: Iterable[int]) -> int:
        """The same for seven cards, written out: twice as fast."""
        a, b, c, d, e, f, g = hand
        total = self.empty + KEYS[a] + KEYS[b] + KEYS[c] + KEYS[d] + KEYS[e] + KEYS[f] + KEYS[g]
        if total & FLUSH_MASK:
            return self._of_flush(total)
        return self.by_ranks[total & RANK_MASK]

    def of_cards(self, cards: Sequence[Card]) -> int:
        """The best hand of these cards.

        >>> from studio.cards import parse_cards
        >>> from studio.hands.poker import STANDARD
        >>> STANDARD.describe(evaluator_of(STANDARD).of_cards(parse_cards("Ks Kd Kh Ts Td 2c 3c")))
        'Full house, kings over tens'
        """
        check_size(self.order, len(cards))
        self._check(cards)
        return self.of([card.index for card in cards])

    def of_two_and_three(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The best hand of exactly two cards of the hole and three of the board, as Omaha has it."""
        pairs = [self.empty + KEYS[a] + KEYS[b] for a, b in combinations(hole, 2)]
        threes = [KEYS[a] + KEYS[b] + KEYS[c] for a, b, c in combinations(board, 3)]
        return max(self.of_sum(pair + three) for pair in pairs for three in threes)

    def of_omaha_cards(self, hole: Sequence[Card], board: Sequence[Card]) -> int:
        """The best hand of exactly two of the hole and three of the board."""
        if self.order.size != 5 or len(hole) < 2 or len(board) < 3:
            raise InvariantError(
                f"An Omaha hand of five takes two of the hole and three of the board: "
                f"{len(hole)} and {len(board)} were given, in the {self.order.key} order."
            )
        self._check([*hole, *board])
        return self.of_two_and_three([card.index for card in hole], [card.index for card in board])

    def _check(self, cards: Sequence[Card]) -> None:
        if len(set(cards)) < len(cards) or any(card.rank not in self.order.ranks for card in cards):
            raise InvariantError(f"The cards of a {self.order.key} hand are different cards of its own deck.")

    def _of_flush(self, total: int) -> int:
        suit = ((total & FLUSH_MASK).bit_length() - 1 - RANK_BITS) // SUIT_BITS
        return self.by_suited[total >> CARDS_SHIFT + len(RANKS) * suit & (1 << len(RANKS)) - 1]


def check_size(order: PokerOrder, cards: int) -> None:
    """Refuse to read a hand of fewer or more cards than the order has tables for."""
    if not order.size <= cards <= order.most:
        raise InvariantError(
            f"A {order.key} hand is read from {order.size} to {order.most} cards, and {cards} were given."
        )


@cache
def evaluator_of(order: PokerOrder) -> Evaluator:
    """The evaluator of that order; the first call makes its tables, in a fraction of a second."""
    return Evaluator(order)


def ranked_table(order: PokerOrder) -> dict[int, int]:
    """The best hand by how often each rank is there, suits apart.

    The law gives that of `size` cards; the best of one card more is the best of what is left without one of them.
    """
    table: dict[int, int] = {}
    for size in range(order.size, order.most + 1):
        for ranks in combinations_with_replacement(_ranks(order), size):
            if any(ranks[i] == ranks[i + len(SUITS)] for i in range(size - len(SUITS))):
                continue
            code = sum(RANK_KEYS[rank] for rank in ranks)
            if size == order.size:
                table[code] = order.law(ranks, suited=False)
            else:
                table[code] = max(table[code - RANK_KEYS[rank]] for rank in set(ranks))
    return table


def suited_table(order: PokerOrder) -> dict[int, int]:
    """The best flush by the ranks of one suit, a bit each."""
    table: dict[int, int] = {}
    for size in range(order.size, order.most + 1):
        for ranks in combinations(_ranks(order), size):
            mask = sum(1 << rank for rank in ranks)
            if size == order.size:
                table[mask] = order.law(ranks, suited=True)
            else:
                table[mask] = max(table[mask ^ 1 << rank] for rank in ranks)
    return table


def _ranks(order: PokerOrder) -> list[int]:
    return [RANKS.index(rank) for rank in order.ranks]
