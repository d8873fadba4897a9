"""One operator's wallet, all of it: requests ask it for stakes, and an outbox tells it what it is owed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import structlog

from dealer_ui.teller.asking import AskedTable, Asking, AskingTerms
from dealer_ui.teller.caller import Caller, Pulse
from dealer_ui.teller.desk import WalletDesk
from dealer_ui.teller.outbox import Outbox
from dealer_ui.teller.seen_wallet import SeenWallet
from dealer_ui.teller.session_wallet import SessionWallet
from dealer_ui.teller.stake_desk import Commit, StakeDesk
from studio.errors import RefusedError, StorageError
from studio.journal import Reader
from studio.journal.extract.wallet_rows import settled, wallet_book
from studio.money import Answer
from studio.people import Actor
from studio.wallets.answer import Word
from studio.wallets.call import Balance, Call
from studio.wallets.obligation import Case, Debt
from studio.wallets.record import Movement

_LOG: Final = structlog.get_logger("dealer_ui.teller")
TELL_WAIT_S: Final = 10.0
"""So long one telling may take; it is told again."""
BALANCE_WAIT_S: Final = 3.0
WAIT: Final = threading.Event().wait


class Teller(SeenWallet):
    """`wallet` is who the caller calls. `reader` is the calling thread's own."""

    def __init__(
        self, caller: Caller[Call], desk: WalletDesk, wallet: SessionWallet, now_ms: Callable[[], int],
        reader: Callable[[], Reader], terms: AskingTerms,
    ) -> None:  # fmt: skip
        super().__init__(desk, caller.monotonic)
        self.balances = wallet.balances
        self.stakes = StakeDesk(desk.operator, now_ms, reader, lambda: desk.known, self._stranded)
        self._caller = caller
        self._asking = Asking(caller, self.stakes, wallet.sessions, now_ms, terms)
        self.outbox: Outbox[Debt] = Outbox(caller, desk, now_ms, reader, wait_s=TELL_WAIT_S, before=self._before)
        self._reader = reader
        self.read_on: Callable[[Reader], None] = lambda reader: None
        """Takes in what any host has written of wallets."""

    def take(self, items: Sequence[Any], table: AskedTable) -> tuple[Answer, ...]:
        """Take bets or decisions of this operator's bettors; each is answered once it is in play or refused."""
        return self._asking.take(items, table)

    def _before(self) -> None:
        self._asking.settle()
        self._read_on()

    def _read_on(self) -> None:
        self.read_on(self._reader())

    def _stranded(self) -> None:
        """The rows stand, whatever comes of reading them now: the outbox reads on, too."""
        try:
            self._read_on()
        except (StorageError, TimeoutError) as error:
            _LOG.warning("stakes without a bet are read later", operator=self.operator, error=str(error))
        self.outbox.nudge()

    @property
    def own_pulse(self) -> Pulse:
        return self._caller.pulse()

    def close(self, id: str, case: Case, actor: Actor, reason: str) -> None:
        """Close a movement as a person found it; not while the wallet is told of it, for it may say yes."""
        if not self.desk.holds:
            return super().close(id, case, actor, reason)
        with self.outbox.sending:
            if self.outbox.is_telling(id):
                sentence = "The wallet is being told of this at this moment: look again in a few seconds."
                raise RefusedError("told_now", sentence)
            self.desk.close(id, case, actor, reason)

    def ask_balance(self, bettor: str, currency: str, table: str) -> None:
        """Have his wallet say it; nobody waits for that, and a silent wallet is not asked."""
        if not self._caller.silent:
            balance = Balance(bettor=bettor, session="", currency=currency, game=table)
            self._caller.submit(balance, BALANCE_WAIT_S)

    def table_up(self, table: str, commit: Commit, reader: Reader, wait: Callable[[float], object] = WAIT) -> None:
        """The table is run here from now on. Stakes that were asked for before and have no end may have been taken:
        undoing them is owed. `commit` is under the table's hold, so nobody else writes of them any more.
        """
        self.stakes.forget(table)
        book = wallet_book(reader, self.operator, settled(reader, wait))
        self.undo((stake for stake in book.asked.values() if stake.facts.table == table), commit)

    def undo(self, stakes: Iterable[Movement], commit: Commit) -> None:
        """Whether these were taken nobody knows, and their bets do not stand."""
        self.stakes.strand([(stake, Word.TEMPORARY) for stake in stakes], commit)
