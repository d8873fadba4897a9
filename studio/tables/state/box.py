"""Whose a box is: where hands are dealt to boxes, one bettor has each, and decides for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Protocol

from studio.cards import Card
from studio.hands.blackjack import count
from studio.rounds import CardDealt
from studio.rulebook.game import Game
from studio.tables.state.round import Round

Who = tuple[str, str]
"""Operator and bettor."""

MAIN: Final = "main"
_OF_A_BOX: Final = f":{MAIN}"
_ROWS: Final = "ab"


class Staked(Protocol):
    """A bet that stands, or one that is offered."""

    @property
    def operator(self) -> str: ...

    @property
    def bettor(self) -> str: ...

    @property
    def bet(self) -> str: ...


def box_of(key: str) -> str:
    """The box of a bet, or of a row of a split box.

    >>> box_of("3:perfect_pair"), box_of("3a"), box_of("dealer")
    ('3', '3', 'dealer')
    """
    return key.partition(":")[0].rstrip(_ROWS)


def zones_of(game: Game, box: str) -> tuple[str, ...]:
    """The zones in which the cards of a box lie: its own, and those of the rows it is split into."""
    return tuple(zone for zone in game.felt.boxes if box_of(zone) == box)


def cards_of(round: Round, box: str) -> tuple[Card, ...]:
    """The open cards in the place of a box, in the order dealt; those of its rows are not among them."""
    dealt = (round.deal.cards[slot] for slot in sorted(round.deal.cards) if slot[0] == box)
    return tuple(fact.face for fact in dealt if isinstance(fact, CardDealt) and fact.face is not None)


def dealers_total(round: Round) -> int:
    """The points of the dealer's open cards; 0 while he has none."""
    return count(cards_of(round, "dealer")).points


def paid_though_void(game: Game, round: Round, afterwards: Sequence[str], wrong: str) -> Mapping[str, Fraction]:
    """What the cards of the boxes have won already that a row has paid, by bet key; not by those of the box `wrong`."""
    boxes = (box for box in round.stakes.boxes or game.felt.boxes if box != wrong and _is_sure(round, box))
    hands = {box: cards_of(round, box) for box in boxes}
    paid = (
        game.payment.paid_though_void[key](round.rules, hands)
        for key in afterwards
        if key in game.payment.paid_though_void
    )
    return next(paid, {})


def _is_sure(round: Round, box: str) -> bool:
    """Both eyes agree on every card of the box."""
    return all(fact.card.id in round.eyes.confirmed for (zone, _), fact in round.deal.cards.items() if zone == box)


class Owners:
    """Who has which box: the first with a main bet on it."""

    __slots__ = ("_by_box",)

    def __init__(self, by_box: Mapping[str, Who] | None = None) -> None:
        self._by_box: dict[str, Who] = dict(by_box or {})

    def copy(self) -> Owners:
        return Owners(self._by_box)

    def bet(self, bets: Iterable[Staked]) -> None:
        for bet in bets:
            if bet.bet.endswith(_OF_A_BOX):
                self._by_box.setdefault(bet.bet.removesuffix(_OF_A_BOX), (bet.operator, bet.bettor))

    def has(self, who: Who, box: str) -> bool:
        return self._by_box.get(box_of(box)) == who

    def boxes(self, who: Who) -> Sequence[str]:
        return [box for box, owner in self._by_box.items() if owner == who]

    def refusal(self, offer: Staked, game: Game) -> tuple[str, str] | None:
        """Key and sentence why this bet may not lie on its box, None where it may."""
        who, box = (offer.operator, offer.bettor), box_of(offer.bet)
        owner = self._by_box.get(box)
        if owner == who:
            return None
        if owner is not None:
            return "box_taken", f"Box {box} belongs to another bettor in this round; bet on a free one."
        if game.owned is not None and len(self.boxes(who)) >= game.owned.boxes_a_bettor:
            return "boxes_full", f"A bettor has {game.owned.boxes_a_bettor} boxes at most; bet on those he has."
        return None
