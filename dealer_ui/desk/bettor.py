"""The desk of bettors: what their operators lay down for them, and who may stake nothing more.

Whatever is said is in the journal before it counts, and counts before it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dealer_ui.desk.book import DeskLock, kept_anew
from studio.errors import RefusedError, StorageError, not_written
from studio.journal import Entry, Row, Unit
from studio.operators import AnyBettorEvent, BettorBook, BettorTerms, Standing, read_bettor, write_bettor
from studio.operators.bettor_event import BettorBlocked, BettorLaunched, BettorLoggedOut, BettorUnblocked


class BettorDesk:
    """Thread-safe; whoever looks waits for nobody who writes.

    `told` is called when somebody who may be playing may stake less from now on, once that is kept: other processes
    know it when it returns.
    """

    def __init__(self, commit: Callable[[Unit], object], now_ms: Callable[[], int]) -> None:
        self._book = BettorBook()
        self._commit = commit
        self._now_ms = now_ms
        self._lock = DeskLock()
        self.others: Callable[[], Iterable[Row]] = tuple
        self.told: Callable[[], None] = lambda: None

    def restore(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._book.take(read_bettor(row.body))

    def of(self, operator: str, bettor: str) -> Standing:
        return self._book.of(operator, bettor)

    def knows(self, operator: str, bettor: str) -> bool:
        """Whether his operator has ever said anything of him."""
        return self._book.knows(operator, bettor)

    def need_open(self, operator: str, bettor: str) -> None:
        """`RefusedError` while he is blocked."""
        if self.of(operator, bettor).blocked:
            raise RefusedError("bettor_blocked", "You have blocked this bettor: lift that before you launch him.")

    def catch_up(self) -> None:
        """Take what other processes have kept of bettors."""
        with self._lock:
            self.restore(self.others())

    def launch(self, operator: str, bettor: str, terms: BettorTerms | None) -> None:
        """He comes to play, under these `terms`, or under those he has; refused while he is blocked."""

        def launched() -> AnyBettorEvent | None:
            self.need_open(operator, bettor)
            was = self.of(operator, bettor)
            wanted = was.terms if terms is None else terms
            if not was.gone and wanted == was.terms:
                return None
            return BettorLaunched(at_ms=self._now_ms(), operator=operator, bettor=bettor, terms=wanted)

        was = self.of(operator, bettor)
        self._decided(launched)
        if terms is not None and was.terms != terms and not was.gone:
            self.told()

    def block(self, operator: str, bettor: str) -> None:
        """From now on he stakes nothing."""
        self._decided(
            lambda: (
                None
                if self.of(operator, bettor).blocked
                else BettorBlocked(at_ms=self._now_ms(), operator=operator, bettor=bettor)
            )
        )
        self.told()

    def unblock(self, operator: str, bettor: str) -> None:
        """He may be launched again."""
        self._decided(
            lambda: (
                BettorUnblocked(at_ms=self._now_ms(), operator=operator, bettor=bettor)
                if self.of(operator, bettor).blocked
                else None
            )
        )

    def log_out(self, operator: str, bettor: str) -> None:
        """From now on he stakes nothing, until he is launched again."""
        self._decided(
            lambda: (
                None
                if self.of(operator, bettor).gone
                else BettorLoggedOut(at_ms=self._now_ms(), operator=operator, bettor=bettor)
            )
        )
        self.told()

    def _decided(self, decide: Callable[[], AnyBettorEvent | None]) -> None:
        """Keep what is decided over the bettors as they stand now; nothing where nothing changes."""

        def keep() -> None:
            with self._lock:
                if (event := decide()) is not None:
                    self._keep(event)

        kept_anew(self.catch_up, keep)

    def _keep(self, event: AnyBettorEvent) -> None:
        try:
            self._commit(Unit(entries=(Entry(type(event).__name__, event.at_ms, write_bettor(event)),)))
        except (StorageError, TimeoutError) as error:
            raise not_written(error) from error
        self._book.take(event)
