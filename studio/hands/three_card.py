"""What three cards are as a poker hand: the six classes that Pair Plus pays by."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from studio.cards import RANKS, Card
from studio.errors import InvariantError

_ACE_LOW = {RANKS.index("2"), RANKS.index("3"), RANKS.index("A")}


class ThreeCard(enum.StrEnum):
    """From the top: with three cards a straight is rarer than a flush, and stands above it."""

    STRAIGHT_FLUSH = "straight_flush"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    PAIR = "pair"
    HIGH_CARD = "high_card"


def read_three_card(cards: Sequence[Card]) -> ThreeCard:
    """The best class of three cards; the ace ends a straight at either end, and never lies in its middle.

    >>> from studio.cards import parse_cards
    >>> [read_three_card(parse_cards(hand)).value for hand in ("As 2d 3c", "Qs Kd Ac", "Ks Ad 2c")]
    ['straight', 'straight', 'high_card']
    """
    if len(cards) != 3:
        raise InvariantError(f"A three-card poker hand has three cards, and {len(cards)} were given to be read.")
    ranks = {RANKS.index(card.rank) for card in cards}
    if len(ranks) == 1:
        return ThreeCard.THREE_OF_A_KIND
    if len(ranks) == 2:
        return ThreeCard.PAIR
    flush = cards[0].suit == cards[1].suit == cards[2].suit
    straight = max(ranks) - min(ranks) == 2 or ranks == _ACE_LOW
    if straight:
        return ThreeCard.STRAIGHT_FLUSH if flush else ThreeCard.STRAIGHT
    return ThreeCard.FLUSH if flush else ThreeCard.HIGH_CARD
