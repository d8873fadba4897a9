"""What a KKClash display shows beside the felt: the winner, the last hands, the road, the misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dealer_ui.public.pay_table import PayRow
from studio.games.kkclash import KKCLASH, SHARK
from studio.views.past.big_road import BigRoad, big_road, newest_of
from studio.views.past.kkclash import LastHand, last_hands, long_missed
from studio.views.shape import TableView

COLUMNS: Final = 20
"""So many columns of the big road are shown, the newest circle always among them."""

FIELDS: Final = {
    "clash.who_wins": ("shark", "king", "draw"),
    "clash.hole_cards": ("suited_connectors", "pocket_pair", "pocket_kings"),
    "clash.winning_hand": (
        "high_card_pair", "two_pair", "trips_straight_flush", "full_house_plus", "k_high_pair", "k_full_quads",
    ),
}  # fmt: skip
"""The bets as the betting zone groups them, by the heading of each group."""


@dataclass(frozen=True, slots=True)
class WonClash:
    """How a round ended: `shark`, `king` or `draw`; the hand that won in English words, and the key of its class."""

    winner: str
    name: str
    ranks_in: str


@dataclass(frozen=True, slots=True)
class Split:
    """How the rounds ended: whole percents that add up to 100, and of how many rounds."""

    shark: int
    draw: int
    king: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Clash:
    """`road` begins at its own first column; `missed` holds only what is shown; `won` stands while the result does."""

    won: WonClash | None
    last: tuple[LastHand, ...]
    road: BigRoad
    split: Split | None
    missed: Mapping[str, int]
    fields: Mapping[str, tuple[PayRow, ...]]


def clash_of(view: TableView, lines: Sequence[PayRow], *, result: bool) -> Clash | None:
    """What is shown of a KKClash table, None of any other; `result` while the public is shown one."""
    if view.game.key != KKCLASH.key:
        return None
    return Clash(
        won=_won(view.round.outcome) if result and view.round.outcome else None,
        last=last_hands([one.outcome for one in view.past.results if not one.voided]),
        road=newest_of(big_road(view.past.winners), COLUMNS),
        split=_split(view.past.winners),
        missed=long_missed(view.past.missed),
        fields={title: tuple(line for line in lines if line.kind in bets) for title, bets in FIELDS.items()},
    )


def _won(outcome: Mapping[str, Any]) -> WonClash:
    hand = outcome["winning_hand"]
    return WonClash(outcome["winner"], hand["name"], hand["class"])


def _split(winners: Sequence[str]) -> Split | None:
    """
    >>> _split(["king", "shark", "draw", "king"])
    Split(shark=25, draw=25, king=50, rounds=4)
    """
    if not winners:
        return None
    shark, draw = (round(100 * winners.count(one) / len(winners)) for one in (SHARK, "draw"))
    return Split(shark, draw, 100 - shark - draw, len(winners))
