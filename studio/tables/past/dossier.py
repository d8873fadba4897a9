"""A finished round as a correction needs it: cards, bets, pot, and how often it was corrected.

A correction of a round may come long after its table has gone on to others: nothing of it is in the table's state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec import structs

from studio.games.rulebook import Game
from studio.jackpot import divide
from studio.settlement import PlacedBet, Prize, Purse
from studio.tables.state.table import Round, Stage


@dataclass(frozen=True, slots=True)
class Dossier:
    """One round as its rows leave it; its facts are those that count now, earlier corrections among them.

    `revision` counts the corrections, and before them the parts that took something back (`Parts.revision`). `void`:
    the last correction voided it. `bets` stand as the settlement takes them.
    """

    table: str
    currency: str
    game: Game
    round: Round
    bets: tuple[PlacedBet, ...]
    revision: int = 0
    void: bool = False

    @property
    def sharers(self) -> int:
        """How many bettors share the round's pot where it is won: each once, whatever he staked."""
        return len({bet.account for bet in self.bets if bet.bet == self.game.pot.bet})

    @property
    def purse(self) -> Purse:
        round, pot, prize = self.round, self.round.pot, None
        if pot is not None and (sharers := self.sharers):
            prize = Prize(divide(pot.then_minor or 0, sharers)[0], pot.terms.currency)
        return Purse(round.id, self.table, self.currency, round.rates, prize)

    @property
    def settled(self) -> bool:
        return self.round.stage is Stage.SETTLED and not self.void


def to_accounts(game: Game, bets: Sequence[PlacedBet]) -> tuple[PlacedBet, ...]:
    """The bets as a correction moves them: at a table of the poker room on their bettors' accounts, for the chips they
    came from are in other pots by then."""
    if game.peers is None:
        return tuple(bets)
    return tuple(structs.replace(bet, account=bet.account.rpartition("/")[0] or bet.account) for bet in bets)


DossierOf = Callable[[str], Dossier]
"""The dossier of a round of one table."""
