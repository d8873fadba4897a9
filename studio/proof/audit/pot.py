"""Follows the pots through the ledger, and holds a round's pot events against what is due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from studio.jackpot import (
    PotTerms,
    claiming_transfers,
    divide,
    feeding_transfers,
    moving_transfers,
    returning_transfers,
    seeding_transfers,
)
from studio.journal import Posting
from studio.journal.extract.walk import WalkStep
from studio.money import Transfer, pot_account
from studio.people import are_two
from studio.pit.pit_event import PotMoved, read_row
from studio.proof.audit.wrong import WrongError, wrong
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.settlement import PlacedBet, pot_shares
from studio.tables.event import table as e
from studio.tables.state.pot import PotStanding
from studio.value import replace

_POT: Final = "pot:"


class PotLedger:
    """What lies in each pot of the house, folded from the ledger; `before` is how it stood when the row came."""

    def __init__(self) -> None:
        self._held: dict[str, int] = {}
        self._before: dict[str, int | None] = {}
        self._seeds: list[Posting] = []
        self._moves: list[Posting] = []
        self._moved: Counter[str] = Counter()

    def next_row(self) -> None:
        self._before = {}

    def move(self, posting: Posting) -> None:
        moved = posting.transfer
        for account, change in ((moved.debit, -moved.amount_minor), (moved.credit, moved.amount_minor)):
            if account.startswith(_POT):
                self._before.setdefault(account, self._held.get(account))
                self._held[account] = self._held.get(account, 0) + change
        if moved.kind == "seed":
            self._seeds.append(posting)
        elif moved.kind == "pot_move":
            self._moves.append(posting)

    def before(self, pot: str) -> int | None:
        return self.balance(pot_account(pot), "")

    def balance(self, account: str, currency: str) -> int | None:
        """The balance of an account as it was before this row; the currency does not matter, a pot is kept in one."""
        return self._before[account] if account in self._before else self._held.get(account)

    def seed(self, told: e.PotSeeded, terms: PotTerms | None, seq: int) -> None:
        """A pot is seeded once, before anything else, with what the table's configuration says."""
        if terms is None or (told.pot, told.currency, told.amount_minor) != (
            terms.key, terms.currency, terms.seed_minor
        ):  # fmt: skip
            wrong(seq, f"The pot {told.pot} was not seeded as the configuration says.")
        if self.before(told.pot) is not None:
            wrong(seq, f"The pot {told.pot} was seeded a second time.")
        if tuple(posting.transfer for posting in self._seeds) != seeding_transfers(terms):
            wrong(seq, f"The ledger has another seed of the pot {told.pot}, or none.")
        self._held.setdefault(pot_account(told.pot), 0)
        self._seeds.clear()

    def take(self, step: WalkStep) -> None:
        """What lay in a pot went into another: all of it, as two people were told."""
        if step.kind != "PotMoved":
            return
        told = read_row(step.body)
        assert isinstance(told, PotMoved)
        due = moving_transfers(told.pot, told.to, told.amount_minor, told.currency, self._moved[told.pot])
        if tuple(posting.transfer for posting in self._moves) != due or self.before(told.pot) != told.amount_minor:
            wrong(step.seq, f"What lay in the pot {told.pot} did not go into {told.to} as told.")
        if not are_two(told.by, told.beside):
            wrong(step.seq, f"The pot {told.pot} was moved by two people, and the record names one.")
        self._moved[told.pot] += 1
        self._moves.clear()

    def need_nothing_left(self) -> None:
        for posting in (*self._seeds, *self._moves):
            raise WrongError("ledger", posting.seq, "No event accounts for this seed or move of a pot.")


class PotAudit:
    """One round and the pot it feeds; `standing` is None at a table without one."""

    def __init__(self, started: e.RoundStarted, table: str, pots: PotLedger) -> None:
        self.standing = PotStanding(started.pot) if started.pot else None
        self._round = started.round
        self._rates = started.rates
        self._table = table
        self._pots = pots

    def stake(self, game: Game, bets: Sequence[e.PlacedBet]) -> None:
        if self.standing is not None:
            self.standing = self.standing.with_stakes(
                (bet.currency, bet.stake_minor) for bet in bets if bet.bet == game.pot.bet
            )

    def close_window(self, seq: int) -> None:
        if self.standing is not None and self.standing.contribution(self._rates) is not None:
            wrong(seq, f"Betting was closed in round {self._round} and its contribution is not in the pot.")

    def feed(self, told: e.PotFed, seq: int) -> tuple[Transfer, ...]:
        standing = self._need(seq)
        if told != standing.contribution(self._rates):
            wrong(seq, f"What round {self._round} fed its pot is not what its stakes make it.")
        self.standing = standing.after(told)
        return feeding_transfers(standing.terms, self._round, self._table, told.amount_minor, told.parts)

    def win(self, told: e.PotWon, sharers: int, seq: int) -> tuple[Transfer, ...]:
        standing = self._need(seq)
        terms = standing.terms
        pot_minor = self._pots.before(terms.key) or 0
        share_minor, left_minor = divide(pot_minor, sharers) if sharers else (0, 0)
        due = e.PotWon(
            pot=terms.key, currency=terms.currency, amount_minor=pot_minor, sharers=sharers, share_minor=share_minor,
            left_minor=left_minor, reset_minor=terms.reset_minor,
        )  # fmt: skip
        if told != due or not sharers or standing.won is not None:
            wrong(
                seq, f"Round {self._round} did not win its pot as told: {pot_minor} lay in it for {sharers} to share."
            )
        self.standing = standing.after(told)
        return claiming_transfers(terms, self._round, pot_minor, left_minor)

    def take_back(self, told: e.PotReturned, seq: int) -> tuple[Transfer, ...]:
        standing = self._need(seq)
        terms, fed = standing.terms, standing.fed
        fed_minor = fed.amount_minor if fed else 0
        pot_minor = self._pots.before(terms.key) or 0
        back_minor = min(pot_minor, fed_minor)
        due = e.PotReturned(
            pot=terms.key, currency=terms.currency, pot_minor=pot_minor, amount_minor=back_minor,
            short_minor=fed_minor - back_minor,
        )  # fmt: skip
        if told != due or standing.returned is not None:
            wrong(seq, f"The contribution of the voided round {self._round} did not leave the pot as told.")
        self.standing = standing.after(told)
        return returning_transfers(terms, self._round, self._table, (fed_minor, fed.parts if fed else {}), back_minor)

    def need_returned(self, seq: int) -> None:
        """Before any stake of a voided round goes back, its contribution has left the pot."""
        if self.standing is not None and self.standing.fed and not self.standing.returned:
            wrong(seq, f"Stakes of round {self._round} were given back and its contribution stayed in the pot.")

    def need_won(self, sharers: Callable[[], int], seq: int) -> None:
        """Before any bet of the round is settled, it has taken the pot it won; else what lay there is kept in mind."""
        standing = self.standing
        if standing is None or standing.won is not None:
            return
        if sharers():
            wrong(seq, f"Round {self._round} won its pot and was settled without it.")
        self.standing = replace(standing, then_minor=self._pots.before(standing.terms.key) or 0)

    def _need(self, seq: int) -> PotStanding:
        if self.standing is None:
            wrong(seq, f"Round {self._round} moved a pot that its table does not feed.")
        return self.standing


def sharers_of(game: Game, rules: Rules, outcome: Any, bets: Sequence[PlacedBet]) -> int:
    """How many bettors share what this outcome takes out of a pot."""
    return len(pot_shares(game, rules, outcome, bets, 0))
