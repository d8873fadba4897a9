"""What only the beginning of a record may say: that it goes on from an archive, and what is carried over from there."""

from __future__ import annotations

from collections import Counter
from typing import Final

from studio.care.event import BooksOpened, PursesCarried, read_care
from studio.errors import BadInputError
from studio.journal.booking import read_origin
from studio.journal.extract.walk import WalkStep
from studio.journal.link import GENESIS
from studio.journal.place import Snapshot
from studio.money import CARRIED_ACCOUNT
from studio.proof.audit.wrong import WrongError, wrong
from studio.tables.event.change import TableCarried

_CARRIED: Final = frozenset({PursesCarried.__name__, TableCarried.__name__})
_FIRST: Final = "SELECT seq, kind, body FROM journal WHERE {} ORDER BY seq LIMIT 1"


class OpeningAudit:
    """Told every row in order. `carrying`: the books were opened, and no other money has moved since."""

    def __init__(self) -> None:
        self.carrying = False
        self._begun = False

    def take(self, step: WalkStep) -> None:
        if step.kind == BooksOpened.__name__:
            if self._begun:
                wrong(step.seq, "The books were opened in mid-record: only the first row after an archive may.")
            check_carried(step)
            self.carrying = True
        elif step.postings:
            self.carrying = False
        if step.kind in _CARRIED and not self.carrying:
            wrong(step.seq, f"A {step.kind} stands in mid-record: only where the books are opened is anything carried.")
        self._begun = True


def check_carried(step: WalkStep) -> None:
    """The transfers of `BooksOpened`: one a balance, through one account that is empty again at their end."""
    opened = _opened(step.seq, step.kind, step.body)
    if opened is None or opened.journal_seq + 1 != step.seq:
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


def need_opened(seen: Snapshot) -> None:
    """A record whose chains go on from somewhere begins with the books of that archive, and names those very rows."""
    for book in seen.books:
        journal, ledger = (read_origin(seen.connection, chain, book) for chain in ("journal", "ledger"))
        if (journal, ledger) == (GENESIS, GENESIS):
            continue
        first = seen.connection.execute(_FIRST.format(book)).fetchone()
        if first is None:
            continue  # nothing was written yet
        seq, kind, body = first
        opened = _opened(seq, kind, body.encode())
        if opened is None or (opened.journal_seq, opened.journal_hash, opened.ledger_seq, opened.ledger_hash) != (
            *journal, *ledger,
        ):  # fmt: skip
            wrong(seq, f"The record goes on from row {journal.seq}, and does not begin with the books of an archive.")


def _opened(seq: int, kind: str, body: bytes) -> BooksOpened | None:
    try:
        told = read_care(body) if kind == BooksOpened.__name__ else None
    except BadInputError as error:
        wrong(seq, f"{error}")
    return told if isinstance(told, BooksOpened) else None
