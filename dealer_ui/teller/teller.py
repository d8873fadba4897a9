"""One operator's wallet, all of it: requests ask it for stakes, and an outbox tells it what it is owed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from dealer_ui.teller.asking import AskedTable, Asking, AskingTerms
from dealer_ui.teller.balance import WalletBalance
from dealer_ui.teller.caller import Caller, Pulse
from dealer_ui.teller.desk import WalletDesk
from dealer_ui.teller.outbox import Outbox
from dealer_ui.teller.session_wallet import SessionWallet
from studio.errors import RefusedError
from studio.journal import Reader
from studio.money import Answer
from studio.people import Actor
from studio.wallets.answer import Word
from studio.wallets.call import Balance, Call
from studio.wallets.obligation import Case, Debt

TELL_WAIT_S: Final = 10.0
"""So long one telling may take; it is told again."""
BALANCE_WAIT_S: Final = 3.0


class Teller:
    """`wallet` is who the caller calls. `reader` is the calling thread's own."""

    def __init__(
        self, caller: Caller[Call], desk: WalletDesk, wallet: SessionWallet, now_ms: Callable[[], int],
        reader: Callable[[], Reader], terms: AskingTerms,
    ) -> None:  # fmt: skip
        self.operator = desk.operator
        self.desk = desk
        self._caller = caller
        self._wallet = wallet
        self._asking = Asking(caller, desk, wallet.sessions, now_ms, terms)
        self.outbox: Outbox[Debt] = Outbox(caller, desk, now_ms, reader, wait_s=TELL_WAIT_S, before=self._asking.settle)

    def take(self, items: Sequence[Any], table: AskedTable) -> tuple[Answer, ...]:
        """Take bets or decisions of this operator's bettors; each is answered once it is in play or refused."""
        return self._asking.take(items, table)

    @property
    def pulse(self) -> Pulse:
        return self._caller.pulse()

    def close(self, id: str, case: Case, actor: Actor, reason: str) -> None:
        """Close a movement as a person found it; not while the wallet is told of it, for it may say yes."""
        with self.outbox.sending:
            if self.outbox.is_telling(id):
                sentence = "The wallet is being told of this at this moment: look again in a few seconds."
                raise RefusedError("told_now", sentence)
            self.desk.close(id, case, actor, reason)

    def balance_of(self, bettor: str) -> WalletBalance | None:
        """The balance that the operator's wallet last reported for this bettor; None when it has reported none."""
        return self._wallet.balances.of(bettor)

    def ask_balance(self, bettor: str, currency: str, table: str) -> None:
        """Have his wallet say it; nobody waits for that, and a silent wallet is not asked."""
        if not self._caller.silent:
            balance = Balance(bettor=bettor, session="", currency=currency, game=table)
            self._caller.submit(balance, BALANCE_WAIT_S)

    def begin(self) -> None:
        """Stakes that were asked for before a crash may have been taken: undoing them is owed."""
        self.desk.strand([(stake, Word.TEMPORARY) for stake in self.desk.unanswered()])
