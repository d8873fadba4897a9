"""Follows what bettors hold and owe through the ledger, and what their deposits must repay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studio.journal import Posting
from studio.money import Transfer, receivable_account
from studio.proof.audit.wrong import WrongError
from studio.settlement import repayment

_FOLLOWED: Final = ("bettor:", "receivable:")
_MAY_OWE: Final = frozenset({"reverse_return", "reverse_share", "carry"})


class AccountLedger:
    """Every bettor's balance and receivable, by currency; `before` is how they stood when the row came.

    `hosts`: several write the record, and two rows on one purse may stand in another order than they moved it.
    """

    def __init__(self, *, hosts: bool = False) -> None:
        self._hosts = hosts
        self._below: dict[tuple[str, str], Posting] = {}
        """The purses that stand below zero, and what took them there first."""
        self._clawed: dict[tuple[str, str], int] = {}
        """What was taken back from each purse: so far below zero may rows leave it that stand in another order."""
        self._held: dict[tuple[str, str], int] = {}
        self._before: dict[tuple[str, str], int] = {}

    def take(self, postings: Sequence[Posting]) -> None:
        """The transfers of one row; what a deposit repays by rule is checked at once."""
        self._before = {}
        for posting in postings:
            moved = posting.transfer
            for account, change in ((moved.debit, -moved.amount_minor), (moved.credit, moved.amount_minor)):
                if account.startswith(_FOLLOWED):
                    key = (account, moved.currency)
                    before = self._held.get(key, 0)
                    self._before.setdefault(key, before)
                    self._held[key] = before + change
        self._need_covered(postings)
        deposits = [posting for posting in postings if posting.transfer.kind == "deposit"]
        if deposits or any(is_repaid_by_deposit(posting) for posting in postings):
            self._check_repaid(deposits, postings)

    def before(self, account: str, currency: str) -> int | None:
        """What the account held before this row, as `Balances` tells it to whoever moves money; None if it never held
        any.
        """
        key = (account, currency)
        return self._before[key] if key in self._before else self._held.get(key)

    def _need_covered(self, postings: Sequence[Posting]) -> None:
        """Nothing takes a purse below zero, as the writer sees to, but what takes a win back, where its operator lets
        his bettors owe, and what carries such a purse into a new year.
        """
        owing = {one.transfer.debit for one in postings if one.transfer.kind in _MAY_OWE}
        for posting in postings:
            account, key = posting.transfer.debit, (posting.transfer.debit, posting.transfer.currency)
            if account.startswith("bettor:") and account not in owing and self._held[key] < min(self._before[key], 0):
                self._below.setdefault(key, posting)
            if self._hosts and posting.transfer.kind in _MAY_OWE:
                self._clawed[key] = self._clawed.get(key, 0) + posting.transfer.amount_minor
        for key in [key for key in self._below if key[0] in owing or self._held[key] >= -self._clawed.get(key, 0)]:
            del self._below[key]
        if not self._hosts:
            self.need_covered()

    def need_covered(self) -> None:
        """No purse was taken below zero and left there."""
        for (account, _), posting in self._below.items():
            said = f"This {posting.transfer.kind} and what moved with it take {account} below zero."
            raise WrongError("ledger", posting.seq, said)

    def _check_repaid(self, deposits: Sequence[Posting], postings: Sequence[Posting]) -> None:
        due: list[Transfer] = []
        for posting in deposits:
            moved = posting.transfer
            owed_minor = -(self.before(receivable_account(moved.credit), moved.currency) or 0)
            due += repayment(moved.credit, moved.bet, moved.amount_minor, moved.currency, owed_minor)
        found = [posting.transfer for posting in postings if is_repaid_by_deposit(posting)]
        if found != due:
            seq = postings[0].seq
            sentence = "A deposit did not repay what its bettor owes from a correction, or repaid something else."
            raise WrongError("ledger", seq, sentence)


def is_repaid_by_deposit(posting: Posting) -> bool:
    """A repayment that belongs to no round but to a deposit."""
    return posting.transfer.kind == "repay" and posting.transfer.round == posting.transfer.credit
