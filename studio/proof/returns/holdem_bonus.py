"""The best play of Texas Hold'em Bonus Poker, and what it gives back.

After the flop bet nothing more can be lost by not betting: whether to bet at the turn and whether to bet at the river
are questions of their own, each answered by the sum over what may still come. Before the flop the bettor plays or
folds by the sum of all that.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final

import numpy as np

from studio.cards import DECK, Card
from studio.games.holdem_bonus import RAISES
from studio.hands.array_evaluator import array_evaluator_of
from studio.hands.poker import DIGITS, STANDARD
from studio.proof.returns.figure import Count, Figure, Report, WeighedDeal, dealt_out, of_deals, of_main
from studio.proof.returns.holdem_pay import ALL_DEALS, BOARDS_A_HOLE, HOLES_IN_CLASS, HoldemPay
from studio.proof.returns.showdown import Showdowns, count_showdowns
from studio.proof.returns.suit_class import DECK_CARDS, Numbers, boards_of, by_hole_class, over_next_card
from studio.rulebook.game import Game
from studio.rulebook.holdem import BOARD, BOXES, DEALER, FLOP, PLAYER
from studio.rulebook.script import Rules

MAIN_BETS: Final = ("ante", *RAISES)
OPENING: Final = {"ante": 1}

TURN: Final = FLOP + 1
FLOPS_BEFORE_A_TURN: Final = comb(TURN, FLOP)
RUNS_A_BOARD: Final = comb(BOXES[BOARD], TURN) * FLOPS_BEFORE_A_TURN
"""The orders in which a board may come: which of its cards is the river, and which the turn."""

LEFT_AT_THE_TURN: Final = DECK_CARDS - BOXES[PLAYER] - FLOP

WonAndBet = tuple[int, int]
"""What is won and what is bet, summed over holes, boards and the orders a board may come in."""


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    yield from of_deals(game, rules, [(("bonus",), _bonus_deals()), (("first5",), _first_five_deals())])
    showdowns = count_showdowns(lambda share: report(share / 2))
    yield from _main(HoldemPay(game, rules), showdowns, lambda share: report((1 + share) / 2))


def _main(pay: HoldemPay, showdowns: Showdowns, report: Report) -> tuple[Figure, Figure]:
    pay.check_alike(tuple(RAISES))
    played = showdowns.totals(pay.played(showdowns, {**OPENING, "flop": RAISES["flop"]}))
    later = _later(showdowns, pay.played(showdowns, {"river": 1}), report)
    won = bet = 0
    for holes, playing, (more, bet_later) in zip(HOLES_IN_CLASS, played, later, strict=True):
        runs = RUNS_A_BOARD * BOARDS_A_HOLE * holes
        play = RUNS_A_BOARD * playing + more, RAISES["flop"] * runs + bet_later
        best = max(play, (pay.folded(OPENING) * runs, 0))
        won, bet = won + best[0], bet + best[1]
    runs = RUNS_A_BOARD * BOARDS_A_HOLE * sum(HOLES_IN_CLASS)
    put_out = sum(OPENING.values()) + Fraction(bet, runs)
    return of_main(Fraction(won, runs * pay.unit), put_out, MAIN_BETS, Count(showdowns.kinds, ALL_DEALS))


def _later(showdowns: Showdowns, bet_of_1: Numbers, report: Report) -> list[WonAndBet]:
    """For each class of holes, what the turn and the river bet add where they are worth it."""
    by_turn = showdowns.over_river(bet_of_1, report)
    by_flop = over_next_card(TURN, by_turn)
    river = _worth_it(by_turn, TURN, FLOPS_BEFORE_A_TURN, LEFT_AT_THE_TURN - 1)
    turn = _worth_it(by_flop, FLOP, 1, LEFT_AT_THE_TURN * (LEFT_AT_THE_TURN - 1))
    return [
        (RAISES["turn"] * t_won + RAISES["river"] * r_won, RAISES["turn"] * t_bet + RAISES["river"] * r_bet)
        for (t_won, t_bet), (r_won, r_bet) in zip(turn, river, strict=True)
    ]


def _worth_it(rows: Numbers, size: int, orders: int, runs: int) -> list[WonAndBet]:
    """A bet of 1 wherever it gains: a board came in so many `orders`, and goes on in so many `runs`."""
    alike = boards_of(size).alike * orders
    won = by_hole_class(alike @ np.maximum(rows, 0))
    bet = by_hole_class(alike @ (rows > 0) * runs)
    return list(zip(won, bet, strict=True))


def _bonus_deals() -> Iterator[WeighedDeal]:
    """Every hole of the player, with two aces at the dealer and without."""
    for hole in combinations(DECK, BOXES[PLAYER]):
        left = [card for card in DECK if card not in hole]
        aces = [card for card in left if card.rank == "A"]
        both = comb(len(aces), 2)
        yield both, _with_holes(hole, aces[:2])
        yield comb(len(left), 2) - both, _with_holes(hole, left[:2])


def _with_holes(player: tuple[Card, ...], dealer: list[Card]) -> dict[str, tuple[Card, ...]]:
    return dict(dealt_out(BOXES, {PLAYER: player, DEALER: tuple(dealer)}))


def _first_five_deals() -> Iterator[WeighedDeal]:
    """Every category of the player's hole and the flop: how often, and one such deal."""
    five = boards_of(BOXES[PLAYER] + FLOP)
    categories = array_evaluator_of(STANDARD).of(five.cards) >> 4 * DIGITS
    for category in np.unique(categories):
        of_category = categories == category
        cards = tuple(DECK[card] for card in five.cards[of_category.argmax()])
        given = {PLAYER: cards[: BOXES[PLAYER]], BOARD: cards[BOXES[PLAYER] :]}
        yield int(five.alike[of_category].sum()), dealt_out(BOXES, given)
