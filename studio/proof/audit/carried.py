"""Proves how a database begins that follows an archive: its balances, carried and nothing else."""

from __future__ import annotations

from collections import Counter

from studio.care.event import BooksOpened, read_care
from studio.journal.walk import Step
from studio.money import CARRIED_ACCOUNT
from studio.proof.audit.wrong import WrongError, wrong


def check_carried(step: Step) -> None:
    """The transfers of `BooksOpened`: one a balance, through one account that is empty again at their end."""
    opened = read_care(step.body)
    assert isinstance(opened, BooksOpened)
    if opened.journal_seq + 1 != step.seq:
        wrong(step.seq, "The books were opened in mid-record: only the first row after an archive may.")
    if len(step.postings) != opened.accounts:
        wrong(step.seq, f"{opened.accounts} balances were to be carried, and {len(step.postings)} were.")
    left: Counter[str] = Counter()
    for posting in step.postings:
        moved = posting.transfer
        if moved.kind != "carry" or CARRIED_ACCOUNT not in (moved.debit, moved.credit):
            raise WrongError("ledger", posting.seq, "Only balances are carried where the books are opened.")
        left[moved.currency] += moved.amount_minor if moved.credit == CARRIED_ACCOUNT else -moved.amount_minor
    if any(left.values()):
        wrong(step.seq, "What was carried does not balance.")
