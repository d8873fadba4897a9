"""Settles the parts of a round once more from its facts, and holds them against what was told and moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from fractions import Fraction

from studio.money import Transfer
from studio.proof.audit.account_ledger import AccountLedger
from studio.proof.audit.wrong import wrong
from studio.rounds import AnyFact, HandVoided, play
from studio.rulebook.game import Game
from studio.settlement import PlacedBet, Purse, merged_stakes, part_moves, part_transfers
from studio.tables.event import table as e
from studio.tables.payment.part_payment import decided_in, opened, part_settled
from studio.tables.state.box import box_of
from studio.tables.state.part import Parts


class PartAudit:
    """Checks what was paid of one round before its end; `parts` is what the record tells of that."""

    def __init__(self, started: e.RoundStarted, game: Game, accounts: AccountLedger) -> None:
        self.parts = Parts()
        self._round, self._rules, self._version = started.round, started.rules, started.version
        self._game = game
        self._accounts = accounts
        self._policies: Mapping[str, str] = {}

    def open(
        self, told: e.PartOpened, facts: Sequence[AnyFact], void: Mapping[str, Fraction] | None,
        claw_back: Mapping[str, str], seq: int,
    ) -> None:  # fmt: skip
        """A part begins. `void`: what the round pays although it is void, None where it is not."""
        returns, back = self._due(facts, void)
        if self.parts.turned is not None:
            wrong(seq, f"A part of round {self._round} was begun before the one before it was settled.")
        if told != opened(self.parts, returns, back, claw_back):
            wrong(seq, f"The facts of round {self._round} do not decide the bets that were paid before its end.")
        self._policies = told.claw_back
        self.parts = self.parts.after(told)

    def _due(
        self, facts: Sequence[AnyFact], void: Mapping[str, Fraction] | None
    ) -> tuple[Mapping[str, Fraction], Set[str]]:
        paid = self.parts.returns
        if void is not None:
            kept = {bet: ret for bet, ret in void.items() if bet in paid}
            return kept, paid.keys() - kept.keys()
        boxes = {fact.box for fact in facts if isinstance(fact, HandVoided)}
        if gone := {bet for bet in paid if box_of(bet) in boxes}:
            return {bet: ret for bet, ret in paid.items() if bet not in gone}, gone
        return self._decided(facts), set()

    def _decided(self, facts: Sequence[AnyFact]) -> Mapping[str, Fraction]:
        return decided_in(self._game, self._version, play(self._game.deal.script(self._rules), facts))

    def settle(self, told: e.PartSettled, bets: Sequence[PlacedBet], purse: Purse, seq: int) -> Sequence[Transfer]:
        """The next bets of the part; gives what had to be moved for them."""
        parts = self.parts
        if parts.turned is None or not parts.cursor <= told.cursor <= len(bets):
            wrong(seq, f"Round {self._round} settled a part that was not begun, or more bets than there are.")
        moves = part_moves(bets[parts.cursor : told.cursor], parts.turned, merged_stakes(self._game, bets))
        transfers, shorts = part_transfers(moves, purse, parts.revision, self._policies, self._accounts.before)
        if told != part_settled(parts, moves, (told.cursor, len(bets)), purse, shorts):
            wrong(seq, f"What round {self._round} paid before its end is not what its facts make it.")
        self.parts = parts.after(told)
        return transfers

    def need_paid(self, facts: Sequence[AnyFact], seq: int) -> None:
        """Check, at the result, that whatever the script decided before has been paid, and nothing else."""
        if self.parts.turned is not None or opened(self.parts, self._decided(facts), (), {}) is not None:
            wrong(seq, f"Round {self._round} was settled before its bets that were decided earlier.")

    def need_back(self, pays: Mapping[str, Fraction], seq: int) -> None:
        """Before the stakes of a void round go back, so does what it paid before."""
        kept = {bet: ret for bet, ret in pays.items() if bet in self.parts.returns}
        if self.parts.turned is not None or opened(self.parts, kept, (), {}) is not None:
            wrong(seq, f"Round {self._round} is void and has not back what it paid before its end.")
