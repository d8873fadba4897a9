"""What a round gives back, told once more in few lines, from the cards the screen shows and nothing else.

Written from the rules of the games, not from the studio's code: what a stake of 1 returns, by bet key. Three Knights
has its main bets, KKClash the winner, Blackjack the main bet of each box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import phevaluator

Hands = Mapping[str, Sequence[str]]
"""The faces of each box, in the order of its places."""


def three_knights(hands: Hands) -> dict[str, Fraction]:
    def worth(cards: Sequence[str]) -> int:
        points = sum({"A": 1}.get(card[0], int(card[0]) if card[0].isdigit() else 0) for card in cards) % 10
        pictures = sum(card[0] in "JQK" for card in cards)
        return 30 if pictures == 3 else 3 * points + pictures

    bank, back = worth(hands["banker"]), {}
    for box in ("player1", "player2", "player3"):
        own = worth(hands[box])
        better = max(own, bank)
        won = Fraction(3, 2) if better != 30 and better // 3 == 6 else Fraction(2)
        back[f"{box}_win"] = won if own > bank else Fraction(own == bank)
        back[f"{box}_lose"] = won if own < bank else Fraction(own == bank)
        back[f"{box}_tie"] = Fraction(9) if own == bank else Fraction(0)
    return back


def kkclash(hands: Hands) -> dict[str, Fraction]:
    shark, king = (phevaluator.evaluate_cards(*hands[box], *hands["board"]) for box in ("shark", "king"))
    return {
        "shark": Fraction("2.02") if shark < king else Fraction(0),
        "king": Fraction("2.02") if king < shark else Fraction(0),
        "draw": Fraction(24) if king == shark else Fraction(0),
    }


def blackjack(hands: Hands, chosen: Mapping[str, Sequence[str]]) -> dict[str, Fraction]:
    """What all that lies on a box comes back as, for a first stake of 1. `chosen`: by box or row, in order."""
    dealer = hands.get("dealer", ())
    natural = len(dealer) == 2 and points(dealer) == 21
    back: dict[str, Fraction] = {}
    for box in (str(number) for number in range(1, 8)):
        if not (first := hands.get(box)):
            continue
        split = "split" in chosen.get(box, ())
        rows = {f"{box}{row}": [card, *hands.get(f"{box}{row}", ())] for row, card in zip("ab", first, strict=False)}
        rows = rows if split else {box: list(first)}
        back[f"{box}:main"] = sum(
            (_hand(cards, chosen.get(row, ()), dealer, natural, split=split) for row, cards in rows.items()),
            Fraction(0),
        )
    return back


def _hand(cards: Sequence[str], said: Sequence[str], dealer: Sequence[str], natural: bool, *, split: bool) -> Fraction:
    own, house = points(cards), points(dealer)
    if "surrender" in said:
        return Fraction(1, 2)
    if own > 21:
        return Fraction(0)
    if len(cards) == 2 and own == 21 and not split:
        if "even_money" in said:
            return Fraction(2)
        return Fraction(1) if natural else Fraction(5, 2)
    if natural:
        return Fraction(0)
    return (2 if "double" in said else 1) * (Fraction(2) if house > 21 or own > house else Fraction(own == house))


def points(cards: Sequence[str]) -> int:
    total = sum({"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0]) for card in cards)
    return total + 10 if total <= 11 and any(card[0] == "A" for card in cards) else total
