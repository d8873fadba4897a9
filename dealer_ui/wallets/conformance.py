"""The list that a wallet is held to: what each trial does, and what must have become of the money.

A trial looks at balances and at nothing else the wallet says about itself. It leaves the balance as it found it, as far
as the wallet lets it. Not on the list: stale time stamps (no dialect has one).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from dealer_ui.wallets.free_stake import FREE_STAKES
from dealer_ui.wallets.wallet_trial import (
    UNABLE,
    Clause,
    NotHeldError,
    NotTriedError,
    WalletTrial,
    as_answered,
    no_yes,
)
from studio.wallets.answer import WalletOutcome, Word, outcome_of
from studio.wallets.call import Authenticate, Call, Debit
from studio.wallets.port import answer

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
        no_yes(trial, bet)


def _debit_after_cancel(trial: WalletTrial) -> None:
    bet = trial.debit()
    with trial.moving(0):
        trial.need(bet)
        trial.need(trial.cancel(bet.id))
        no_yes(trial, bet)


def _credit_without_debit(trial: WalletTrial) -> None:
    """Some wallets give it, some do not; what counts is that the money follows the answer."""
    win = trial.credit(trial.new_id())
    as_answered(trial, win)
    trial.ask(trial.cancel(win.id))


def _credit_after_cancel(trial: WalletTrial) -> None:
    bet = trial.debit()
    trial.need(bet)
    trial.need(trial.cancel(bet.id))
    win = trial.credit(bet.id)
    as_answered(trial, win)
    trial.ask(trial.cancel(win.id))


def _cancel_after_credit(trial: WalletTrial) -> None:
    bet = trial.debit()
    win = trial.credit(bet.id)
    trial.need(bet)
    trial.need(win)
    if as_answered(trial, trial.cancel(bet.id)):
        trial.ask(trial.cancel(win.id))


def _no_funds(trial: WalletTrial) -> None:
    with trial.moving(0):
        said = no_yes(trial, trial.debit(trial.balance_minor() + 1))
    if said.word is not Word.INSUFFICIENT_FUNDS:
        raise NotHeldError(f"A debit beyond the balance was answered '{said.word}' ({said.detail}).")


def _expired_session(trial: WalletTrial) -> None:
    if not trial.expired_session:
        raise NotTriedError("Needs `expired_session` in the file.")
    bet = trial.debit()
    with trial.moving(0):
        trial.need(bet)
        no_yes(trial, trial.debit(session=trial.expired_session))
        trial.need(trial.credit(bet.id, session=trial.expired_session))


def _unknown_bettor(trial: WalletTrial) -> None:
    with trial.moving(0):
        no_yes(trial, trial.debit(bettor=f"nobody-{trial.new_id()[:8]}"))


def _zero_or_less(trial: WalletTrial) -> None:
    with trial.moving(0):
        no_yes(trial, trial.debit(0))
        no_yes(trial, trial.debit(-trial.amount_minor))


def _bad_signature(trial: WalletTrial) -> None:
    with trial.moving(0):
        bet = trial.debit()
        if outcome_of(bet, answer(trial.forged, bet, trial.wait_s).word) is WalletOutcome.ACCEPTED:
            raise NotHeldError("A debit under a key nobody knows was accepted.")


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
        raise NotTriedError(UNABLE)
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
    *FREE_STAKES,
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
