"""The desk of one operator's wallet: every row of the journal about it is written here, and folded once it is kept."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from dealer_ui.teller.closed import ClosedByPeople
from dealer_ui.teller.outbox import ToldDebt
from studio.errors import RefusedError
from studio.journal import Entry, Reader, Row, Unit
from studio.journal.extract.wallet_rows import (
    LedgerStakes,
    moved_after,
)
from studio.money import Transfer
from studio.people import Actor, need_fresh_pin, need_right
from studio.wallets.answer import WalletOutcome, Word, outcome_of
from studio.wallets.book import WalletBook
from studio.wallets.call import Adjust
from studio.wallets.due import dues
from studio.wallets.obligation import Case, Debt, DebtStanding, Owed
from studio.wallets.record import (
    AnyWalletEvent,
    End,
    Movement,
    WalletAnswered,
    WalletAsked,
    WalletClosed,
    WalletEnded,
    WalletOwed,
    WalletTold,
    read_wallet,
    write_wallet,
)

ROUNDS_KEPT: Final = 500
"""Of so many rounds it is known how often a bet's stake was asked for."""


class Attempts:
    """How often each stake of the latest rounds was asked for."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[str, dict[str, int]] = OrderedDict()

    def of(self, round: str, bet: str) -> int:
        return self._rounds.get(round, {}).get(bet, 0)

    def count(self, asked: WalletAsked) -> None:
        for stake in asked.stakes:
            attempts = self._rounds.setdefault(stake.facts.round, {})
            attempts[stake.facts.bet] = max(attempts.get(stake.facts.bet, 0), stake.facts.attempt + 1)
        while len(self._rounds) > ROUNDS_KEPT:
            self._rounds.popitem(last=False)


class WalletDesk:
    """Thread-safe. `commit` makes a unit durable or raises, and then nothing has changed.

    Requests commit side by side; what is owed is told of by one thread, and closed by people, one after another.
    """

    def __init__(self, operator: str, commit: Callable[[Unit], object], now_ms: Callable[[], int]) -> None:
        self.operator = operator
        self.name = f"wallet {operator}"
        self._commit = commit
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._owing = threading.RLock()
        self._book = WalletBook(operator)
        self._attempts = Attempts()
        self._closed = ClosedByPeople()
        self._folds, self._busy = 0, 0
        self._stood = ((-1, 0), DebtStanding())

    def restore(self, rows: Iterable[Row], head: int) -> None:
        """Fold what the journal holds of all wallets; other operators' rows are passed by.

        A wallet the journal does not know begins at the ledger's `head`: what came before is none of its affair.
        """
        known = False
        for row in rows:
            event = read_wallet(row.body)
            if event.operator == self.operator:
                known = not isinstance(event, WalletEnded)
                self._fold(event)
        if not known:
            self._book.upto = head
            self.keep()

    def remember(self, closed: WalletClosed) -> None:
        """What people have closed before all that was open was summed up."""
        with self._lock:
            self._closed.take(closed)

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """A request is asking for stakes; until it has told what became of them nothing is summed up."""
        with self._lock:
            self._busy += 1
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1

    # --- stakes ---------------------------------------------------------------------------------------

    def attempt_of(self, round: str, bet: str) -> int:
        """How often this bet's stake was asked for in that round."""
        return self._attempts.of(round, bet)

    def ask(self, stakes: Sequence[Movement]) -> None:
        """These are asked for from now on."""
        self._keep(WalletAsked(operator=self.operator, at_ms=self._now_ms(), stakes=tuple(stakes)))

    def take_committed(self, events: Iterable[WalletAnswered]) -> None:
        """A table has committed what became of some stakes."""
        for event in events:
            self._fold(event)

    def strand(self, ends: Sequence[tuple[Movement, Word]]) -> None:
        """Of these stakes no bet stands: refused, or suspended, and then undoing them is owed."""
        if not ends:
            return
        told = tuple(End(id=stake.id, word=word) for stake, word in ends)
        moved = tuple(
            stake.suspended() for stake, word in ends if outcome_of(stake.call, word) is not WalletOutcome.REFUSED
        )
        self._keep(WalletAnswered(operator=self.operator, at_ms=self._now_ms(), ends=told), transfers=moved)

    def unanswered(self) -> tuple[Movement, ...]:
        """The stakes that were asked for and have no end."""
        with self._lock:
            return tuple(self._book.asked.values())

    # --- what is owed ---------------------------------------------------------------------------------

    def follow(self, reader: Reader) -> int:
        """Take in what the ledger makes owed since it was last looked at; gives how many movements."""
        with self._owing:
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
            return self._book.obligations.due(self._now_ms())

    def heard(self, told: Sequence[ToldDebt], chance: Callable[[], float]) -> None:
        """What was said of things owed: each yes moves its money, a first no is kept, the rest is tried again."""
        events: list[AnyWalletEvent] = []
        moved: list[Transfer] = []
        with self._owing:
            now_ms = self._now_ms()
            for one in told:
                owed = self._book.obligations.find(one.id)
                if owed is None:
                    continue
                outcome = outcome_of(owed.call, one.word)
                if outcome is WalletOutcome.ACCEPTED:
                    moved.append(self._book.owed[one.id].told())
                if outcome is WalletOutcome.ACCEPTED or (outcome is WalletOutcome.REFUSED and owed.last != one.word):
                    events.append(WalletTold(operator=self.operator, at_ms=now_ms, id=one.id, word=one.word))
                else:
                    with self._lock:
                        self._book.obligations.heard(one.id, one.word, now_ms, chance())
            self._keep(*events, transfers=moved)

    def close(self, id: str, case: Case, actor: Actor, reason: str) -> None:
        """A person has found out what became of it; `RefusedError` where it is not for people.

        Closed the same way by the same person again, it is the same act.
        """
        need_right(actor, "close_owed")
        with self._owing:
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
        """Write down all that is open, so that the next start need not look further back; not while requests ask."""
        with self._owing, self._lock:
            if self._busy:
                return False
            kept = self._book.kept(self._now_ms())
            self._commit(Unit(entries=(_entry(kept),)))
        return True

    # --- looking --------------------------------------------------------------------------------------

    def owed(self) -> list[Owed[Debt]]:
        """All that is owed, the oldest first."""
        with self._lock:
            return self._book.obligations.all()

    def standing(self) -> DebtStanding:
        """How much is owed, as of this second: every screen asks for it at every beat."""
        now_ms = self._now_ms()
        with self._lock:
            mark = (self._folds, now_ms // 1000)
            if self._stood[0] != mark:
                self._stood = (mark, self._book.obligations.standing(now_ms))
            return self._stood[1]

    def for_people(self) -> list[tuple[Owed[Debt], Movement]]:
        """What is owed and people are to look into, the oldest first."""
        with self._lock:
            found = self._book.obligations.for_people(self._now_ms())
            return [(owed, self._book.owed[owed.call.id]) for owed in found]

    def closed(self) -> list[WalletClosed]:
        """What people have closed, the newest first."""
        with self._lock:
            return self._closed.all()

    def movement(self, id: str) -> Movement | None:
        with self._lock:
            return self._book.owed.get(id)

    def _keep(self, *events: AnyWalletEvent, transfers: Sequence[Transfer] = ()) -> None:
        if events:
            self._commit(Unit(entries=tuple(map(_entry, events)), transfers=tuple(transfers)))
            for event in events:
                self._fold(event)

    def _fold(self, event: AnyWalletEvent) -> None:
        with self._lock:
            if isinstance(event, WalletAsked):
                self._attempts.count(event)
            self._book.take(event)
            self._folds += 1
            if isinstance(event, WalletClosed):
                self._closed.take(event)


def _entry(event: AnyWalletEvent) -> Entry:
    return Entry(type(event).__name__, event.at_ms, write_wallet(event))
