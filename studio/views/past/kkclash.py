"""What a KKClash display says of past rounds: the last ten hands, and the bets long not won.

Both read outcomes as the game describes them, the oldest first; void rounds are left out by whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

LAST_HANDS: Final = 10
MISSES_SHOWN: Final = 10

Described = Mapping[str, Any]
"""An outcome in plain values, as `studio.games.kkclash.describe` gives it."""


@dataclass(frozen=True, slots=True)
class LastHand:
    """One of the last hands: the newest is number 10. `king_mark` where a king is in the winning hand. [KK-20]

    `name` is the hand in English words, `ranks_in` the key of its class.
    """

    number: int
    winner: str
    name: str
    ranks_in: str
    king_mark: bool


def last_hands(outcomes: Sequence[Described]) -> tuple[LastHand, ...]:
    """The last ten, the newest last and always number 10; fewer where fewer were played."""
    newest = outcomes[-LAST_HANDS:]
    first = LAST_HANDS - len(newest) + 1
    return tuple(
        LastHand(number, said["winner"], hand["name"], hand["class"], hand["king_mark"])
        for number, said in enumerate(newest, start=first)
        for hand in (said["winning_hand"],)
    )


def miss_counts(bets: Iterable[str], outcomes: Iterable[Described]) -> Mapping[str, int]:
    """How many rounds running each bet was not won, of the bets where that is ten or more. [KK-22]"""
    missed: Mapping[str, int] = dict.fromkeys(bets, 0)
    for said in outcomes:
        missed = missed_after(missed, said)
    return long_missed(missed)


def missed_after(missed: Mapping[str, int], said: Described) -> Mapping[str, int]:
    """The rounds each bet was not won, one round later: for a display that does not keep all rounds."""
    return {bet: 0 if bet in said["won"] else count + 1 for bet, count in missed.items()}


def long_missed(missed: Mapping[str, int]) -> Mapping[str, int]:
    """The bets that have missed often enough in a row for a display to show it."""
    return {bet: count for bet, count in missed.items() if count >= MISSES_SHOWN}
