"""A second opinion on a simulated night's pot: fed once a round, won whole or not at all.

What it should hold is counted from the bets and the cards alone, and held against the transfers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dealer_ui.rehearsal.opinions import Dealt
from dealer_ui.rehearsal.opinions.rank import five_name
from studio.jackpot import PotTerms
from studio.money import Transfer, pot_account
from studio.tables.event.table import PlacedBet

KINDS: Final = frozenset({"seed", "feed", "unfeed", "claim", "leftover", "reset"})
"""What moves in and out of a pot; a share of it is paid on the bet that won it."""
_PER_CENT: Final = 100
_ROYAL: Final = "royal"


class PotCheck:
    """One pot, fed by one table. `holds_minor` is what it should hold."""

    def __init__(self, terms: PotTerms, bet: str, seeded: Iterable[Transfer]) -> None:
        self._terms = terms
        self._bet = bet
        self.holds_minor = sum(transfer.amount_minor for transfer in seeded if transfer.kind == "seed")

    @property
    def account(self) -> str:
        return pot_account(self._terms.key)

    def seeded(self) -> Iterator[str]:
        if self.holds_minor != self._terms.seed_minor:
            yield f"The pot was seeded with {self.holds_minor}; it is to begin with {self._terms.seed_minor}."

    def settled(self, bets: Iterable[PlacedBet], transfers: Sequence[Transfer], dealt: Dealt) -> Iterator[str]:
        """The round was settled: its part of the stakes is in the pot, and a royal flush with a bet takes it all."""
        staked = [bet.stake_minor for bet in bets if bet.bet == self._bet]
        due = {"feed": sum(stake_minor * self._terms.share_percent // _PER_CENT for stake_minor in staked)}
        self.holds_minor += due["feed"]
        if staked and self._is_won(dealt):
            shared = sum(transfer.amount_minor for transfer in transfers if transfer.kind == "share")
            due |= {"claim": self.holds_minor, "leftover": self.holds_minor - shared, "reset": self._terms.reset_minor}
            self.holds_minor = due["leftover"] + due["reset"]
        yield from self._compare(transfers, due)

    def voided(self, bets: Iterable[PlacedBet], transfers: Sequence[Transfer]) -> Iterator[str]:
        """The round is void: what it had put in, if its betting was closed, is out again."""
        fed = sum(transfer.amount_minor for transfer in transfers if transfer.kind == "feed")
        staked = (bet.stake_minor for bet in bets if bet.bet == self._bet)
        due = sum(stake_minor * self._terms.share_percent // _PER_CENT for stake_minor in staked) if fed else 0
        yield from self._compare(transfers, {"feed": due, "unfeed": due})

    def _is_won(self, dealt: Dealt) -> bool:
        return five_name((*dealt.hands["player"], *dealt.hands["board"][:3])) == _ROYAL

    def _compare(self, transfers: Sequence[Transfer], due: dict[str, int]) -> Iterator[str]:
        """Each kind moved once, with what is due, and no other kind at all."""
        for kind in sorted(KINDS):
            moved = [transfer.amount_minor for transfer in transfers if transfer.kind == kind]
            wanted = [due[kind]] if due.get(kind) else []
            if moved != wanted:
                yield f"The pot has these of kind {kind}: {moved}; due are {wanted}."
