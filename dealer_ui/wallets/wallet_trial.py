"""One trial of an operator's wallet: what it asks with, whose balance it watches, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from studio.wallets.answer import YES, Said, WalletOutcome, outcome_of
from studio.wallets.call import Adjust, Balance, Call, Cancel, Credit, Debit
from studio.wallets.port import Wallet, answer

UNABLE: Final = "Needs an operator who misbehaves when told to."
TRIES: Final = 6
"""So often a cancel or a credit is told again once a fault is over, before it is said not to hold."""

Faulty = Callable[[str], AbstractContextManager[None]]


class NotHeldError(Exception):
    """A trial failed; the sentence says how."""


class NotTriedError(Exception):
    """A trial cannot be made here; the sentence says why."""


@dataclass(frozen=True, slots=True)
class WalletTrial:
    """What a trial works with. `faulty` switches a fault of a simulated operator on for a while.

    `fault_wait_s`: what an answer is waited for while it is. `moved`: the ids of the trial's debits and credits.
    """

    wallet: Wallet
    forged: Wallet
    who: dict[str, str]
    amount_minor: int
    new_id: Callable[[], str]
    wait_s: float
    fault_wait_s: float
    expired_session: str = ""
    faulty: Faulty | None = None
    round: str = "trial"
    free_bet: str = ""
    moved: list[str] = field(default_factory=list)

    # --- calls ----------------------------------------------------------------------------------------

    def debit(self, amount_minor: int | None = None, **other: Any) -> Debit:
        amount_minor = self.amount_minor if amount_minor is None else amount_minor
        named = {**self.who, "id": self._moving_id(), "round": self.round, **other}
        return Debit(**named, amount_minor=amount_minor)

    def credit(self, debit: str, amount_minor: int | None = None, **other: Any) -> Credit:
        amount_minor = self.amount_minor if amount_minor is None else amount_minor
        named = {**self.who, "id": self._moving_id(), "round": self.round, **other}
        return Credit(**named, amount_minor=amount_minor, debit=debit)

    def free_debit(self) -> Debit:
        """A stake of a free bet, of the grant that the file names."""
        if not self.free_bet:
            raise NotTriedError("Needs `free_bet` in the file.")
        return self.debit(free=self.free_bet)

    def adjust(self, bet: Debit, amount_minor: int) -> Adjust:
        """The same free stake given back, or below zero taken again."""
        named = {**self.who, "id": self._moving_id(), "round": self.round, "free": bet.free}
        return Adjust(**named, amount_minor=amount_minor, debit=bet.id)

    def cancel(self, undoes: str) -> Cancel:
        return Cancel(**self.who, id=self.new_id(), round=self.round, undoes=undoes)

    def _moving_id(self) -> str:
        self.moved.append(self.new_id())
        return self.moved[-1]

    # --- asking ---------------------------------------------------------------------------------------

    def ask(self, call: Call) -> tuple[WalletOutcome, Said]:
        said = answer(self.wallet, call, self.wait_s)
        return outcome_of(call, said.word), said

    def ask_under(self, fault: str, call: Call) -> WalletOutcome:
        if self.faulty is None:
            raise NotTriedError(UNABLE)
        with self.faulty(fault):
            return outcome_of(call, answer(self.wallet, call, self.fault_wait_s).word)

    def need(self, call: Call) -> None:
        """A yes, now."""
        outcome, said = self.ask(call)
        if outcome is not WalletOutcome.ACCEPTED:
            raise NotHeldError(f"{named(call)} was answered '{said.word}' ({said.detail}).")

    def tell(self, call: Call) -> None:
        """A yes in the end: the same call, again."""
        for _ in range(TRIES - 1):
            if self.ask(call)[0] is WalletOutcome.ACCEPTED:
                return
        self.need(call)

    def put_back(self) -> None:
        """What a trial that was broken off may have left behind, the newest first."""
        for id in reversed(self.moved):
            self.ask(self.cancel(id))

    def balance_minor(self) -> int:
        outcome, said = self.ask(Balance(**self.who))
        if outcome is not WalletOutcome.ACCEPTED or said.balance_minor is None:
            raise NotHeldError(f"The balance was answered '{said.word}' ({said.detail}).")
        return said.balance_minor

    @contextmanager
    def moving(self, change_minor: int) -> Iterator[None]:
        """What is done here changes the balance by so much."""
        before = self.balance_minor()
        yield
        moved = self.balance_minor() - before
        if moved != change_minor:
            raise NotHeldError(f"The balance changed by {moved} and not by {change_minor}.")


def no_yes(trial: WalletTrial, call: Call) -> Said:
    outcome, said = trial.ask(call)
    if outcome is not WalletOutcome.REFUSED:
        raise NotHeldError(f"{named(call)} was to be refused, and was answered '{said.word}' ({said.detail}).")
    return said


def as_answered(trial: WalletTrial, call: Call) -> bool:
    """Whether it was accepted; the money must have followed the answer, whatever that was."""
    before = trial.balance_minor()
    outcome, said = trial.ask(call)
    moved = trial.balance_minor() - before
    accepted = outcome is WalletOutcome.ACCEPTED
    if outcome is WalletOutcome.UNKNOWN:
        raise NotHeldError(f"{named(call)} got no definite answer: '{said.word}' ({said.detail}).")
    if moved != (trial.amount_minor if accepted and said.word in YES else 0):
        raise NotHeldError(f"{named(call)} was answered '{said.word}', and the balance changed by {moved}.")
    return accepted


def named(call: Call) -> str:
    return f"The {type(call).__name__.lower()}"


@dataclass(frozen=True, slots=True)
class Clause:
    key: str
    run: Callable[[WalletTrial], None]
