"""One operator's wallet, all of it: requests ask it for stakes, and a thread tells it what it is owed."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Final

import structlog

from dealer_ui.teller.asking import Asking, Table, Terms
from dealer_ui.teller.balance import Held
from dealer_ui.teller.caller import Caller, Pulse
from dealer_ui.teller.desk import Told, WalletDesk
from dealer_ui.teller.session import Sessions
from studio.errors import RefusedError, StorageError
from studio.journal import Reader
from studio.money import Answer
from studio.people import Actor
from studio.wallets.answer import Said, Word
from studio.wallets.call import Balance
from studio.wallets.obligation import Case

_LOG = structlog.get_logger("dealer_ui.teller.teller")

TELL_WAIT_S: Final = 10.0
"""So long one telling may take; it is told again."""
BALANCE_WAIT_S: Final = 3.0
TICK_S: Final = 0.2
KEEP_S: Final = 600.0
"""So often what is open is summed up in the journal."""


class Teller:
    """`reader` is the calling thread's own. `step` is one turn of the thread; a program with one thread steps it."""

    def __init__(
        self, caller: Caller, desk: WalletDesk, sessions: Sessions, now_ms: Callable[[], int],
        reader: Callable[[], Reader], terms: Terms,
    ) -> None:  # fmt: skip
        self.operator = desk.operator
        self.desk = desk
        self._caller = caller
        self._asking = Asking(caller, desk, sessions, now_ms, terms)
        self._reader = reader
        self._now_ms = now_ms
        self._telling: dict[str, Future[Said]] = {}
        self._sending = threading.Lock()
        self._moved = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"wallet {desk.operator}", daemon=True)
        self._kept_ms = now_ms()
        self.chance: Callable[[], float] = random.Random().random  # noqa: S311 - it spreads tries over time
        """Gives 0 to 1; a rehearsal sets one from its seed."""

    def take(self, items: Sequence[Any], table: Table) -> tuple[Answer, ...]:
        """Take bets or decisions of this operator's bettors; each is answered once it is in play or refused."""
        return self._asking.take(items, table)

    @property
    def pulse(self) -> Pulse:
        return self._caller.pulse()

    def close(self, id: str, case: Case, actor: Actor, reason: str) -> None:
        """Close a movement as a person found it; not while the wallet is told of it, for it may say yes."""
        with self._sending:
            if id in self._telling:
                sentence = "The wallet is being told of this at this moment: look again in a few seconds."
                raise RefusedError("told_now", sentence)
            self.desk.close(id, case, actor, reason)

    def balance_of(self, bettor: str) -> Held | None:
        """What his wallet said last that he has; None where it has not said so."""
        return self._caller.balances.of(bettor)

    def ask_balance(self, bettor: str, currency: str, table: str) -> None:
        """Have his wallet say it; nobody waits for that, and a silent wallet is not asked."""
        if not self._caller.silent:
            balance = Balance(bettor=bettor, session="", currency=currency, game=table)
            self._caller.submit(balance, BALANCE_WAIT_S)

    def nudge(self) -> None:
        """Money may have moved: look soon."""
        self._moved.set()

    def begin(self) -> None:
        """Stakes that were asked for before a crash may have been taken: undoing them is owed."""
        self.desk.strand([(stake, Word.TEMPORARY) for stake in self.desk.unanswered()])

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Tell nothing more. What is owed is owed at the next start."""
        self._ended.set()
        self._moved.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        self._caller.close()
        self._sum_up()

    def step(self) -> bool:
        """Take in what is newly owed, send what is due, hear the answers; returns whether there was anything to do."""
        self._asking.settle()
        found = self.desk.follow(self._reader())
        sent = self._send()
        return bool(self._hear() or found or sent)

    def _run(self) -> None:
        told = ""
        while not self._ended.is_set():
            self._moved.wait(0.02 if self._telling else TICK_S)
            self._moved.clear()
            try:
                self.step()
                if self._now_ms() - self._kept_ms > KEEP_S * 1000:
                    self._sum_up()
                told = ""
            except (StorageError, TimeoutError) as error:
                if told != str(error):
                    _LOG.error("a wallet waits for the disk", operator=self.operator, error=str(error))
                told = str(error)
            except Exception as error:
                if told != str(error):
                    _LOG.error("telling a wallet failed by an error of our own", operator=self.operator, exc_info=error)
                told = str(error)
                self._ended.wait(1.0)

    def _send(self) -> int:
        sent = 0
        with self._sending:
            for call in self.desk.due():
                if call.id in self._telling:
                    continue
                if not self._caller.may_ask():
                    break
                future = self._caller.submit(call, TELL_WAIT_S)
                future.add_done_callback(lambda _: self._moved.set())
                self._telling[call.id] = future
                sent += 1
        return sent

    def _hear(self) -> int:
        """Take in the answers to what was sent, and return how many ended. A call never carried out is sent again."""
        with self._sending:
            done = [id for id, future in self._telling.items() if future.done()]
            told = [Told(id, future.result().word) for id in done if not (future := self._telling[id]).cancelled()]
            self.desk.heard(told, self.chance)
            for id in done:
                del self._telling[id]
        return len(done)

    def _sum_up(self) -> None:
        try:
            if self.desk.keep():
                self._kept_ms = self._now_ms()
        except (StorageError, TimeoutError) as error:
            _LOG.error("a wallet's sum waits for the disk", operator=self.operator, error=str(error))
