"""The only place that counts a simulated night's money once more, from the ledger and from the faces of the cards."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from studio.cards import Card
from studio.cli.settle import settle_line
from studio.errors import BadInputError
from studio.games import find_game
from studio.games.script import Decide
from studio.money import Transfer, bettor_account, escrow_account, house_account
from studio.rounds import AnyFact, CardDealt, Revealed, corrected
from studio.tables import event as e
from studio.tables.conduct import FOLD, Conduct


class MoneyCheck:
    """Each bet is posted or voided exactly once, pays what `studio settle` pays, and nothing appears or vanishes."""

    def __init__(self, table: str, game: str) -> None:
        self._house = house_account(table)
        self._game = game
        self._rules: Mapping[str, Any] = {}
        self._round = ""
        self._bets: dict[str, e.PlacedBet] = {}
        self._conduct = Conduct()
        self._facts: list[AnyFact] = []
        self.balances: Counter[str] = Counter()
        self.rows = 0
        """Rows of the ledger accounted for."""

    def take(self, event: e.AnyEvent) -> None:
        """Follow one event."""
        match event:
            case e.RoundStarted(round=round, rules=rules):
                self._round, self._rules = round, rules
                self._bets.clear()
                self._conduct = Conduct()
                self._facts.clear()
            case e.RedealOrdered():
                self._facts.clear()
            case e.FactStood(fact=fact):
                self._facts.append(fact)
            case e.BetsPlaced(bets=bets):
                self._bets.update({bet.bet_id: bet for bet in bets})
                self._conduct.bet(bets)
            case e.DecisionsTaken(decisions=decisions, bets=bets):
                self._bets.update({bet.bet_id: bet for bet in bets})
                self._conduct.bet(bets)
                self._conduct.decide(decisions)
            case e.DecisionsClosed(options=options):
                self._conduct.close(find_game(self._game), Decide(0, options))

    def deposit(self, transfers: Iterable[Transfer]) -> None:
        for transfer in transfers:
            self._move(transfer)

    def settled(self, transfers: Sequence[Transfer]) -> Iterator[str]:
        """The round was settled with these transfers."""
        yield from self._after(transfers)
        try:
            due = self._returns()
        except BadInputError as error:
            yield f"The cards of round {self._round} cannot be settled: {error}"
            return
        yield from self._once(transfers, "post", "void", "reverse_post", "reverse_return")
        returned = Counter({t.bet: t.amount_minor for t in transfers if t.kind == "return"})
        for id, bet in self._bets.items():
            if returned[id] != due.get(id, 0):
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

    def _folded(self, bet: e.PlacedBet) -> bool:
        return self._conduct.of(bet.operator, bet.bettor) == FOLD

    def _returns(self) -> dict[str, int]:
        """What every bet is due, by the code of `studio settle`: each bet as a bettor of his own."""
        hands: dict[str, list[Card]] = defaultdict(list)
        for fact in corrected(self._facts):
            if isinstance(fact, CardDealt) and fact.face is not None:
                hands[fact.box].append(fact.face)
            elif isinstance(fact, Revealed):
                hands[fact.box] = list(fact.faces)
        line = {
            "game": self._game,
            "rules": self._rules,
            "cards": {box: [str(card) for card in cards] for box, cards in hands.items()},
            "bettors": [
                {"id": id, "bets": {bet.bet: bet.stake_minor}, "folded": self._folded(bet)}
                for id, bet in self._bets.items()
            ],
        }
        return {paid["id"]: paid["returns"] for paid in settle_line(json.dumps(line).encode()).payouts}
