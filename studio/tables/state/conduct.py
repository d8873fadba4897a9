"""How each bettor has conducted himself in a round with decisions: what he chose, what he let pass.

A fold of the round's bets and decisions. `studio.settlement` pays a bettor by his conduct: `""` played on, `"fold"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from studio.rulebook.game import Game
from studio.rulebook.script import Decide
from studio.tables.event.table import Decision, PlacedBet
from studio.tables.state.box import Who

FOLD: Final = "fold"


class Conduct:
    """Everybody's stakes and choices in one round."""

    __slots__ = ("_asked", "_decided", "_folded", "_stakes")

    def __init__(self) -> None:
        self._stakes: dict[Who, dict[str, int]] = {}
        self._decided: set[tuple[str, str, str]] = set()
        self._folded: set[Who] = set()
        self._asked: int | None = None

    def bet(self, bets: Sequence[PlacedBet]) -> None:
        for bet in bets:
            stakes = self._stakes.setdefault((bet.operator, bet.bettor), {})
            stakes[bet.bet] = stakes.get(bet.bet, 0) + bet.stake_minor

    def unbet(self, bets: Sequence[PlacedBet]) -> None:
        """Take bets whose stakes went back out of their bettors' stakes."""
        for bet in bets:
            stakes = self._stakes[bet.operator, bet.bettor]
            stakes[bet.bet] -= bet.stake_minor
            if not stakes[bet.bet]:
                del stakes[bet.bet]

    def forget_decisions(self) -> None:
        """The deal they were made in is void: everybody decides anew."""
        self._decided.clear()
        self._folded.clear()
        self._asked = None

    def decide(self, decisions: Sequence[Decision]) -> None:
        for decision in decisions:
            who = (decision.operator, decision.bettor)
            self._decided.add((*who, decision.box))
            if decision.option == FOLD:
                self._folded.add(who)

    def close(self, game: Game, step: Decide) -> None:
        """The window of this decision is over: who had to decide and did not has the game's default."""
        if step.default == FOLD:
            silent = (who for who in self._stakes if not self.has_decided(who) and self.owes(game, step, who))
            self._folded.update(tuple(silent))
        self._decided.clear()
        self._asked = None

    def asked(self, game: Game, step: Decide) -> int:
        """How many bettors are asked in the window that is open, whether they have decided or not; counted once."""
        if self._asked is None:
            self._asked = sum(self.has_decided(who) or self.owes(game, step, who) for who in tuple(self._stakes))
        return self._asked

    @property
    def decided(self) -> int:
        """How many have decided in the window that is open: bettors, or boxes where these decide."""
        return len(self._decided)

    def owes(self, game: Game, step: Decide, who: Who) -> bool:
        """Whether this bettor still has the decision to make, had he not made it."""
        return who not in self._folded and game.decisions.asks(step, self.stakes(who))

    def has_decided(self, who: Who, box: str = "") -> bool:
        """Whether this bettor, or this box of his, has decided in the window that is open."""
        return (*who, box) in self._decided

    def has_folded(self, who: Who) -> bool:
        return who in self._folded

    def stakes(self, who: Who) -> Mapping[str, int]:
        """What the bettor has out, by bet key."""
        return self._stakes.get(who, {})

    def bettors_on(self, bet: str) -> int:
        """How many have something on this bet."""
        return sum(stakes.get(bet, 0) > 0 for stakes in self._stakes.values())

    def of(self, operator: str, bettor: str) -> str:
        return FOLD if (operator, bettor) in self._folded else ""
