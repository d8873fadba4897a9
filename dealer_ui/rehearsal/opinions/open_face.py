"""The second opinion on a hand of Open-Face Chinese: its points, handed over one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Cards, Dealt
from dealer_ui.rehearsal.opinions.rank import FIVE, Worth, best_five, height

_ROWS: Final = ("top", "middle", "bottom")


def open_face(seats: Sequence[str], paid: Mapping[str, int], unit_minor: int, dealt: Dealt) -> Mapping[str, int]:
    """What each seat has in the end of what all put in, in minor units; `seats` from the left of the button on."""
    purse = dict(paid)
    for at, one in enumerate(seats):
        for other in seats[at + 1 :]:
            points = _points(one, other, dealt)
            winner, loser = (one, other) if points > 0 else (other, one)
            for _ in range(abs(points) * unit_minor):
                if purse[loser]:
                    purse[loser], purse[winner] = purse[loser] - 1, purse[winner] + 1
    return purse


def _points(one: str, other: str, dealt: Dealt) -> int:
    """What the first seat wins of the second."""
    states = [_state(seat, dealt) for seat in (one, other)]
    if states == ["good", "good"]:
        won = [_sign(_worth(one, row, dealt), _worth(other, row, dealt)) for row in _ROWS]
        return sum(won) * 2 if abs(sum(won)) == 3 else sum(won)
    if "good" not in states:
        return 0
    lost = 3 if "dead" in states else 6
    return lost if states[0] == "good" else -lost


def _state(seat: str, dealt: Dealt) -> str:
    chosen = dealt.chosen.get(seat, ())
    if "dead" in chosen or "foul" in chosen:
        return "dead" if "dead" in chosen else "foul"
    top, middle, bottom = (_worth(seat, row, dealt) for row in _ROWS)
    return "foul" if top > middle or middle > bottom else "good"


def _worth(seat: str, row: str, dealt: Dealt) -> Worth:
    cards = dealt.hands[f"{seat}_{row}"]
    return best_five(cards) if len(cards) == 5 else _three(cards)


def _three(cards: Cards) -> Worth:
    """Three cards as five are read, of which two are missing."""
    many = Counter(height(card) for card in cards)
    ranks = tuple(sorted(many, key=lambda rank: (many[rank], rank), reverse=True))
    return FIVE.index({1: "trips", 2: "pair", 3: "high_card"}[len(many)]), ranks


def _sign(one: Worth, other: Worth) -> int:
    return (one > other) - (one < other)
