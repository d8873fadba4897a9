"""Money that moved and that no event has accounted for yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from studio.journal import Posting
from studio.money import Transfer
from studio.proof.audit.wrong import WrongError, wrong


class LooseMoney:
    """Transfers of the ledger in their order; each event takes those that were due for it."""

    def __init__(self) -> None:
        self._left: deque[Posting] = deque()

    def append(self, moved: Posting) -> None:
        self._left.append(moved)

    @property
    def next_bet(self) -> str:
        """What the next one names as its bet; empty where none is left."""
        return self._left[0].transfer.bet if self._left else ""

    def match(self, due: Iterable[Transfer], seq: int) -> Sequence[Posting]:
        """The next transfers are exactly those due, in order; gives them as the ledger has them."""
        matched: list[Posting] = []
        for transfer in due:
            if not self._left:
                wrong(seq, f"The ledger lacks the {transfer.kind} of bet {transfer.bet} in round {transfer.round}.")
            found = self._left.popleft()
            if found.transfer != transfer:
                sentence = (
                    f"Round {transfer.round} is due a {_said(transfer)}; the ledger has a {_said(found.transfer)}."
                )
                raise WrongError("ledger", found.seq, sentence)
            matched.append(found)
        return matched

    def need_none(self) -> None:
        if self._left:
            stray = self._left[0]
            sentence = f"No event of round {stray.transfer.round} accounts for this {_said(stray.transfer)}."
            raise WrongError("ledger", stray.seq, sentence)


def _said(moved: Transfer) -> str:
    return f"{moved.kind} of {moved.amount_minor} for bet {moved.bet} from {moved.debit} to {moved.credit}"
