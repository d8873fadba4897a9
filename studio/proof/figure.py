"""The only place for what a proof finds: a figure, and how it is added up from deals that are told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from studio.cards import DECK
from studio.games.script import Game, Hands, Rules

WeighedDeal = tuple[int, Hands]
"""How many deals are alike, and one of them."""

DealGroups = Iterable[tuple[tuple[str, ...], Iterable[WeighedDeal]]]
"""Groups of bets, each with the deals that decide them."""

Report = Callable[[float], None]
"""Told now and then what share of a proof is done, from 0 to 1."""


def unreported(share: float) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What `bet` gives back of every unit of its `basis`; `covers` are the bets of the rulebook it speaks for."""

    bet: str
    basis: str
    rtp: Fraction
    covers: tuple[str, ...]


def of_deals(game: Game, rules: Rules, groups: DealGroups) -> Iterator[Figure]:
    """The figure of each bet on its own stake, every deal paid by the code that settles."""
    for bets, deals in groups:
        ways = 0
        back = dict.fromkeys(bets, Fraction(0))
        for alike, hands in deals:
            ways += alike
            returns = game.returns(rules, game.outcome(rules, hands), "")
            for bet in bets:
                back[bet] += alike * returns[bet]
        for bet in bets:
            yield Figure(bet, "stake", back[bet] / ways, (bet,))


def dealt_out(boxes: Mapping[str, int], given: Hands) -> Hands:
    """A whole deal: the places that are not given get cards that are left in the deck."""
    gone = {card for cards in given.values() for card in cards}
    rest = iter(card for card in DECK if card not in gone)
    return {
        box: (*given.get(box, ()), *islice(rest, places - len(given.get(box, ())))) for box, places in boxes.items()
    }


def of_main(net: Fraction, put_out: Fraction, covers: tuple[str, ...]) -> tuple[Figure, Figure]:
    """The main game, where decisions add to the first bet: of a unit of that bet, and of all that is put out.

    `net` is what a bettor of one unit wins on average, `put_out` what he stakes on average, decisions included.
    """
    return Figure("main", "initial", 1 + net, covers), Figure("main", "total", 1 + net / put_out, covers)
