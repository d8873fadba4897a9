"""The desk of what one operator is told of his rounds: how far he has heard is written here, and what comes next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

from dealer_ui.teller.outbox import ToldDebt
from studio.journal import Entry, Reader, Unit
from studio.journal.extract.hearing_rows import (
    newest_end,
    tables_of,
    unheard,
)
from studio.journal.extract.round_end import next_end
from studio.wallets.answer import WalletOutcome, outcome_of
from studio.wallets.notice import Hearing, RoundNotice, RoundsHeard, write_hearing
from studio.wallets.obligation import DebtStanding, Obligations

NOWHERE: Final = Hearing(since=2**62)
"""Before it has begun nothing is owed."""


class RoundDesk:
    """Keeps how far one operator has heard of his rounds, and which round he is to be told of next.

    Thread-safe; one thread does the telling. `commit` makes a unit durable, or raises and changes nothing. At each
    table one round at a time is owed: the next one to have ended, and its waiting counts from its end.
    """

    def __init__(
        self, operator: str, commit: Callable[[Unit], object], now_ms: Callable[[], int], keep: Callable[[], bool]
    ) -> None:
        self.operator = operator
        self.name = f"rounds {operator}"
        self._commit = commit
        self._now_ms = now_ms
        self._keep = keep
        self._lock = threading.Lock()
        self._hearing = NOWHERE
        self._owed: dict[str, RoundNotice] = {}
        self._obligations = Obligations[RoundNotice]()
        self._followed: tuple[int, Hearing] = (-1, NOWHERE)

    @property
    def hearing(self) -> Hearing:
        return self._hearing

    def begin(self, hearing: Hearing) -> None:
        """He has heard so far."""
        self._hearing = hearing

    def follow(self, reader: Reader) -> int:
        """Look for the next round of each table where none is owed; gives how many there are."""
        mark = (newest_end(reader, self.operator), self._hearing)
        if mark == self._followed:
            return 0
        is_all = reader.head().seq >= mark[0]  # else another host may yet end a round with a lower row
        found = 0
        for table in tables_of(reader, self.operator):
            if table not in self._owed:
                found += self._look(reader, table)
        if is_all:
            self._followed = mark
        return found

    def due(self) -> Sequence[RoundNotice]:
        """What is to be told now, the longest owed first: of each table one."""
        with self._lock:
            return self._obligations.due(self._now_ms())

    def heard(self, told: Sequence[ToldDebt], chance: Callable[[], float]) -> None:
        """What was said: each yes is kept, the rest is tried again."""
        now_ms = self._now_ms()
        known = [(notice, one) for one in told if (notice := self._find(one.id)) is not None]
        yes = [notice for notice, one in known if outcome_of(notice, one.word) is WalletOutcome.ACCEPTED]
        if yes:
            upto = {notice.game: notice.seq for notice in yes}
            event = RoundsHeard(operator=self.operator, at_ms=now_ms, upto=upto)
            self._commit(Unit(entries=(Entry(type(event).__name__, now_ms, write_hearing(event)),)))
            self._hearing = self._hearing.heard(upto)
        with self._lock:
            for notice, one in known:
                if self._obligations.heard(notice.id, one.word, now_ms, chance()) is WalletOutcome.ACCEPTED:
                    del self._owed[notice.game]

    def keep(self) -> bool:
        """Write down how far everybody has heard, so that the next start need not look further back."""
        return self._keep()

    def standing(self) -> DebtStanding:
        """Since when the oldest round is owed; of each table that waits one is counted."""
        with self._lock:
            return self._obligations.standing(self._now_ms())

    def unheard(self, reader: Reader) -> int:
        """How many ends of rounds he has still to hear of."""
        return unheard(reader, self.operator, self._hearing)

    def _look(self, reader: Reader, table: str) -> bool:
        end = next_end(reader, self.operator, table, self._hearing.at(table))
        if end is None:
            return False
        notice = RoundNotice(game=table, round=end.round, generation=end.generation, seq=end.seq)
        with self._lock:
            self._owed[table] = notice
            return self._obligations.owe(notice, end.at_ms)

    def _find(self, id: str) -> RoundNotice | None:
        with self._lock:
            owed = self._obligations.find(id)
            return owed.call if owed is not None else None
