"""The only place for a finished round as a correction needs it: cards, bets, pot, and how often it was corrected.

A correction of a round may come long after its table has gone on to others: nothing of it is in the table's state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from studio.games.script import Game
from studio.settlement import PlacedBet, Prize, Purse
from studio.tables.state import Round, Stage


@dataclass(frozen=True, slots=True)
class Dossier:
    """One round as its rows leave it; its facts are those that count now, earlier corrections among them.

    `revision` counts the corrections; `void`: the last one voided it. `bets` stand as the settlement takes them.
    """

    table: str
    currency: str
    game: Game
    round: Round
    bets: tuple[PlacedBet, ...]
    revision: int = 0
    void: bool = False

    @property
    def purse(self) -> Purse:
        round, pot = self.round, self.round.pot
        prize = Prize(pot.won.share_minor, pot.won.currency) if pot and pot.won else None
        return Purse(round.id, self.table, self.currency, round.rates, prize)

    @property
    def settled(self) -> bool:
        return self.round.stage is Stage.SETTLED and not self.void


DossierOf = Callable[[str], Dossier]
"""The dossier of a round of one table."""
