"""What a proof finds: a figure, what it was counted over, and how it is added up from deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

from studio.cards import DECK
from studio.rulebook.game import Game
from studio.rulebook.script import Hands, Rules

WeighedDeal = tuple[int, Hands]
"""How many deals are alike, and one of them."""

DealGroups = Iterable[tuple[tuple[str, ...], Iterable[WeighedDeal]]]
"""Groups of bets, each with the deals that decide them."""

Report = Callable[[float], None]
"""Told now and then what share of a proof is done, from 0 to 1."""


def unreported(share: float) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a figure was counted over: `classes` deals were paid, of each kind one, and stand for `deals` in all.

    `deals` is None where deals were weighed by how likely they are and not counted whole. `returned` says how many
    deals give back what, of a unit staked; empty where decisions are involved. `pot`: in so many of them the bet wins
    what lies in a progressive pot, beside what it gives back; None where there is none to win.
    """

    classes: int
    deals: int | None = None
    returned: Mapping[Fraction, int] = field(default_factory=dict)
    pot: int | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """What `bet` gives back of every unit of its `basis`; `covers` are the bets of the rulebook it speaks for.

    `put_out` is what a bettor of one unit has out in the end, on average: decisions add to the first bet.
    """

    bet: str
    basis: str
    rtp: Fraction
    covers: tuple[str, ...]
    count: Count
    put_out: Fraction = Fraction(1)


def of_deals(game: Game, rules: Rules, groups: DealGroups) -> Iterator[Figure]:
    """The figure of each bet on its own stake, every deal paid by the code that settles."""
    for bets, deals in groups:
        classes = 0
        returned: dict[str, Counter[Fraction]] = {bet: Counter() for bet in bets}
        pots: Counter[str] = Counter()
        for alike, hands in deals:
            classes += 1
            outcome = game.deal.outcome(rules, hands)
            returns = game.payment.returns(rules, outcome, "")
            for bet in bets:
                returned[bet][returns[bet]] += alike
            for bet in game.pot.pots(rules, outcome):
                pots[bet] += alike
        for bet in bets:
            pot = pots[bet] if bet == game.pot.bet else None
            yield of_returned(bet, (bet,), classes, returned[bet], pot=pot)


def of_returned(
    bet: str, covers: tuple[str, ...], classes: int, returned: Mapping[Fraction, int], *, pot: int | None = None
) -> Figure:
    """The figure of a bet on its own stake, from how many deals give back what, and how many of them win a pot."""
    deals = sum(returned.values())
    back = sum((prize * ways for prize, ways in returned.items()), Fraction(0))
    return Figure(bet, "stake", back / deals, covers, Count(classes, deals, returned, pot))


def dealt_out(boxes: Mapping[str, int], given: Hands) -> Hands:
    """A whole deal: the places that are not given get cards that are left in the deck."""
    gone = {card for cards in given.values() for card in cards}
    rest = iter(card for card in DECK if card not in gone)
    return {
        box: (*given.get(box, ()), *islice(rest, places - len(given.get(box, ())))) for box, places in boxes.items()
    }


def of_main(net: Fraction, put_out: Fraction, covers: tuple[str, ...], count: Count) -> tuple[Figure, Figure]:
    """The main game, where decisions add to the first bet: of a unit of that bet, and of all that is put out.

    `net` is what a bettor of one unit wins on average, `put_out` what he stakes on average, decisions included.
    """
    return (
        Figure("main", "initial", 1 + net, covers, count, put_out),
        Figure("main", "total", 1 + net / put_out, covers, count, put_out),
    )
