"""The second opinion on Blackjack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Cards, Dealt, Stakes
from studio.cards import Card

_RED: Final = "dh"


@dataclass(frozen=True, slots=True)
class _Hand:
    cards: Cards
    stakes: int
    surrendered: bool
    natural: bool


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    dealer = dealt.hands.get("dealer", ())
    back: dict[str, Fraction] = {}
    for box in {bet.partition(":")[0] for bet in stakes}:
        hands = list(_hands(dealt, box))
        even_money = box in dealt.protected and hands[0].natural
        won = sum((hand.stakes * _back(hand, dealer, even_money=even_money) for hand in hands), Fraction(0))
        back[f"{box}:main"] = won / sum(hand.stakes for hand in hands)
        back[f"{box}:perfect_pair"] = Fraction(_pair(*dealt.hands[box][:2]))
        back[f"{box}:insurance"] = Fraction(3 if _is_natural(dealer) else 0)
    return back


def standing(dealt: Dealt) -> Mapping[str, Fraction]:
    """The boxes that were dealt a blackjack: a void round pays them all the same."""
    return {f"{box}:main": Fraction(5, 2) for box, cards in dealt.hands.items() if _is_natural(cards)}


def _hands(dealt: Dealt, box: str) -> Iterator[_Hand]:
    first, chosen = dealt.hands[box], dealt.chosen
    if "split" not in chosen.get(box, ()):
        stakes = 2 if "double" in chosen.get(box, ()) else 1
        yield _Hand(first, stakes, "surrender" in chosen.get(box, ()), _is_natural(first))
        return
    for card, row in zip(first, "ab", strict=True):
        stakes = 2 if "double" in chosen.get(box + row, ()) else 1
        yield _Hand((card, *dealt.hands[box + row]), stakes, surrendered=False, natural=False)


def _back(hand: _Hand, dealer: Cards, *, even_money: bool) -> Fraction:
    own, bank = _count(hand.cards), _count(dealer)
    if hand.surrendered:
        return Fraction(1, 2)
    if own > 21:
        return Fraction(0)
    if even_money:
        return Fraction(2)
    if hand.natural or _is_natural(dealer):
        return Fraction(5, 2) if not _is_natural(dealer) else Fraction(1 if hand.natural else 0)
    return Fraction(2 if bank > 21 or own > bank else 1 if own == bank else 0)


def _count(cards: Sequence[Card]) -> int:
    """An ace is eleven as long as that does not go over twenty-one."""
    low = sum(1 if card.rank == "A" else 10 if card.rank in "TJQK" else int(card.rank) for card in cards)
    return low + 10 if low <= 11 and any(card.rank == "A" for card in cards) else low


def _is_natural(cards: Sequence[Card]) -> bool:
    return len(cards) == 2 and _count(cards) == 21


def _pair(one: Card, other: Card) -> int:
    if one.rank != other.rank:
        return 0
    if one.suit == other.suit:
        return 101 if one.rank == "K" else 21
    return 13 if (one.suit in _RED) == (other.suit in _RED) else 6
