"""What stands open between a studio and one operator's wallet, folded from the journal."""

from __future__ import annotations

from studio.errors import IllegalEventError
from studio.wallets.answer import WalletOutcome, outcome_of
from studio.wallets.call import Debit
from studio.wallets.obligation import Case, Debt, Obligations
from studio.wallets.record import (
    AnyWalletEvent,
    Movement,
    Open,
    WalletAnswered,
    WalletAsked,
    WalletClosed,
    WalletEnded,
    WalletKept,
    WalletOwed,
    WalletTold,
)


class WalletBook:
    """Stakes that were asked for and have no end, and what is owed. One thread at a time.

    `upto`: the row of the ledger up to which everything it makes owed is here.
    """

    def __init__(self, operator: str) -> None:
        self.operator = operator
        self._begin()

    def _begin(self) -> None:
        self.upto = 0
        self.asked: dict[str, Movement] = {}
        self.owed: dict[str, Movement] = {}
        self.obligations = Obligations[Debt]()

    def take(self, event: AnyWalletEvent) -> None:
        """`IllegalEventError` where it ends what was never begun."""
        match event:
            case WalletAsked(stakes=stakes):
                self.asked.update((stake.id, stake) for stake in stakes)
            case WalletAnswered(ends=ends):
                for end in ends:
                    stake = self._ended(end.id)
                    if not end.in_play and outcome_of(stake.call, end.word) is not WalletOutcome.REFUSED:
                        self._owe(stake.stranded(), event.at_ms)
            case WalletOwed(owed=owed, upto=upto):
                for movement in owed:
                    self._owe(movement, event.at_ms)
                self.upto = max(self.upto, upto)
            case WalletTold(id=id, word=word):
                if self.obligations.heard(id, word, event.at_ms, 1.0) is WalletOutcome.ACCEPTED:
                    self._done(id)
            case WalletClosed(id=id):
                self.obligations.end(id)
                self._done(id)
            case WalletKept():
                self._begin_at(event)
            case WalletEnded():
                self._begin()

    def kept(self, at_ms: int, through: int = 0) -> WalletKept:
        """All that is open, as one row. `through`: the last row of the journal that may have told of stakes."""
        owed = tuple(
            Open(movement=self.owed[each.call.id], since_ms=each.since_ms, last=each.last)
            for each in self.obligations.all()
        )
        asked = tuple(self.asked.values())
        return WalletKept(
            operator=self.operator, at_ms=at_ms, asked=asked, owed=owed, upto=self.upto, through=through
        )  # fmt: skip

    def closing(self, id: str, case: Case, now_ms: int) -> Movement:
        """What is closed by this; `RefusedError` where it cannot be."""
        self.obligations.need_closable(id, case, now_ms)
        return self.owed[id]

    def _owe(self, movement: Movement, at_ms: int) -> None:
        call = movement.call
        if isinstance(call, Debit):
            raise IllegalEventError(f"the stake {call.id} is owed, and stakes are asked for")
        if self.obligations.owe(call, at_ms):
            self.owed[movement.id] = movement

    def _ended(self, id: str) -> Movement:
        stake = self.asked.pop(id, None)
        if stake is None:
            raise IllegalEventError(f"an answer to the stake {id}, which was not asked for")
        return stake

    def _done(self, id: str) -> None:
        if self.owed.pop(id, None) is None:
            raise IllegalEventError(f"the end of {id}, which is not owed")

    def _begin_at(self, kept: WalletKept) -> None:
        self._begin()
        self.upto = kept.upto
        self.asked = {stake.id: stake for stake in kept.asked}
        for each in kept.owed:
            self._owe(each.movement, each.since_ms)
            if each.last is not None:
                self.obligations.heard(each.movement.id, each.last, kept.at_ms, 1.0)
