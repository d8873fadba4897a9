"""What hold'em bets against the dealer are worth over every board, paid by the code that settles.

What a bet returns depends on six showdowns (the player beats, equals or loses to a dealer who qualifies, or to one who
does not) and on the player's own category. Of each a deal is paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Final

import numpy as np

from studio.errors import InvariantError
from studio.hands.poker import DIGITS, STANDARD
from studio.proof.returns.figure import dealt_out
from studio.proof.returns.showdown import DEALER_HOLES, PAIR, Showdowns
from studio.proof.returns.suit_class import DECK_CARDS, HOLE_CLASS, HOLE_CLASSES, Numbers
from studio.rulebook.game import Game
from studio.rulebook.holdem import Outcome
from studio.rulebook.script import Rules

BOARDS_A_HOLE: Final = comb(DECK_CARDS - 2, 5)
HOLES_IN_CLASS: Final = np.bincount(HOLE_CLASS, minlength=HOLE_CLASSES).tolist()
ALL_DEALS: Final = sum(HOLES_IN_CLASS) * BOARDS_A_HOLE * DEALER_HOLES
"""Every hole of the player over every board, against every hole of the dealer."""

_WITHIN: Final = (1 << 4 * DIGITS) - 1
"""From the lowest value of a category to its highest."""


class HoldemPay:
    """Values of bets in whole numbers: net winnings, times the dealer's 990 holes, times `scale`.

    A dealer qualifies with a hand of the value `qualifying`, as the showdowns were counted.
    """

    def __init__(self, game: Game, rules: Rules, qualifying: int = PAIR) -> None:
        self._game: Final = game
        self._rules: Final = rules
        self._qualifying: Final = qualifying
        self._dealt: Final = game.deal.outcome(rules, dealt_out(game.felt.boxes, {}))
        self._returns: Final = [self._of_category(place) for place in range(len(STANDARD.categories))]
        self._folded: Final = game.payment.returns(rules, self._dealt, "fold")

    @cached_property
    def scale(self) -> int:
        """What every return is multiplied by, to be a whole number."""
        tables = [self._folded, *(returns for of_category in self._returns for returns in of_category)]
        return lcm(*(ret.denominator for returns in tables for ret in returns.values()))

    @property
    def unit(self) -> int:
        """What a value is divided by to be one of a unit staked, on one board."""
        return DEALER_HOLES * self.scale

    def played(self, showdowns: Showdowns, stakes: Mapping[str, int]) -> Numbers:
        """What those stakes win when they are played to the end, by kind of board and hole."""
        losses = DEALER_HOLES - showdowns.wins - showdowns.ties
        counts = (
            showdowns.wins - showdowns.beats_low,
            showdowns.beats_low,
            showdowns.ties - showdowns.ties_low,
            showdowns.ties_low,
            losses - showdowns.loses_to_low,
            showdowns.loses_to_low,
        )
        values = np.zeros(showdowns.wins.shape, np.int64)
        for place, count in enumerate(counts):
            worth = [self._net(of_category[place], stakes) for of_category in self._returns]
            values += np.array(worth, np.int64)[showdowns.category] * count
        return values

    def check_alike(self, bets: Sequence[str]) -> None:
        """`InvariantError` unless those bets always return the same, so that one of them may stand for all."""
        for returns in (returns for of_category in self._returns for returns in of_category):
            if len({returns[bet] for bet in bets}) > 1:
                raise InvariantError(f"The proof of {self._game.key} takes {', '.join(bets)} to be paid alike.")

    def folded(self, stakes: Mapping[str, int]) -> int:
        """What those stakes win, that is lose, when the bettor folds."""
        return self._net(self._folded, stakes) * DEALER_HOLES

    def _net(self, returns: Mapping[str, Fraction], stakes: Mapping[str, int]) -> int:
        return int(sum(stake * (returns[bet] - 1) for bet, stake in stakes.items()) * self.scale)

    def _of_category(self, place: int) -> list[Mapping[str, Fraction]]:
        """The returns of the six showdowns; one that cannot be counts for nothing, and is paid all the same."""
        least = place << 4 * DIGITS
        most = least + _WITHIN
        low, qualified = self._qualifying - 1, self._qualifying
        beats, ties = ((most, qualified), (most, 0)), ((most, most), (least, least))
        loses = (least, max(qualified, least + 1)), (least, low)
        return [self._game.payment.returns(self._rules, self._with(*hands), "") for hands in (*beats, *ties, *loses)]

    def _with(self, player: int, dealer: int) -> Outcome:
        """A deal as if the hands in it were worth so much."""
        dealt: Outcome = self._dealt
        return replace(dealt, player=player, dealer=dealer)
