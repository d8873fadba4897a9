"""Holds what each bettor staked and decided for himself against the rules of his game.

Games played by boxes are held against theirs in `box_audit`.
"""

from __future__ import annotations

from collections.abc import Sequence

from studio.proof.audit.wrong import wrong
from studio.rounds import AnyFact, Awaiting, play
from studio.rulebook.game import Game
from studio.rulebook.script import Decide, Rules
from studio.tables.event import table as e
from studio.tables.state.conduct import Conduct


class DecisionAudit:
    """One round; `conduct` is what the record says of everybody so far."""

    def __init__(self, round: str, game: Game, rules: Rules, conduct: Conduct) -> None:
        self._round = round
        self._game = game
        self._rules = rules
        self._conduct = conduct

    def check_placed(self, bets: Sequence[e.PlacedBet], seq: int) -> None:
        """Bets of the betting window, once taken in: no raise, no side bet alone, each blind as high as its ante."""
        game = self._game
        if game.owned is not None or game.peers is not None:
            return
        for bet in bets:
            stakes = self._conduct.stakes((bet.operator, bet.bettor))
            if bet.bet in game.decisions.raised or game.betting.needs.get(bet.bet, bet.bet) not in stakes:
                wrong(seq, f"The bet {bet.bet_id} on {bet.bet} could not be placed in round {self._round}.")
            for placed, leader in game.betting.automatic.items():
                if stakes.get(placed, 0) != stakes.get(leader, 0):
                    wrong(seq, f"{bet.bettor} has not as much on {placed} as on {leader} in round {self._round}.")

    def check_decided(self, told: e.DecisionsTaken, facts: Sequence[AnyFact], seq: int) -> None:
        """Decisions before they are taken in: each owed, among the options, and staked as the rules have it."""
        if self._game.owned is not None or self._game.peers is not None:
            return
        step, seen = self._step(facts, seq), set()
        for one in told.decisions:
            who = (one.operator, one.bettor)
            owed = self._conduct.owes(self._game, step, who) and not self._conduct.has_decided(who)
            if one.option not in step.options or who in seen or not owed:
                wrong(seq, f"{one.bettor} had no {one.option} to decide in round {self._round}.")
            seen.add(who)
        if [due for one in told.decisions if (due := self._due(one))] != [_staked(bet) for bet in told.bets]:
            wrong(seq, f"The stakes of a decision in round {self._round} are not what it costs.")

    def check_closed(self, told: e.DecisionsClosed, facts: Sequence[AnyFact], seq: int) -> None:
        """The end of a window: its own options, and the default of the game."""
        step = self._step(facts, seq)
        if told.options != step.options or told.by_default != step.default:
            wrong(seq, f"A window of decisions in round {self._round} ended as another one.")

    def _step(self, facts: Sequence[AnyFact], seq: int) -> Decide:
        standing = play(self._game.deal.script(self._rules), facts)
        if not (isinstance(standing, Awaiting) and isinstance(standing.step, Decide)):
            wrong(seq, f"Nobody had anything to decide in round {self._round}.")
        return standing.step

    def _due(self, one: e.Decision) -> tuple[str, str, str, str, int] | None:
        """The stake that this decision adds: operator, client id, bettor, bet and minor units; None where it
        adds none.
        """
        stakes = self._conduct.stakes((one.operator, one.bettor))
        raised = self._game.decisions.raise_of(one.option, stakes)
        return (one.operator, one.client_id, one.bettor, *raised) if raised else None


def _staked(bet: e.PlacedBet) -> tuple[str, str, str, str, int]:
    return bet.operator, bet.client_id, bet.bettor, bet.bet, bet.stake_minor
