"""Pays a recorded round once more, and holds every transfer of the ledger against what is due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from studio.errors import BadInputError, InvariantError
from studio.money import Offer, Transfer, convert_minor
from studio.proof.audit.loose_money import LooseMoney
from studio.proof.audit.pot import PotAudit, sharers_of
from studio.proof.audit.round.part import PartAudit
from studio.proof.audit.wrong import WrongError, wrong
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.settlement import (
    UNMERGED,
    PlacedBet,
    Progress,
    Purse,
    merged_stakes,
    need_paid_so,
    settle_bets,
    settle_chunk,
    void_transfers,
)
from studio.tables.event import table as e
from studio.tables.irregularity.compensation import Money
from studio.tables.irregularity.stake_return import returning_transfers
from studio.tables.payment.round_payment import prize_of, shares_of, with_conduct
from studio.tables.state.conduct import Conduct
from studio.tables.state.pot import PotStanding


class MoneyAudit:
    """The bets of one round. `moved` are its transfers that no event has accounted for yet."""

    def __init__(self, purse: Purse, game: Game, rules: Rules, pot: PotAudit, parts: PartAudit) -> None:
        self.moved = LooseMoney()
        self._purse = purse
        self._game = game
        self._rules = rules
        self._pot = pot
        self.parts = parts
        self._bets: list[e.PlacedBet] = []
        self.conduct = Conduct()
        self._done = Progress()
        self._merged: Mapping[str, int] = UNMERGED
        self._shares: Mapping[str, int] | None = None
        self.void_pays: Mapping[str, Fraction] = {}
        self.given_back: Sequence[e.PlacedBet] = ()
        """The stakes that went back last."""

    def place(self, bets: Sequence[e.PlacedBet], seq: int) -> None:
        self._bets.extend(bets)
        self.conduct.bet(bets)
        self._pot.stake(self._game, bets)
        for bet in bets:
            self._check_worth(bet, seq)
        for bet, found in zip(bets, self.moved.match((self._reserve(bet) for bet in bets), seq), strict=True):
            if found.offer is not None and found.offer != self._registered(bet):
                sentence = f"The register of bets says otherwise of {bet.bet_id} than round {self._purse.round} does."
                raise WrongError("ledger", found.seq, sentence)

    @property
    def money(self) -> Money:
        return self._purse.currency, self._purse.rates

    def _check_worth(self, bet: e.PlacedBet, seq: int) -> None:
        """What a stake of another currency counts as is its worth at the round's rates."""
        own, rates = self.money
        due = None if bet.currency == own else convert_minor(bet.stake_minor, bet.currency, own, rates)
        if bet.worth_minor != due or (bet.currency != own and rates is None):
            wrong(seq, f"The bet {bet.bet_id} of {bet.stake_minor} {bet.currency} is not worth what was told.")

    def give_back(self, bets: Sequence[e.PlacedBet], stake_minor: int, seq: int) -> None:
        """Check that the stakes of these bets go back while the round goes on, and take the bets out of the round."""
        if sum(bet.worth for bet in bets) != stake_minor or self._done != Progress():
            wrong(seq, f"The stakes given back in round {self._purse.round} are not those that were placed.")
        gone = {bet.bet_id for bet in bets}
        self._bets = [bet for bet in self._bets if bet.bet_id not in gone]
        self.conduct.unbet(bets)
        self.moved.match(returning_transfers(bets, self._purse, self.parts.parts), seq)

    def close_window(self, seq: int) -> None:
        self._pot.close_window(seq)

    def follow_pot(self, told: e.PotFed | e.PotWon | e.PotReturned, outcome: Any, seq: int) -> None:
        match told:
            case e.PotFed():
                self.moved.match(self._pot.feed(told, seq), seq)
            case e.PotWon():
                self.moved.match(self._pot.win(told, self._sharers(outcome), seq), seq)
            case e.PotReturned():
                self.moved.match(self._pot.take_back(told, seq), seq)

    def settle_part(self, told: e.PartSettled, seq: int) -> None:
        self.moved.match(self.parts.settle(told, self.bets(), self._purse, seq), seq)

    def settle(self, told: e.BetsSettled, outcome: Any, seq: int) -> None:
        """Pay the next bets again: the same sums, the same digest, the same transfers."""
        chunk = with_conduct(self._chunk(told.cursor, seq), self.conduct)
        try:
            shares = self._weigh(outcome, seq)
            payouts = tuple(settle_bets(self._game, self._rules, outcome, chunk, shares, merged=self._merged))
            need_paid_so(payouts, self.parts.parts.returns, self._merged)
        except (InvariantError, BadInputError) as error:
            wrong(seq, f"A bet of round {self._purse.round} cannot be settled: {error}")
        paid = self.parts.parts
        self._done, transfers = settle_chunk(payouts, self._purse, self._done, paid.returns, paid.revision)
        if self._done != Progress(told.cursor, told.stake_minor, told.returns_minor, told.digest):
            wrong(seq, f"The payouts of round {self._purse.round} are not what its facts make them.")
        self.moved.match(transfers, seq)

    def _weigh(self, outcome: Any, seq: int) -> Mapping[str, int]:
        """What only the whole round tells, worked out once: merged stakes, and the shares of a pot."""
        if self._shares is None:
            self._pot.need_won(lambda: self._sharers(outcome), seq)
            bets = self.bets()
            self._merged = merged_stakes(self._game, bets)
            self._shares = shares_of(self._game, self._rules, outcome, bets, self._pot.standing, self.money)
            self._purse = replace(self._purse, prize=prize_of(self._pot.standing))
        return self._shares

    def _sharers(self, outcome: Any) -> int:
        return sharers_of(self._game, self._rules, outcome, self.bets())

    def void(self, told: e.BetsVoided, seq: int) -> None:
        """Give the next stakes back again."""
        self._pot.need_returned(seq)
        self.parts.need_back(self.void_pays, seq)
        self.given_back = self._chunk(told.cursor, seq)
        bets = tuple(with_conduct(self.given_back, self.conduct))
        stake_minor = sum(bet.worth for bet in self.given_back)
        if stake_minor != told.stake_minor:
            wrong(seq, f"The stakes given back in round {self._purse.round} are not those that were placed.")
        self._done = Progress(told.cursor, self._done.stake_minor + stake_minor)
        every = tuple(with_conduct(self._bets, self.conduct))
        paid = self.parts.parts
        left = [bet for bet in bets if bet.bet not in paid.settled_keys]
        self.moved.match(void_transfers(self._game, left, self.void_pays, every, self._purse, paid.revision), seq)

    def close(self, told: Progress, seq: int) -> None:
        """Every bet is done and every transfer accounted for: the escrow is empty."""
        if told != self._done or told.bets != len(self._bets):
            wrong(seq, f"Round {self._purse.round} was closed with other sums than its bets make.")
        self.moved.need_none()

    @property
    def pot(self) -> PotStanding | None:
        return self._pot.standing

    def bets(self) -> tuple[PlacedBet, ...]:
        """Every bet of the round, as the settlement takes it."""
        return tuple(with_conduct(self._bets, self.conduct))

    def _reserve(self, bet: e.PlacedBet) -> Transfer:
        escrow = self._purse.escrow
        return Transfer(self._purse.round, bet.bet_id, "reserve", bet.account, escrow, bet.stake_minor, bet.currency)

    def _registered(self, bet: e.PlacedBet) -> Offer:
        """The bet as the register has it, by which operators and reports are told of it."""
        return Offer(
            bet.bet_id, bet.operator, bet.client_id, bet.bettor, self._purse.table, self._purse.round, bet.bet,
            bet.stake_minor, bet.currency, bet.free,
        )  # fmt: skip

    def _chunk(self, cursor: int, seq: int) -> Sequence[e.PlacedBet]:
        if not self._done.bets <= cursor <= len(self._bets):
            sentence = f"Round {self._purse.round} has {len(self._bets)} bets; number {cursor} cannot be done."
            wrong(seq, sentence)
        return self._bets[self._done.bets : cursor]
