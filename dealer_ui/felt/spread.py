"""A table of boxes, as a screen draws it from the zones of its felt: each box with its hands, cards where they lie.

Only what is in use is drawn. A split box is two hands: the cards of its pair lie in zone `3` and belong, in the order
dealt, to the rows `3a` and `3b`; a screen shows each beside the cards of its row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from studio.games.blackjack import DEALER, ROWS
from studio.games.blackjack_hand import BOX_KEYS
from studio.spoken import Slot
from studio.views.shape import BoxView, CardView, TableView

_DEALS: Final = frozenset({"act.burn", "act.deal", "act.deal_down"})
_BARE: Final = frozenset({"empty", "awaited"})
_ROW_FROM: Final = 10


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
class SpreadSpot:
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
class FeltSpread:
    dealer: Hand
    spots: tuple[SpreadSpot, ...]


def spread_of(view: TableView) -> FeltSpread | None:
    """The arc of a table's boxes; None where a felt has none."""
    if view.game.key not in GAMES:
        return None
    zones = {box.key: box for box in view.boxes}
    pointed = pointed_of(view)
    turn = view.bets.turn or str(view.now.act.values.get("box", "")).removeprefix("box.") * (
        view.now.act.key == "act.turn"
    )
    dealer = _hand(zones[DEALER], zones[DEALER].marks, turn, _cards(zones, DEALER, pointed))
    return FeltSpread(dealer, tuple(_spot(view, zones, box, turn, pointed) for box in BOX_KEYS))


def pointed_of(view: TableView) -> Mapping[Slot, str]:
    """Places an open incident points at: `from`, where a card lies wrong, and `to`, where it belongs."""
    found: dict[Slot, str] = {}
    for incident in view.incidents.open:
        if incident.where.due_box:
            found[incident.where.box, incident.where.place] = "from"
            found[incident.where.due_box, incident.where.due_place] = "to"
    return found


def pointed_in(pointed: Mapping[Slot, str], zone: str) -> tuple[tuple[int, str], ...]:
    """The places of one zone that an incident points at, each with how."""
    return tuple((place, how) for (there, place), how in pointed.items() if there == zone)


def in_use(view: TableView) -> tuple[BoxView, ...]:
    """The zones where something lies, is due, or is staked, the burns left out: what a person may choose from."""
    boxes = (box for box in view.boxes if box.key != "burn")
    if view.game.key not in GAMES and view.room is None:
        return tuple(boxes)
    return tuple(box for box in boxes if box.marks or any(card.state != "empty" for card in box.places))


def most_cards(view: TableView) -> int:
    """The number of cards in the fullest zone, at least 1: a correction need not offer places beyond it."""
    lying = (sum(card.state != "empty" for card in box.places) for box in view.boxes if box.key != "burn")
    return max(1, *lying)


def _spot(
    view: TableView, zones: Mapping[str, BoxView], box: str, turn: str, pointed: Mapping[Slot, str]
) -> SpreadSpot:
    own, cards = zones[box], _cards(zones, box, pointed)
    bets, stake_minor = view.bets.by_bet.get(f"{box}:main", (0, 0))
    if "split" not in own.marks:
        return SpreadSpot(box, (_hand(own, own.marks, turn, cards),), own.marks, bets, stake_minor)
    pair = {row: cards[at : at + 1] for at, row in enumerate(ROWS)}
    hands = tuple(
        _hand(zones[box + row], zones[box + row].marks, turn, (*pair[row], *_cards(zones, box + row, pointed)))
        for row in ROWS
    )
    return SpreadSpot(box, hands, own.marks, bets, stake_minor)


def _hand(zone: BoxView, marks: tuple[str, ...], turn: str, cards: tuple[tuple[str, CardView], ...]) -> Hand:
    return Hand(zone.key, cards, zone.points, zone.soft, marks, zone.won, turn == zone.key)


def _cards(zones: Mapping[str, BoxView], zone: str, pointed: Mapping[Slot, str]) -> tuple[tuple[str, CardView], ...]:
    places = zones[zone].places
    return tuple((zone, card) for card in places if card.state != "empty" or (zone, card.place) in pointed)


def is_row(box: BoxView) -> bool:
    """Whether a box has so many places that empty ones are not drawn, only the cards in a row."""
    return box.key != "burn" and len(box.places) >= _ROW_FROM


def shown(view: TableView) -> TableView:
    """The table with each card drawn where it lies, even where it does not belong.

    The place of the next card is marked only while a card is to be dealt, and never while the table is held.
    """
    deals = view.now.act.key in _DEALS and not view.now.held
    moved = dict(_moved(view))
    if deals and not moved:
        return view
    return replace(view, boxes=tuple(_box(box, moved, deals=deals) for box in view.boxes))


def _box(box: BoxView, moved: dict[Slot, CardView], *, deals: bool) -> BoxView:
    places = tuple(moved.get((box.key, place.place), place) for place in box.places)
    if not deals:
        places = tuple(replace(place, state="empty") if place.state == "awaited" else place for place in places)
    return replace(box, places=places)


def _moved(view: TableView) -> Iterator[tuple[Slot, CardView]]:
    """Both places of a card an incident points at, as they are: bare where it belongs, the card where it lies."""
    places = {(box.key, place.place): place for box in view.boxes for place in box.places}
    for incident in view.incidents.open:
        to, lies = (incident.where.due_box, incident.where.due_place), (incident.where.box, incident.where.place)
        card, there = places.get(to), places.get(lies)
        if card is not None and there is not None and card.state not in _BARE and there.state in _BARE:
            yield to, CardView(card.place, "empty")
            yield lies, replace(card, place=there.place, state="sealed_owed" if card.face is None else "contradiction")
