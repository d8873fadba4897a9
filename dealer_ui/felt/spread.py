"""A table of boxes, as a screen draws it from the zones of its felt: each box with its hands.

Only what is in use is drawn. A split box is two hands: the cards of its pair lie in zone `3` and belong, in the order
dealt, to the rows `3a` and `3b`; a screen shows each beside the cards of its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from studio.games.blackjack import DEALER, ROWS
from studio.games.blackjack_hand import BOX_KEYS
from studio.spoken import Slot
from studio.views.shape import BoxView, CardView, TableView

GAMES: Final = frozenset({"blackjack"})
"""Games whose felt is an arc of boxes."""

WON: Final = frozenset({"win", "blackjack", "even_money"})
"""How a hand may end that pays more than was put out."""

_AGREED: Final = frozenset({"confirmed", "sealed", "awaited", "empty"})


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a box, or the dealer's. `cards`: the zone each lies in, and the card; the newest is the last."""

    key: str
    cards: tuple[tuple[str, CardView], ...] = ()
    points: int = 0
    soft: bool = False
    marks: tuple[str, ...] = ()
    won: str = ""
    acts: bool = False

    @property
    def awaits(self) -> bool:
        return any(card.state == "awaited" for _, card in self.cards)

    @property
    def doubted(self) -> CardView | None:
        """The first card on which the two eyes have not agreed, or which people settled: calm hands show no eyes."""
        found = (card for _, card in self.cards if card.state not in _AGREED)
        return next(found, next((card for _, card in self.cards if card.vouch is not None), None))


@dataclass(frozen=True, slots=True)
class Spot:
    """One box of the arc. `bets` and `stake_minor` are what lies on its main bet, of all bettors."""

    key: str
    hands: tuple[Hand, ...]
    marks: tuple[str, ...] = ()
    bets: int = 0
    stake_minor: int = 0

    @property
    def used(self) -> bool:
        return bool(self.bets or self.marks or any(hand.cards for hand in self.hands))

    @property
    def acts(self) -> bool:
        return any(hand.acts for hand in self.hands)

    @property
    def awaits(self) -> bool:
        return any(hand.awaits for hand in self.hands)


@dataclass(frozen=True, slots=True)
class Spread:
    dealer: Hand
    spots: tuple[Spot, ...]


def spread_of(view: TableView) -> Spread | None:
    """The arc of a table's boxes; None where a felt has none."""
    if view.game not in GAMES:
        return None
    zones = {box.key: box for box in view.boxes}
    pointed = pointed_of(view)
    turn = view.bets.turn or str(view.act.values.get("box", "")).removeprefix("box.") * (view.act.key == "act.turn")
    dealer = _hand(zones[DEALER], zones[DEALER].marks, turn, _cards(zones, DEALER, pointed))
    return Spread(dealer, tuple(_spot(view, zones, box, turn, pointed) for box in BOX_KEYS))


def pointed_of(view: TableView) -> Mapping[Slot, str]:
    """Places an open incident points at: `from`, where a card lies wrong, and `to`, where it belongs."""
    found: dict[Slot, str] = {}
    for incident in view.incidents:
        if incident.due_box:
            found[incident.box, incident.place] = "from"
            found[incident.due_box, incident.due_place] = "to"
    return found


def in_use(view: TableView) -> tuple[BoxView, ...]:
    """The zones where something lies, is due, or is staked, the burns left out: what a person may choose from."""
    boxes = (box for box in view.boxes if box.key != "burn")
    if view.game not in GAMES and view.room is None:
        return tuple(boxes)
    return tuple(box for box in boxes if box.marks or any(card.state != "empty" for card in box.places))


def most_cards(view: TableView) -> int:
    """How many cards lie in the zone that has most of them: no place beyond it can be corrected."""
    lying = (sum(card.state != "empty" for card in box.places) for box in view.boxes if box.key != "burn")
    return max(1, *lying)


def _spot(view: TableView, zones: Mapping[str, BoxView], box: str, turn: str, pointed: Mapping[Slot, str]) -> Spot:
    own, cards = zones[box], _cards(zones, box, pointed)
    bets, stake_minor = view.bets.by_bet.get(f"{box}:main", (0, 0))
    if "split" not in own.marks:
        return Spot(box, (_hand(own, own.marks, turn, cards),), own.marks, bets, stake_minor)
    pair = {row: cards[at : at + 1] for at, row in enumerate(ROWS)}
    hands = tuple(
        _hand(zones[box + row], zones[box + row].marks, turn, (*pair[row], *_cards(zones, box + row, pointed)))
        for row in ROWS
    )
    return Spot(box, hands, own.marks, bets, stake_minor)


def _hand(zone: BoxView, marks: tuple[str, ...], turn: str, cards: tuple[tuple[str, CardView], ...]) -> Hand:
    return Hand(zone.key, cards, zone.points, zone.soft, marks, zone.won, turn == zone.key)


def _cards(zones: Mapping[str, BoxView], zone: str, pointed: Mapping[Slot, str]) -> tuple[tuple[str, CardView], ...]:
    places = zones[zone].places
    return tuple((zone, card) for card in places if card.state != "empty" or (zone, card.place) in pointed)
