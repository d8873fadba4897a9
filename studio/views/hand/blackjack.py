"""What a screen says of each Blackjack hand while it is played, and of why the next act is due.

Only open cards count here. A box that was split says so and has no total; its rows `1a` and `1b` have one each, the
card of the pair counted in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from studio.cards import Card
from studio.games.blackjack import DEALER, ROWS
from studio.games.blackjack_hand import BOX_KEYS
from studio.hands.blackjack import TWENTY_ONE, Total, count, is_natural
from studio.rounds import CardDealt, Chose, Finished, WindowClosed
from studio.tables.state.round import Round
from studio.views.shape import Words

_MARK_OF: Final = {"double": "doubled", "split": "split", "surrender": "surrendered", "stand": "stands"}
_SECOND_WINDOW: Final = 2
"""Bets are taken in the first window, insurance and even money in the second."""


@dataclass(frozen=True, slots=True)
class HandView:
    """`points` is 0 while nothing counts. `marks`: `bet` `pair_bet` `insured` `even_money` `split` `doubled` `stands`
    `surrendered` `blackjack` `bust`, in this order.
    """

    points: int = 0
    soft: bool = False
    marks: tuple[str, ...] = ()


@dataclass(slots=True)
class _Played:
    """What has been dealt to each zone, what each chose, and the boxes that took what was offered."""

    cards: dict[str, list[Card]] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)
    protected: tuple[str, ...] = ()
    windows: int = 0

    def hand(self, zone: str) -> list[Card]:
        """The cards that count for this hand: of a row, its card of the pair first."""
        box, row = zone[:1], zone[1:]
        if row in ROWS and self.chosen.get(box) == "split":
            return [self.cards[box][ROWS.index(row)], *self.cards.get(zone, ())]
        return self.cards.get(zone, [])


def hands_of(round: Round | None, staked: Collection[str], took: Collection[str] = ()) -> Mapping[str, HandView]:
    """Every hand that says something, by its zone; `staked` are the bets of the round that somebody has placed.

    `took`: the boxes that have taken insurance or even money while its window is still open.
    """
    played = _read(round)
    played.protected += tuple(took)
    split = [box for box in BOX_KEYS if played.chosen.get(box) == "split"]
    zones = (*BOX_KEYS, *(box + row for box in split for row in ROWS), DEALER)
    found = {zone: _hand(zone, played, staked, zone in split) for zone in zones}
    return {zone: hand for zone, hand in found.items() if hand != HandView()}


def why(round: Round, *, draws: bool) -> Words | None:
    """What led to the act that is due: a choice, the end of a hand, the rule the dealer draws by.

    `draws`: the card that is due now is the dealer's own.
    """
    played, last = _read(round), round.deal.plain[-1] if round.deal.plain else None
    dealer = count(played.cards.get(DEALER, ()))
    if isinstance(round.deal.standing, Finished):
        return _end_of_dealer(played.cards.get(DEALER, []), dealer)
    if draws and played.cards.get(DEALER):
        return Words("why.dealer_draws.soft" if dealer.soft else "why.dealer_draws", {"points": dealer.points})
    match last:
        case Chose(box=box, option=option, by_default=by_default):
            return Words(f"why.default.{option}" if by_default else f"why.chose.{option}", {"box": f"box.{box}"})
        case CardDealt(box=zone) if zone != DEALER:
            return _end_of_hand(zone, played.hand(zone))
    return None


def _end_of_hand(zone: str, cards: list[Card]) -> Words | None:
    total = count(cards)
    if total.points < TWENTY_ONE:
        return None
    if is_natural(cards) and zone[1:] not in ROWS:
        return Words("why.blackjack", {"box": f"box.{zone}"})
    return Words("why.bust" if total.is_bust else "why.twenty_one", {"box": f"box.{zone}", "points": total.points})


def _end_of_dealer(cards: list[Card], total: Total) -> Words | None:
    if not cards:
        return None
    if len(cards) == 1:
        return Words("why.dealer_draws_nothing")
    if is_natural(cards):
        return Words("why.dealer_blackjack")
    return Words("why.dealer_bust" if total.is_bust else "why.dealer_stands", {"points": total.points})


def _read(round: Round | None) -> _Played:
    played = _Played()
    for fact in round.deal.plain if round else ():
        match fact:
            case CardDealt(box=box, face=Card() as face):
                played.cards.setdefault(box, []).append(face)
            case Chose(box=box, option=option):
                played.chosen[box] = option
            case WindowClosed(boxes=boxes):
                played.windows += 1
                if played.windows == _SECOND_WINDOW:
                    played.protected = boxes
    return played


def _hand(zone: str, played: _Played, staked: Collection[str], split: bool) -> HandView:
    cards = played.hand(zone)
    total = count(cards)
    natural = is_natural(cards) and zone[1:] not in ROWS
    told = {
        "bet": f"{zone}:main" in staked,
        "pair_bet": f"{zone}:perfect_pair" in staked,
        "insured": f"{zone}:insurance" in staked or (zone in played.protected and not natural),
        "even_money": zone in played.protected and natural,
        _MARK_OF.get(played.chosen.get(zone, ""), "-"): True,
        "blackjack": natural,
        "bust": total.is_bust,
    }
    marks = tuple(mark for mark, holds in told.items() if holds and mark != "-")
    return HandView(marks=marks) if split or not cards else HandView(total.points, total.soft, marks)
