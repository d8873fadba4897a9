"""The list that a wallet is held to: what each trial does, and what must have become of the money.

A trial looks at balances and at nothing else the wallet says about itself. It leaves the balance as it found it, as far
as the wallet lets it. Not on the list: stale time stamps (no dialect has one).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from studio.wallets.answer import YES, Said, WalletOutcome, Word, outcome_of
from studio.wallets.call import Authenticate, Balance, Call, Cancel, Credit, Debit
from studio.wallets.port import Wallet, answer

_UNABLE: Final = "Needs an operator who misbehaves when told to."
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
            raise NotTriedError(_UNABLE)
        with self.faulty(fault):
            return outcome_of(call, answer(self.wallet, call, self.fault_wait_s).word)

    def need(self, call: Call) -> None:
        """A yes, now."""
        outcome, said = self.ask(call)
        if outcome is not WalletOutcome.ACCEPTED:
            raise NotHeldError(f"{_named(call)} was answered '{said.word}' ({said.detail}).")

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


# --- plain --------------------------------------------------------------------------------------------


def _signs_in(trial: WalletTrial) -> None:
    trial.need(Authenticate(**trial.who))


def _signs_in_twice(trial: WalletTrial) -> None:
    _signs_in(trial)
    _signs_in(trial)


def _debit_and_credit(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(-trial.amount_minor):
        trial.need(bet)
    with trial.moving(trial.amount_minor):
        trial.need(trial.credit(bet.id))


def _debit_and_cancel(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(0):
        trial.need(bet)
        trial.need(trial.cancel(bet.id))


def _debit_twice(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(-trial.amount_minor):
        trial.need(bet)
        trial.need(bet)
    trial.need(trial.cancel(bet.id))


def _credit_twice(trial: WalletTrial) -> None:
    bet = trial.debit()
    win = trial.credit(bet.id)
    with trial.moving(0):
        trial.need(bet)
        trial.need(win)
        trial.need(win)


def _cancel_twice(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(0):
        trial.need(bet)
        undo = trial.cancel(bet.id)
        trial.need(undo)
        trial.need(undo)


def _cancelled_under_two_ids(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(0):
        trial.need(bet)
        trial.need(trial.cancel(bet.id))
        trial.need(trial.cancel(bet.id))


def _same_id_other_amount(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(-trial.amount_minor):
        trial.need(bet)
        outcome, said = trial.ask(msgspec.structs.replace(bet, amount_minor=2 * trial.amount_minor))
        if outcome is not WalletOutcome.REFUSED and said.word is not Word.CONFLICT:
            raise NotHeldError(f"The same id with another amount was answered '{said.word}' ({said.detail}).")
    trial.need(trial.cancel(bet.id))


def _cancel_before_debit(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(0):
        trial.need(trial.cancel(bet.id))
        _no_yes(trial, bet)


def _debit_after_cancel(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(0):
        trial.need(bet)
        trial.need(trial.cancel(bet.id))
        _no_yes(trial, bet)


def _credit_without_debit(trial: WalletTrial) -> None:
    """Some wallets give it, some do not; what counts is that the money follows the answer."""
    win = trial.credit(trial.new_id())
    _as_answered(trial, win)
    trial.ask(trial.cancel(win.id))


def _credit_after_cancel(trial: WalletTrial) -> None:
    bet = trial.debit()
    trial.need(bet)
    trial.need(trial.cancel(bet.id))
    win = trial.credit(bet.id)
    _as_answered(trial, win)
    trial.ask(trial.cancel(win.id))


def _cancel_after_credit(trial: WalletTrial) -> None:
    bet = trial.debit()
    win = trial.credit(bet.id)
    trial.need(bet)
    trial.need(win)
    if _as_answered(trial, trial.cancel(bet.id)):
        trial.ask(trial.cancel(win.id))


def _no_funds(trial: WalletTrial) -> None:
    with trial.moving(0):
        said = _no_yes(trial, trial.debit(trial.balance_minor() + 1))
    if said.word is not Word.INSUFFICIENT_FUNDS:
        raise NotHeldError(f"A debit beyond the balance was answered '{said.word}' ({said.detail}).")


def _expired_session(trial: WalletTrial) -> None:
    if not trial.expired_session:
        raise NotTriedError("Needs `expired_session` in the file.")
    bet = trial.debit()
    with trial.moving(0):
        trial.need(bet)
        _no_yes(trial, trial.debit(session=trial.expired_session))
        trial.need(trial.credit(bet.id, session=trial.expired_session))


def _unknown_bettor(trial: WalletTrial) -> None:
    with trial.moving(0):
        _no_yes(trial, trial.debit(bettor=f"nobody-{trial.new_id()[:8]}"))


def _zero_or_less(trial: WalletTrial) -> None:
    with trial.moving(0):
        _no_yes(trial, trial.debit(0))
        _no_yes(trial, trial.debit(-trial.amount_minor))


def _bad_signature(trial: WalletTrial) -> None:
    with trial.moving(0):
        bet = trial.debit()
        if outcome_of(bet, answer(trial.forged, bet, trial.wait_s).word) is WalletOutcome.ACCEPTED:
            raise NotHeldError("A debit under a key nobody knows was accepted.")


def _no_yes(trial: WalletTrial, call: Call) -> Said:
    outcome, said = trial.ask(call)
    if outcome is not WalletOutcome.REFUSED:
        raise NotHeldError(f"{_named(call)} was to be refused, and was answered '{said.word}' ({said.detail}).")
    return said


def _as_answered(trial: WalletTrial, call: Call) -> bool:
    """Whether it was accepted; the money must have followed the answer, whatever that was."""
    before = trial.balance_minor()
    outcome, said = trial.ask(call)
    moved = trial.balance_minor() - before
    accepted = outcome is WalletOutcome.ACCEPTED
    if outcome is WalletOutcome.UNKNOWN:
        raise NotHeldError(f"{_named(call)} got no definite answer: '{said.word}' ({said.detail}).")
    if moved != (trial.amount_minor if accepted and said.word in YES else 0):
        raise NotHeldError(f"{_named(call)} was answered '{said.word}', and the balance changed by {moved}.")
    return accepted


# --- under a fault ------------------------------------------------------------------------------------


def _under(fault: str) -> Callable[[WalletTrial], None]:
    """A stake, a return and a cancel, each while the fault is on; afterwards no money is missing and none too much."""

    def run(trial: WalletTrial) -> None:
        _stake_under(trial, fault)
        _told_under(trial, fault, lambda bet: trial.credit(bet.id))
        _told_under(trial, fault, lambda bet: trial.cancel(bet.id))

    return run


def _stake_under(trial: WalletTrial, fault: str) -> None:
    """When the wallet gives no definite yes, the bet is not in play, and its stake comes back or was never taken."""
    bet = trial.debit()
    with trial.moving(0):
        if trial.ask_under(fault, bet) is not WalletOutcome.REFUSED:
            trial.tell(trial.cancel(bet.id))


def _late(trial: WalletTrial) -> None:
    """A stake that the wallet acts on only after it was told to cancel it."""
    if trial.faulty is None:
        raise NotTriedError(_UNABLE)
    bet = trial.debit()
    with trial.moving(0), trial.faulty("late"):
        if outcome_of(bet, answer(trial.wallet, bet, trial.fault_wait_s).word) is not WalletOutcome.REFUSED:
            trial.tell(trial.cancel(bet.id))


def _told_under(trial: WalletTrial, fault: str, owed: Callable[[Debit], Call]) -> None:
    bet = trial.debit()
    with trial.moving(0):
        trial.need(bet)
        call = owed(bet)
        trial.ask_under(fault, call)
        trial.tell(call)


@dataclass(frozen=True, slots=True)
class Clause:
    key: str
    run: Callable[[WalletTrial], None]


CLAUSES: Final = (
    Clause("signs in", _signs_in),
    Clause("signs in twice", _signs_in_twice),
    Clause("debit, then credit", _debit_and_credit),
    Clause("debit, then cancel", _debit_and_cancel),
    Clause("debit twice", _debit_twice),
    Clause("credit twice", _credit_twice),
    Clause("cancel twice", _cancel_twice),
    Clause("cancelled again under another id", _cancelled_under_two_ids),
    Clause("same id with another amount", _same_id_other_amount),
    Clause("cancel before its debit", _cancel_before_debit),
    Clause("debit after its cancel", _debit_after_cancel),
    Clause("credit without a debit", _credit_without_debit),
    Clause("credit after a cancel", _credit_after_cancel),
    Clause("cancel after a credit", _cancel_after_credit),
    Clause("more than the balance", _no_funds),
    Clause("session over: no debit, but the credit", _expired_session),
    Clause("unknown bettor", _unknown_bettor),
    Clause("zero and negative amounts", _zero_or_less),
    Clause("wrong signature of ours", _bad_signature),
    Clause("no answer, before it acted", _under("silent")),
    Clause("no answer, after it acted", _under("silent_after")),
    Clause("acts long after it was given up", _late),
    Clause("half an answer", _under("half")),
    Clause("an answer that is no JSON", _under("nonsense")),
    Clause("HTTP 500, then success", _under("error_first")),
    Clause("HTTP 500 after it acted", _under("error_after")),
    Clause("acts twice on one request", _under("twice")),
    Clause("answers out of order", _under("out_of_order")),
    Clause("down", _under("down")),
    Clause("slow", _under("slow")),
    Clause("says our signature is wrong", _under("wrong_signature")),
)


@dataclass(frozen=True, slots=True)
class TrialFinding:
    """The result of one trial. `held` is None when the trial was not run; `why` explains what did not hold or was not
    run.
    """

    key: str
    held: bool | None
    why: str = ""


def check(trial: WalletTrial, clauses: Iterable[Clause] = CLAUSES) -> Iterator[TrialFinding]:
    """Try each clause in turn and tell how it went; a clause that fails does not end the trial."""
    for clause in clauses:
        trial.moved.clear()
        try:
            clause.run(trial)
        except NotHeldError as error:
            trial.put_back()
            yield TrialFinding(clause.key, False, str(error))
        except NotTriedError as error:
            yield TrialFinding(clause.key, None, str(error))
        else:
            yield TrialFinding(clause.key, True)


def _named(call: Call) -> str:
    return f"The {type(call).__name__.lower()}"
