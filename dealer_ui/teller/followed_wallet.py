"""How one operator's wallet stands, folded from the rows that any host has written of it.

Rows of stakes come from whoever runs their table, all others from whoever tells the wallet what it is owed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from dealer_ui.teller.closed import ClosedByPeople
from studio.journal import Reader, Row
from studio.journal.extract.wallet_rows import last_sum, open_events
from studio.wallets.book import WalletBook
from studio.wallets.obligation import Debt, DebtStanding, Owed
from studio.wallets.record import OF_TABLES, AnyWalletEvent, Movement, WalletClosed, WalletEnded, WalletKept

AGAIN_MS: Final = 10_000
"""So often a wallet of which a row did not fold is folded anew."""


class FollowedWallet:
    """Thread-safe. `holds`: whether this process tells the wallet, and takes in its own rows as it writes them."""

    def __init__(self, operator: str, now_ms: Callable[[], int]) -> None:
        self.operator = operator
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._book = WalletBook(operator)
        self._closed = ClosedByPeople()
        self._known = False
        self._doubted_ms: int | None = None
        self._stakes_upto = self._rest_upto = 0
        self._folds = 0
        self._stood = ((-1, 0), DebtStanding())

    # --- how it stands by the journal -----------------------------------------------------------------

    @property
    def known(self) -> bool:
        """Whether the journal knows this wallet: before, nobody would look after what is asked of it."""
        return self._known

    @property
    def in_doubt(self) -> bool:
        """Whether a row of the journal about this wallet could not be read or did not fold."""
        return self._doubted_ms is not None

    def restore(self, reader: Reader, upto: int) -> None:
        """Fold what the journal holds up to that row anew."""
        book, known, last = WalletBook(self.operator), False, last_sum(reader, self.operator)
        through = last
        for event in open_events(reader, self.operator, upto, last):
            book.take(event)
            known = not isinstance(event, WalletEnded)
            if isinstance(event, WalletKept):
                through = event.through or last
        with self._lock:
            self._book, self._known, self._doubted_ms = book, known, None
            self._stakes_upto, self._rest_upto = max(upto, through), max(upto, last)
            self._folds += 1

    def hear(self, row: Row, event: AnyWalletEvent) -> None:
        """A row of the journal, in order; one that was taken in before is passed by."""
        with self._lock:
            if row.kind in OF_TABLES:
                is_new, self._stakes_upto = row.seq > self._stakes_upto, max(row.seq, self._stakes_upto)
            else:
                is_new = not self.holds and row.seq > self._rest_upto
            if is_new:
                self._fold(event)

    def doubt(self) -> None:
        """A row did not fold: how it stands is not known, and nobody is asked for a stake before it is folded anew."""
        with self._lock:
            self._known, self._doubted_ms = False, self._now_ms()

    def fold_anew(self, reader: Reader, upto: int) -> None:
        """Where it is in doubt, now and then: all of it once more, up to that row. What is wrong with it is raised."""
        if self._doubted_ms is not None and self._now_ms() - self._doubted_ms >= AGAIN_MS:
            self.restore(reader, upto)

    def heard_upto(self, seq: int) -> None:
        """Every row up to this one was heard."""
        with self._lock:
            self._stakes_upto = max(seq, self._stakes_upto)

    def remember(self, closed: WalletClosed) -> None:
        """What people have closed before all that was open was summed up."""
        with self._lock:
            self._closed.take(closed)

    @property
    def holds(self) -> bool:
        return False

    # --- looking --------------------------------------------------------------------------------------

    def asked(self) -> tuple[Movement, ...]:
        """The stakes that were asked for and have no end."""
        with self._lock:
            return tuple(self._book.asked.values())

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

    def _fold(self, event: AnyWalletEvent) -> None:
        """A sum tells whoever begins with it; who has folded all before it knows that, and newer stakes too."""
        if not (isinstance(event, WalletKept) and self._known):
            self._book.take(event)
        self._known = not isinstance(event, WalletEnded) if isinstance(event, WalletKept | WalletEnded) else self._known
        self._folds += 1
        if isinstance(event, WalletClosed):
            self._closed.take(event)
