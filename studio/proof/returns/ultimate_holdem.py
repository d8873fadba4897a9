"""The best play of Ultimate Texas Hold'em, and what it gives back.

Backwards: at the river the bettor raises or folds, whichever is better for his seven cards; after the flop he raises
or checks, by the sum over all turns and rivers; before the flop by the sum over all boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.cards import DECK
from studio.games.ultimate_holdem import AFTER_THE_FLOP, AFTER_THE_RIVER, BEFORE_THE_FLOP, RAISES
from studio.proof.returns.figure import Count, Figure, Report, WeighedDeal, dealt_out, of_deals, of_main
from studio.proof.returns.holdem_pay import ALL_DEALS, BOARDS_A_HOLE, HOLES_IN_CLASS, HoldemPay
from studio.proof.returns.showdown import Showdowns, count_showdowns
from studio.proof.returns.suit_class import DECK_CARDS, Numbers, boards_of, by_hole_class, over_next_card
from studio.rulebook.game import Game
from studio.rulebook.holdem import BOARD, BOXES, FLOP, PLAYER
from studio.rulebook.script import Rules


def _times(options: Sequence[str]) -> list[int]:
    return [RAISES[option] for option in options if option in RAISES]


MAIN_BETS: Final = ("ante", "blind", "play")
OPENING: Final = {"ante": 1, "blind": 1}
(FLOP_TIMES,) = _times(AFTER_THE_FLOP)
(RIVER_TIMES,) = _times(AFTER_THE_RIVER)

FLOPS_A_BOARD: Final = comb(BOXES[BOARD], FLOP)

RUNS_A_FLOP: Final = comb(DECK_CARDS - FLOP - BOXES[PLAYER], BOXES[BOARD] - FLOP)

_COUNT_BITS: Final = 20
"""A gain and a count travel in one number: the count in the low bits."""


@dataclass(frozen=True, slots=True)
class Play:
    """What there is to win by kind of board and hole: with the opening bets, with a raise of 1, with the best river.

    `raises_river` says where raising is the best at the river.
    """

    opening: Numbers
    raised: Numbers
    river: Numbers
    raises_river: NDArray[np.bool_]

    @classmethod
    def of(cls, pay: HoldemPay, showdowns: Showdowns) -> Play:
        opening, play = pay.played(showdowns, OPENING), pay.played(showdowns, {"play": 1})
        raised, folded = opening + RIVER_TIMES * play, pay.folded(OPENING)
        return cls(opening, play, np.maximum(raised, folded), raised > folded)

    def times(self, number: int) -> Numbers:
        return self.opening + number * self.raised


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    showdowns = count_showdowns(lambda share: report(share / 2))
    yield from _main(HoldemPay(game, rules), showdowns, lambda share: report((1 + share) / 2))
    yield from of_deals(game, rules, [(("trips",), _deals(showdowns))])


def _main(pay: HoldemPay, showdowns: Showdowns, report: Report) -> tuple[Figure, Figure]:
    """Sums run over holes, boards and the flops of each board, so that all are of one size."""
    play = Play.of(pay, showdowns)
    choices = [_checked(play, showdowns, lambda share: report(0.8 * share))]
    for times in _times(BEFORE_THE_FLOP):
        won = [FLOPS_A_BOARD * total for total in showdowns.totals(play.times(times))]
        raised = [FLOPS_A_BOARD * times * BOARDS_A_HOLE * holes for holes in HOLES_IN_CLASS]
        choices.append(list(zip(won, raised, strict=True)))
    best = [max(of_class) for of_class in zip(*choices, strict=True)]
    deals = FLOPS_A_BOARD * BOARDS_A_HOLE * sum(HOLES_IN_CLASS)
    bets = sum(OPENING.values()) + Fraction(sum(bet for _, bet in best), deals)
    net = Fraction(sum(won for won, _ in best), deals * pay.unit)
    return of_main(net, bets, MAIN_BETS, Count(showdowns.kinds, ALL_DEALS))


def _checked(play: Play, showdowns: Showdowns, report: Report) -> list[tuple[int, int]]:
    """For each class of holes, what a check before the flop wins, and what is raised after it, all played at best."""
    gain, rivers = _by_flop(play, showdowns, report)
    alike = boards_of(FLOP).alike
    raises = gain > 0
    gained = by_hole_class(alike @ np.where(raises, gain, 0))
    raised = by_hole_class(alike @ np.where(raises, FLOP_TIMES * RUNS_A_FLOP, RIVER_TIMES * rivers))
    never = showdowns.totals(play.river)
    return [(FLOPS_A_BOARD * base + more, bets) for base, more, bets in zip(never, gained, raised, strict=True)]


def _by_flop(play: Play, showdowns: Showdowns, report: Report) -> tuple[Numbers, Numbers]:
    """By flop and hole, over turn and river: what a raise wins above a check, and how often a check raises later."""
    gain = ((play.times(FLOP_TIMES) - play.river) << _COUNT_BITS) + play.raises_river
    by_flop = over_next_card(FLOP + 1, showdowns.over_river(gain, report)) // 2  # turn and river come in either order
    return by_flop >> _COUNT_BITS, by_flop & (1 << _COUNT_BITS) - 1


def _deals(showdowns: Showdowns) -> Iterator[WeighedDeal]:
    """Every category of the player's seven cards: how often, and one such deal."""
    for _, ways, board, hole in showdowns.by_category():
        given = {PLAYER: tuple(DECK[card] for card in hole), BOARD: tuple(DECK[card] for card in board)}
        yield ways, dealt_out(BOXES, given)
