"""The desk of one operator's wallet: how it stands by the journal, and what is told to it, where this host tells it.

    rows of every host ──► hear ──► the book ──► looked at, on any process
                                      │
                     hold, on one host ├──► follow · heard · close · keep: rows of its own, under its hold

One host at a time holds what an operator's wallet is owed. Stakes are asked for by whoever runs their table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final

from dealer_ui.process.late import LateError
from dealer_ui.teller.followed_wallet import FollowedWallet
from dealer_ui.teller.outbox import ToldDebt
from studio.errors import RefusedError, StorageError
from studio.journal import Entry, LeaseLostError, Reader, Receipt, Unit
from studio.journal.extract.wallet_rows import LedgerStakes, moved_after
from studio.money import Transfer
from studio.people import Actor, need_fresh_pin, need_right
from studio.wallets.answer import WalletOutcome, outcome_of
from studio.wallets.call import Adjust
from studio.wallets.due import dues
from studio.wallets.obligation import Case, Debt
from studio.wallets.record import (
    AnyWalletEvent,
    WalletClosed,
    WalletOwed,
    WalletTold,
    write_wallet,
)

Commit = Callable[[Unit], int]
"""Makes a unit durable and gives its last row, or raises and then nothing has changed; but for a `LateError`, of which
that is not known yet.
"""

NOT_HERE: Final = "Another host tells this wallet now, and nothing was done: look at the page again."


class WalletDesk(FollowedWallet):
    """Thread-safe. What is owed is told of by one thread, and closed by people, one after another."""

    def __init__(self, operator: str, now_ms: Callable[[], int]) -> None:
        super().__init__(operator, now_ms)
        self.name = f"wallet {operator}"
        self._owing = threading.RLock()
        self._commit: Commit | None = None
        self._sure: Callable[[], bool] = lambda: True
        self._late: tuple[Future[Receipt], tuple[AnyWalletEvent, ...]] | None = None

    # --- who tells it ---------------------------------------------------------------------------------

    @property
    def holds(self) -> bool:
        """Whether it is told from here what it is owed."""
        return self._commit is not None

    def hold(self, commit: Commit, reader: Reader, sure: Callable[[], bool], upto: int) -> None:
        """From now on it is told from here what it is owed. `commit` is fenced: whoever held it before writes no more,
        and what he wrote is settled `upto` that row. `sure`: whether that is so beyond doubt, at this moment.

        A wallet the journal does not know begins at the ledger's head: what came before is none of its affair.
        """
        with self._owing:
            self.restore(reader, upto)
            self._commit, self._sure, self._late = commit, sure, None
            if not self._known:
                self._book.upto = reader.ledger_head().seq
                self.keep()
                self._known = True

    def fold_anew(self, reader: Reader, upto: int) -> None:
        """Not while something of this host's own is under way, or above that row: a little later then."""
        if not self.in_doubt or not self._owing.acquire(blocking=False):
            return
        try:
            if self._late is None and (not self.holds or self._rest_upto <= upto):
                super().fold_anew(reader, upto)
        finally:
            self._owing.release()

    def let_go(self) -> None:
        """Another host tells it, or nobody does; what is said meanwhile of what was sent is not taken in."""
        with self._owing:
            self._commit = None

    # --- what is owed ---------------------------------------------------------------------------------

    def follow(self, reader: Reader) -> int:
        """Take in what the ledger makes owed since it was last looked at; gives how many movements."""
        with self._owing:
            if not self.holds:
                return 0
            self._know_late()
            transfers, upto = moved_after(reader, self.operator, self._book.upto)
            found = dues(self.operator, transfers, LedgerStakes(reader)) if transfers else []
            if found:
                self._keep(WalletOwed(operator=self.operator, at_ms=self._now_ms(), owed=tuple(found), upto=upto))
            else:
                self._book.upto = max(self._book.upto, upto)
        return len(found)

    def due(self) -> list[Debt]:
        """What is to be told now, the longest owed first: of each bettor one."""
        with self._lock:
            return self._book.obligations.due(self._now_ms()) if self.holds and self._sure() else []

    def heard(self, told: Sequence[ToldDebt], chance: Callable[[], float]) -> None:
        """What was said of things owed: each yes moves its money, a first no is kept, the rest is tried again."""
        events: list[AnyWalletEvent] = []
        moved: list[Transfer] = []
        again: list[ToldDebt] = []
        with self._owing:
            self._know_late()
            now_ms = self._now_ms()
            for one in told if self.holds else ():
                owed = self._book.obligations.find(one.id)
                if owed is None:
                    continue
                outcome = outcome_of(owed.call, one.word)
                if outcome is WalletOutcome.ACCEPTED:
                    moved.append(self._book.owed[one.id].told())
                if outcome is WalletOutcome.ACCEPTED or (outcome is WalletOutcome.REFUSED and owed.last != one.word):
                    events.append(WalletTold(operator=self.operator, at_ms=now_ms, id=one.id, word=one.word))
                else:
                    again.append(one)
            self._keep(*events, transfers=moved)  # where it fails all of it is heard again, and no try counted twice
            with self._lock:
                for one in again:
                    self._book.obligations.heard(one.id, one.word, now_ms, chance())

    def close(self, id: str, case: Case, actor: Actor, reason: str) -> None:
        """A person has found out what became of it; `RefusedError` where it is not for people.

        Closed the same way by the same person again, it is the same act.
        """
        need_right(actor, "close_owed")
        with self._owing:
            if not self.holds:
                raise RefusedError("told_elsewhere", NOT_HERE)
            self._know_late()
            now_ms = self._now_ms()
            need_fresh_pin(actor, now_ms)
            if not reason.strip():
                raise RefusedError("finding_needed", "Write what you found, and with whom: it is kept.")
            if self._closed.is_again(id, case, actor):
                return
            movement = self._book.closing(id, case, now_ms)
            told = WalletClosed(
                operator=self.operator, at_ms=now_ms, id=id, movement=movement, case=case, by=actor.id,
                by_name=actor.name, reason=reason.strip(),
            )  # fmt: skip
            stays = isinstance(movement.call, Adjust) and movement.call.amount_minor < 0 and case is not Case.TAKEN
            self._keep(told, transfers=() if stays else (movement.told(),))

    def keep(self) -> bool:
        """Write down all that is open, so that the next start need not look further back; False where it is not told
        from here, or where that is in doubt: whoever begins with the sum believes it.
        """
        with self._owing:
            if self._commit is None or self.in_doubt:
                return False
            self._know_late()
            with self._lock:
                self._commit_held(Unit(entries=(_entry(self._book.kept(self._now_ms(), self._stakes_upto)),)))
        return True

    def _keep(self, *events: AnyWalletEvent, transfers: Sequence[Transfer] = ()) -> None:
        if events:
            self._commit_held(Unit(entries=tuple(map(_entry, events)), transfers=tuple(transfers)), events)
            self._fold_all(events)

    def _commit_held(self, unit: Unit, events: tuple[AnyWalletEvent, ...] = ()) -> None:
        assert self._commit is not None
        try:
            self._rest_upto = self._commit(unit)
        except LeaseLostError:
            self._commit = None
            raise
        except LateError as late:
            self._late = (late.writing, events)
            raise

    def _know_late(self) -> None:
        """Take in what was kept late, before anything is decided over it; `StorageError` while nobody knows of it."""
        if self._late is None:
            return
        writing, events = self._late
        if not writing.done():
            raise StorageError("The record has not answered to what was asked of it before.")
        self._late = None
        if not writing.cancelled() and writing.exception() is None:
            self._rest_upto = writing.result().last_seq
            self._fold_all(events)

    def _fold_all(self, events: tuple[AnyWalletEvent, ...]) -> None:
        with self._lock:
            for event in events:
                self._fold(event)


def _entry(event: AnyWalletEvent) -> Entry:
    return Entry(type(event).__name__, event.at_ms, write_wallet(event))
