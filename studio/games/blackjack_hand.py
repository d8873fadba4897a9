"""A played-out round of Blackjack: what it is, how it is written down, and which rounds can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from studio.cards import Card, parse_cards
from studio.errors import BadInputError
from studio.hands.blackjack import (
    ACE,
    TEN,
    TWENTY_ONE,
    VALUES,
    Total,
    count,
    dealer_draws,
    is_natural,
    is_splittable,
)

BOX_KEYS: Final = ("1", "2", "3", "4", "5", "6", "7")
DECKS: Final = 8


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand of a box as it ended; a split box has two of them."""

    box: str
    cards: tuple[Card, ...]
    doubled: bool = False
    surrendered: bool = False
    split: bool = False
    even_money: bool = False

    @property
    def total(self) -> Total:
        return count(self.cards)

    @property
    def is_blackjack(self) -> bool:
        """An ace and a ten after a split are twenty-one, and no blackjack. [BJ-4]"""
        return is_natural(self.cards) and not self.split

    @property
    def stakes(self) -> int:
        """How many times its first stake was put out on this hand. [BJ-12]"""
        return 2 if self.doubled else 1

    @property
    def is_over(self) -> bool:
        """Nothing the dealer draws changes it any more: bust, surrendered, or paid even money."""
        return self.surrendered or self.even_money or self.total.is_bust


@dataclass(frozen=True, slots=True)
class Outcome:
    """The dealer's cards and every hand played against them, in the order of the boxes."""

    dealer: tuple[Card, ...]
    hands: tuple[PlayedHand, ...]

    @property
    def boxes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(hand.box for hand in self.hands))

    @property
    def dealer_blackjack(self) -> bool:
        return is_natural(self.dealer)

    def of(self, box: str) -> tuple[PlayedHand, ...]:
        return tuple(hand for hand in self.hands if hand.box == box)

    def stakes(self, box: str) -> int:
        """How many times its first stake was put out on the box, all its hands together. [BJ-12] [BJ-13]"""
        return sum(hand.stakes for hand in self.of(box))

    def first_two(self, box: str) -> tuple[Card, Card]:
        """The cards first dealt to the box; each hand of a split box began with one of them. [BJ-21]"""
        hands = self.of(box)
        return (hands[0].cards[0], hands[1].cards[0]) if len(hands) == 2 else (hands[0].cards[0], hands[0].cards[1])


def dealer_owes_card(dealer: Sequence[Card], hands: Sequence[PlayedHand], *, insured: bool) -> bool:
    """Whether the dealer must draw, now that every hand has ended. [BJ-17] [BJ-18] [BJ-19]"""
    standing = [hand for hand in hands if not hand.is_over]
    if any(not hand.is_blackjack for hand in standing):
        return dealer_draws(dealer)
    up = VALUES[dealer[0].rank]
    return len(dealer) == 1 and ((bool(standing) and up in (ACE, TEN)) or (insured and up == ACE))


class _HandLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    box: int
    cards: tuple[str, ...] | str
    doubled: bool = False
    surrendered: bool = False
    split: bool = False
    even_money: bool = False

    def hand(self) -> PlayedHand:
        return PlayedHand(
            box=str(self.box),
            cards=_read_cards(self.cards),
            doubled=self.doubled,
            surrendered=self.surrendered,
            split=self.split,
            even_money=self.even_money,
        )


class _RoundLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dealer: tuple[str, ...] | str
    hands: tuple[_HandLine, ...] = ()


def read_round(cards: Mapping[str, Any]) -> Outcome:
    """A round written as plain values: the dealer's cards and a list of hands; no card oftener than eight times."""
    try:
        line = msgspec.convert(dict(cards), _RoundLine)
    except msgspec.ValidationError as error:
        raise BadInputError(f"The cards of Blackjack cannot be read: {error}.") from None
    round = Outcome(_read_cards(line.dealer), tuple(hand.hand() for hand in line.hands))
    for card, times in Counter([*round.dealer, *(card for hand in round.hands for card in hand.cards)]).items():
        if times > DECKS:
            raise BadInputError(f"The card {card} is given {times} times: Blackjack holds it {DECKS} times.")
    return round


def _read_cards(given: tuple[str, ...] | str) -> tuple[Card, ...]:
    return parse_cards(given) if isinstance(given, str) else tuple(Card.parse(card) for card in given)


def check_round(round: Outcome) -> Outcome:
    """The round in the order of the boxes; `BadInputError` says what in it could not have been dealt so."""
    if not round.dealer:
        raise BadInputError("The dealer has no card: give his cards in the order dealt.")
    for hand in round.hands:
        _check_hand(hand, VALUES[round.dealer[0].rank])
    for box in round.boxes:
        _check_box(box, round.of(box))
    if len(round.dealer) > 1 and not dealer_draws(round.dealer[:-1]):
        raise BadInputError("The dealer drew on 17 or more: give his cards as far as he may draw.")
    if dealer_owes_card(round.dealer, round.hands, insured=False):
        raise BadInputError("The dealer's hand is not finished: a hand stands against it, give all of his cards.")
    return Outcome(round.dealer, tuple(sorted(round.hands, key=lambda hand: hand.box)))


def _check_hand(hand: PlayedHand, up: int) -> None:
    """One hand by itself; the first thing wrong with it is said."""
    for sentence in _wrongs(hand, up):
        raise BadInputError(sentence)


def _wrongs(hand: PlayedHand, up: int) -> Iterator[str]:
    box, cards = hand.box, hand.cards
    if box not in BOX_KEYS:
        yield f"There is no box {box}: boxes are 1 to 7."
    if len(cards) < 2:
        yield f"A hand of box {box} has {len(cards)} cards: give it two or more."
    if any(count(cards[:drawn]).points >= TWENTY_ONE for drawn in range(2, len(cards))):
        yield f"A hand of box {box} drew on 21 or more: it stops there."
    if hand.doubled and len(cards) != 3:
        yield f"A doubled hand of box {box} has three cards, no more and no less."
    if hand.surrendered and (len(cards) != 2 or hand.split or hand.is_blackjack or up == ACE):
        yield (
            f"The hand of box {box} cannot be surrendered: only its first two cards can, not a blackjack, "
            "and not against an ace."
        )
    if hand.even_money and not (hand.is_blackjack and up == ACE):
        yield f"Even money at box {box} is for a blackjack against an ace only."
    if hand.split and VALUES[cards[0].rank] == ACE and len(cards) != 2:
        yield f"A split ace of box {box} gets one card and cannot be doubled."


def _check_box(box: str, hands: tuple[PlayedHand, ...]) -> None:
    """The hands of one box together. [BJ-13]"""
    if not any(hand.split for hand in hands):
        if len(hands) != 1:
            raise BadInputError(f"Box {box} has {len(hands)} hands: only a split box has two, each marked as split.")
        return
    if len(hands) != 2 or not all(hand.split for hand in hands):
        raise BadInputError(f"Box {box} is split: give it exactly two hands, each marked as split.")
    if not is_splittable((hands[0].cards[0], hands[1].cards[0])):
        raise BadInputError(f"Box {box} cannot be split: its first two cards are not of equal value.")
