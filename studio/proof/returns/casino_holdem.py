"""The best play of Casino Hold'em, and what it gives back.

There is one decision: over each flop each hole calls or folds, by the sum over all turns, rivers and dealer's holes.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np

from studio.cards import DECK
from studio.games.casino_holdem import A_PAIR_OF_ACES, A_PAIR_OF_FOURS, CALL
from studio.hands.array_evaluator import array_evaluator_of
from studio.hands.poker import DIGITS, STANDARD
from studio.proof.returns.figure import Count, Figure, Report, WeighedDeal, dealt_out, of_deals, of_main
from studio.proof.returns.holdem_pay import ALL_DEALS, HOLES_IN_CLASS, HoldemPay
from studio.proof.returns.showdown import Showdowns, count_showdowns
from studio.proof.returns.suit_class import DECK_CARDS, Numbers, boards_of, by_hole_class, over_next_card
from studio.rulebook.game import Game
from studio.rulebook.holdem import BOARD, BOXES, FLOP, PLAYER
from studio.rulebook.script import Rules

MAIN_BETS: Final = ("ante", "call")
OPENING: Final = {"ante": 1}
CALLED: Final = {"ante": 1, "call": CALL}

FLOPS_A_HOLE: Final = comb(DECK_CARDS - BOXES[PLAYER], FLOP)
RUNS_A_FLOP: Final = comb(DECK_CARDS - BOXES[PLAYER] - FLOP, BOXES[BOARD] - FLOP)


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    yield from of_deals(game, rules, [(("aa_bonus",), _aa_bonus_deals())])
    showdowns = count_showdowns(lambda share: report(share / 2), A_PAIR_OF_FOURS)
    yield from _main(HoldemPay(game, rules, A_PAIR_OF_FOURS), showdowns, lambda share: report((1 + share) / 2))


def _main(pay: HoldemPay, showdowns: Showdowns, report: Report) -> tuple[Figure, Figure]:
    """Sums run over holes, flops, and what may follow on each flop."""
    gain = by_flop(pay, showdowns, report)
    alike = boards_of(FLOP).alike
    gained, calls = (sum(by_hole_class(alike @ sums)) for sums in (np.maximum(gain, 0), (gain > 0).astype(np.int64)))
    flops = FLOPS_A_HOLE * sum(HOLES_IN_CLASS)
    net = Fraction(gained + pay.folded(OPENING) * flops * RUNS_A_FLOP, flops * RUNS_A_FLOP * pay.unit)
    return of_main(net, 1 + Fraction(CALL * calls, flops), MAIN_BETS, Count(showdowns.kinds, ALL_DEALS))


def by_flop(pay: HoldemPay, showdowns: Showdowns, report: Report) -> Numbers:
    """By flop and hole, summed over turn and river: what a call wins above a fold; 0 for holes that share a card."""
    gain = pay.played(showdowns, CALLED) - pay.folded(OPENING)
    return over_next_card(FLOP + 1, showdowns.over_river(gain, report)) // 2  # turn and river come in either order


def _aa_bonus_deals() -> Iterator[WeighedDeal]:
    """Every category of the player's hole and the flop, pairs from aces on apart: how often, and one such deal."""
    five = boards_of(BOXES[PLAYER] + FLOP)
    values = array_evaluator_of(STANDARD).of(five.cards)
    told_apart = 2 * (values >> 4 * DIGITS) + (values >= A_PAIR_OF_ACES)
    for kind in np.unique(told_apart):
        of_kind = told_apart == kind
        cards = tuple(DECK[card] for card in five.cards[of_kind.argmax()])
        given = {PLAYER: cards[: BOXES[PLAYER]], BOARD: cards[BOXES[PLAYER] :]}
        yield int(five.alike[of_kind].sum()), dealt_out(BOXES, given)
