"""What a wallet is held to of free bets: a free stake is the operator's promotion, and only a win moves a balance."""

from __future__ import annotations

from typing import Final

import msgspec

from dealer_ui.wallets.wallet_trial import Clause, NotHeldError, WalletTrial, no_yes
from studio.wallets.answer import WalletOutcome, Word


def _free_stake_and_win(trial: WalletTrial) -> None:
    bet = trial.free_debit()
    with trial.moving(0):
        trial.need(bet)
    with trial.moving(trial.amount_minor):
        trial.need(trial.credit(bet.id, free=bet.free))
    own = trial.debit()
    trial.need(own)  # takes back what was won


def _free_stake_and_cancel(trial: WalletTrial) -> None:
    bet = trial.free_debit()
    with trial.moving(0):
        trial.need(bet)
        trial.need(trial.cancel(bet.id))
        no_yes(trial, bet)


def _free_stake_back(trial: WalletTrial) -> None:
    bet = trial.free_debit()
    with trial.moving(0):
        trial.need(bet)
        back = trial.adjust(bet, trial.amount_minor)
        trial.need(back)
        trial.need(back)


def _free_stake_gone_after_all(trial: WalletTrial) -> None:
    bet = trial.free_debit()
    with trial.moving(0):
        trial.need(bet)
        trial.need(trial.adjust(bet, trial.amount_minor))
        trial.need(trial.adjust(bet, -trial.amount_minor))


def _free_stake_twice(trial: WalletTrial) -> None:
    bet = trial.free_debit()
    with trial.moving(0):
        trial.need(bet)
        trial.need(bet)
        trial.need(trial.cancel(bet.id))


def _same_id_free_and_not(trial: WalletTrial) -> None:
    bet = trial.free_debit()
    with trial.moving(0):
        trial.need(bet)
        outcome, said = trial.ask(msgspec.structs.replace(bet, free=""))
        if outcome is not WalletOutcome.REFUSED and said.word is not Word.CONFLICT:
            raise NotHeldError(f"The id of a free stake with the bettor's own was answered '{said.word}'.")
        trial.need(trial.cancel(bet.id))


FREE_STAKES: Final = (
    Clause("free stake, then its win", _free_stake_and_win),
    Clause("free stake, then cancel", _free_stake_and_cancel),
    Clause("free stake twice", _free_stake_twice),
    Clause("free stake comes back as it was", _free_stake_back),
    Clause("free stake gone after a correction", _free_stake_gone_after_all),
    Clause("same id, free and then not", _same_id_free_and_not),
)
