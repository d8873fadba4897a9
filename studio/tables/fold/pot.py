"""Folds how a round stands to its pot."""

from __future__ import annotations

from studio.games.rulebook import Game
from studio.tables.event import table as e
from studio.tables.state.table import Round
from studio.value import replace


def follow_pot(game: Game, round: Round, event: e.AnyEvent) -> Round:
    """Stakes on the bet that feeds the pot count towards the contribution; the pot's own events are kept."""
    if not game.pot.bet:
        return round
    match event:
        case e.BetsPlaced(bets=bets) | e.DecisionsTaken(bets=bets):
            stakes = [(bet.currency, bet.stake_minor) for bet in bets if bet.bet == game.pot.bet]
            pot = round.pot.with_stakes(stakes) if round.pot else None
            return replace(round, pot=pot, prize_bets=round.prize_bets + len(stakes)) if stakes else round
        case e.PotFed() | e.PotWon() | e.PotReturned() if round.pot is not None:
            return replace(round, pot=round.pot.after(event))
    return round
