"""A finished round as a correction needs it: cards, bets, pot, and how often it was corrected.

A correction of a round may come long after its table has gone on to others: nothing of it is in the table's state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, get_args

from msgspec import structs

from studio.jackpot import divide
from studio.journal import Reader
from studio.rounds import AnyFact
from studio.rulebook.game import Game
from studio.settlement import PlacedBet, Prize, Purse
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.state.round import Round, Stage

_KINDS: Final = frozenset(
    {*(fact.__name__ for fact in get_args(AnyFact)), "RedealOrdered", "CorrectionApproved", "RoundResettled"}
)


@dataclass(frozen=True, slots=True)
class Dossier:
    """One round as its journal rows leave it. Its facts are those in force now, including what earlier corrections
    added.

    `revision` numbers the last reversal: first the parts that took something back (`Parts.revision`), then the
    corrections. `void`: the last correction voided the round. `bets` are in the form that the settlement takes.
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


def facts_of(reader: Reader, round: str) -> tuple[AnyFact, ...]:
    """The facts of the deal that counts, then those of the corrections carried out since; these are listed, not
    applied.
    """
    facts: list[AnyFact] = []
    approved: Sequence[AnyFact] = ()
    for row in reader.events(round=round, kinds=_KINDS):
        match read_body(row.body).event:
            case e.RedealOrdered():
                facts.clear()
            case e.CorrectionApproved(facts=righted):
                approved = righted
            case e.RoundResettled():
                facts.extend(approved)
            case e.FactStood(fact=fact):
                facts.append(fact)
    return tuple(facts)
