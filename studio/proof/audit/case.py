"""Holds a prize lost with a voided round, and what was decided of it, against what is due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from studio.proof.audit.loose_money import LooseMoney
from studio.proof.audit.wrong import wrong
from studio.rounds import AnyFact
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.settlement import Claim, PlacedBet
from studio.tables.event import table as e
from studio.tables.irregularity.compensation import (
    NO_LINE,
    PAYS,
    Money,
    claims_in,
    compensating,
    due_of,
    prize_shown,
    worth,
)
from studio.tables.state.aftermath import Case
from studio.tables.state.pot import PotStanding
from studio.value import replace


class CaseAudit:
    """The cases of one table. `moved` are compensations that no event has accounted for yet."""

    def __init__(self, table: str) -> None:
        self.moved = LooseMoney()
        self._table = table
        self._cases: dict[str, Case] = {}

    def open(self, told: e.CompensationOpened, round: str, due: e.CompensationOpened | None, seq: int) -> None:
        """A case says what the cards of its round showed when it was voided, and nothing else."""
        if due is None or told != due or told.case != round or round in self._cases:
            wrong(seq, f"The case of round {round} was not opened as its cards make it.")
        self._cases[round] = Case(round, told.incident, told.bet, told.line, told.ratio, told.bets, 0, told.rates)

    def assess(self, told: e.CompensationAssessed, claims: Sequence[Claim], seq: int) -> None:
        case = self._case(told.case, seq)
        if told.claims != tuple(claims):
            wrong(seq, f"What bettors lost with round {case.id} is not what its stakes make it.")
        self._cases[case.id] = replace(case, claims=(*case.claims, *told.claims))

    def need_case(self, round: str, *, shown: bool, seq: int) -> None:
        """Stakes of a round whose cards show a prize that bettors hold go back only with a case beside them."""
        if shown and round not in self._cases:
            wrong(seq, f"Round {round} was voided with a prize on its cards, and no case was opened.")

    def need_assessed(self, round: str, seq: int) -> None:
        case = self._cases.get(round)
        if case is not None and not case.assessed:
            wrong(seq, f"Round {round} was closed before every claim of its case was told.")

    def decide(self, told: e.CompensationDecided, seq: int) -> None:
        case = self._case(told.case, seq)
        if case.pays or not case.assessed or told.pays not in PAYS:
            wrong(seq, f"The case of round {case.id} was decided when nothing was to decide.")
        self._cases[case.id] = replace(case, pays=told.pays, amount_minor=told.amount_minor)

    def pay(self, told: e.CompensationPaid, currency: str, seq: int) -> None:
        """The next claims are paid exactly what was decided, and nobody else."""
        case = self._case(told.case, seq)
        if not case.pays or not case.paid <= told.cursor <= len(case.claims):
            wrong(seq, f"Claims of round {case.id} were paid that were not decided.")
        due = tuple(islice(due_of(case, currency), case.paid, told.cursor))
        claims = case.claims[case.paid : told.cursor]
        case = replace(case, paid=told.cursor, paid_minor=case.paid_minor + worth(case, claims, due, currency))
        if (told.amount_minor, told.over) != (case.paid_minor, told.cursor == len(case.claims)):
            wrong(seq, f"The compensation of round {case.id} is told with other sums than were decided.")
        self.moved.match(compensating(case.id, self._table, currency, claims, due), seq)
        self._cases[case.id] = case

    def _case(self, id: str, seq: int) -> Case:
        if (case := self._cases.get(id)) is None:
            wrong(seq, f"There is no open case of round {id}.")
        return case


class LostPrize:
    """What a round's cards show of a prize, and what its bettors would have had."""

    def __init__(
        self, game: Game, rules: Rules, facts: Sequence[AnyFact], bets: Sequence[PlacedBet], money: Money
    ) -> None:
        self._money = money
        self._game = game
        self._rules = rules
        self._found = prize_shown(game, rules, facts)
        self._bets = bets
        self._claims: Mapping[str, Claim] | None = None
        self._staked = sum(bet.bet == game.pot.bet for bet in bets)

    @property
    def held(self) -> bool:
        return bool(self._staked) and self._found is not None

    def case(self, told: e.CompensationOpened) -> e.CompensationOpened | None:
        """The case as it is due, on the incident that was told; None where nobody had a stake on the prize."""
        if not self._staked:
            return None
        line, ret = self._found or NO_LINE
        return e.CompensationOpened(
            case=told.case, incident=told.incident, bet=self._game.pot.bet, line=line, ratio=str(ret),
            bets=self._staked, rates=self._money[1],
        )  # fmt: skip

    def claims(self, pot: PotStanding | None, chunk: Sequence[e.PlacedBet]) -> tuple[Claim, ...]:
        if self._claims is None:
            ret = (self._found or NO_LINE)[1]
            self._claims = claims_in((self._game.pot.bet, ret), self._rules, pot, self._bets, self._money)
        return tuple(self._claims[bet.bet_id] for bet in chunk if bet.bet_id in self._claims)
