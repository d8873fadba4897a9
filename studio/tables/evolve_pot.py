"""The only place where a round's standing to its pot changes."""

from __future__ import annotations

from dataclasses import replace

from studio.games.script import Game
from studio.tables import event as e
from studio.tables.state import Round


def follow_pot(game: Game, round: Round, event: e.AnyEvent) -> Round:
    """Stakes on the bet that feeds the pot count towards the contribution; the pot's own events are kept."""
    pot = round.pot
    if pot is None:
        return round
    match event:
        case e.BetsPlaced(bets=bets) | e.DecisionsTaken(bets=bets):
            pot = pot.with_stakes(bet.stake_minor for bet in bets if bet.bet == game.pot_bet)
        case e.PotFed() | e.PotWon() | e.PotReturned():
            pot = pot.after(event)
        case _:
            return round
    return round if pot is round.pot else replace(round, pot=pot)
