"""The only place that counts a simulated night's money once more, from the ledger and from the faces of the cards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import floor
from typing import Final

from dealer_ui.rehearsal.opinions import OPINIONS, Dealt
from studio.money import Transfer, bettor_account, escrow_account, house_account
from studio.rounds import AnyFact
from studio.tables import event as e


class MoneyCheck:
    """Each bet is posted or voided exactly once, pays what a second opinion says, and nothing appears or vanishes."""

    def __init__(self, table: str, game: str) -> None:
        self._house = house_account(table)
        self._game = game
        self._round = ""
        self._bets: dict[str, e.PlacedBet] = {}
        self._facts: list[AnyFact] = []
        self.balances: Counter[str] = Counter()
        self.rows = 0
        """Rows of the ledger accounted for."""

    def take(self, event: e.AnyEvent) -> None:
        """Follow one event."""
        match event:
            case e.RoundStarted(round=round):
                self._round = round
                self._bets.clear()
                self._facts.clear()
            case e.RedealOrdered():
                self._facts.clear()
            case e.FactStood(fact=fact):
                self._facts.append(fact)
            case e.BetsPlaced(bets=bets) | e.DecisionsTaken(bets=bets):
                self._bets.update({bet.bet_id: bet for bet in bets})

    def deposit(self, transfers: Iterable[Transfer]) -> None:
        for transfer in transfers:
            self._move(transfer)

    def settled(self, transfers: Sequence[Transfer]) -> Iterator[str]:
        """The round was settled with these transfers."""
        yield from self._after(transfers)
        try:
            due = self._due()
        except (LookupError, ValueError) as error:
            yield f"The cards of round {self._round} cannot be paid: {error!r}"
            return
        yield from self._once(transfers, "post", "void", "reverse_post", "reverse_return")
        returned = Counter({t.bet: t.amount_minor for t in transfers if t.kind == "return"})
        for id, bet in self._bets.items():
            if returned[id] != due[id]:
                yield f"Bet {id} ({bet.bet}, {bet.stake_minor}) returned {returned[id]}; the cards make it {due[id]}."
        for transfer in transfers:
            if transfer.kind == "return" and (transfer.debit, transfer.credit) != (self._house, self._owner(transfer)):
                yield f"The return of bet {transfer.bet} went from {transfer.debit} to {transfer.credit}."

    def voided(self, transfers: Sequence[Transfer]) -> Iterator[str]:
        """The round was voided with these transfers: every stake went back where it came from."""
        yield from self._once(transfers, "void", "post", "return", "reverse_post", "reverse_return")
        for transfer in transfers:
            if transfer.kind == "void" and transfer.credit != self._owner(transfer):
                yield f"The stake of bet {transfer.bet} went back to {transfer.credit}."
        yield from self._after(transfers)

    def _once(self, transfers: Sequence[Transfer], due: str, *never: str) -> Iterator[str]:
        """Every bet is reserved once and then goes the one way due, with its whole stake."""
        moved: dict[tuple[str, str], list[int]] = defaultdict(list)
        for transfer in transfers:
            moved[transfer.bet, transfer.kind].append(transfer.amount_minor)
            if transfer.bet not in self._bets:
                yield f"Money moved for bet {transfer.bet}, which was never placed in round {self._round}."
            if transfer.kind in never:
                yield f"Bet {transfer.bet} has a {transfer.kind}, and only a {due} is due."
        for id, bet in self._bets.items():
            for kind in ("reserve", due):
                if moved[id, kind] != [bet.stake_minor]:
                    yield f"Bet {id} of {bet.stake_minor} has these of kind {kind}: {moved[id, kind]}."

    def _after(self, transfers: Sequence[Transfer]) -> Iterator[str]:
        for transfer in transfers:
            self._move(transfer)
        if left := self.balances.pop(escrow_account(self._round), 0):
            yield f"{left} lie in the escrow of round {self._round}, which is over."
        if total := sum(self.balances.values()):
            yield f"The balances sum to {total} after round {self._round}, not to zero."

    def compare(self, balance: Callable[[str], int]) -> Iterator[str]:
        """Hold the fold of the ledger against the balances as they are kept."""
        for account, amount_minor in self.balances.items():
            if balance(account) != amount_minor:
                yield f"{account} holds {balance(account)}; its transfers make it {amount_minor}."

    def _move(self, transfer: Transfer) -> None:
        self.rows += 1
        self.balances[transfer.debit] -= transfer.amount_minor
        self.balances[transfer.credit] += transfer.amount_minor

    def _owner(self, transfer: Transfer) -> str:
        bet = self._bets.get(transfer.bet)
        return bettor_account(bet.operator, bet.bettor) if bet else ""

    def _due(self) -> dict[str, int]:
        """What every bet is due, in minor units."""
        dealt, opinion = Dealt.of(self._facts), OPINIONS[self._game]
        due: dict[str, int] = dict.fromkeys(self._bets, 0)
        for bets in self._by_bettor().values():
            staked: Counter[str] = Counter()
            for bet in bets:
                staked[bet.bet] += bet.stake_minor
            back = opinion(dealt, staked)
            for bet in bets:
                if self._game in _MERGED:
                    due[bet.bet_id] = floor(staked.pop(bet.bet, 0) * back[bet.bet])
                else:
                    due[bet.bet_id] = floor(bet.stake_minor * back[bet.bet])
        return due

    def _by_bettor(self) -> Mapping[tuple[str, str], list[e.PlacedBet]]:
        found: dict[tuple[str, str], list[e.PlacedBet]] = defaultdict(list)
        for bet in self._bets.values():
            found[bet.operator, bet.bettor].append(bet)
        return found


_MERGED: Final = frozenset({"blackjack"})
"""Games in which a decision adds to a stake that lies already, and both are rounded together."""
