"""The desk of free bets: what operators grant their bettors, each grant once, and what they take back.

Whatever is said is in the journal before it counts, together with the money it moves, and counts before it is answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from dealer_ui.config.operator import GRANT, CreditLimits
from dealer_ui.desk.book import DeskLock, kept_anew
from studio.errors import RefusedError, StorageError, not_written
from studio.journal import Balances, Ceiling, Entry, More, Reader, Row, Unit
from studio.journal.extract.free_bet import granted_left, grants_left
from studio.money import Offer, Transfer
from studio.operators import (
    FreeBetBook,
    FreeBetsCancelled,
    FreeBetsGranted,
    Seat,
    read_free_bets,
    write_free_bets,
)
from studio.operators.free_bet_event import AnyFreeBetEvent

GRANTS_MAX: Final = 100
"""So many grants of one bettor may be open at once."""


@dataclass(frozen=True, slots=True)
class FreeBetStanding:
    """A grant, how many of its free bets are left, and how it stands: open, used, expired or cancelled."""

    granted: FreeBetsGranted
    left: int
    status: str


class FreeBetDesk:
    """Thread-safe; whoever looks waits for nobody who writes. A `reader` is the calling thread's own."""

    def __init__(
        self, commit: Callable[[Unit], object], now_ms: Callable[[], int], credit_of: Callable[[str], CreditLimits]
    ) -> None:
        self._book = FreeBetBook()
        self._commit = commit
        self._now_ms = now_ms
        self._credit_of = credit_of
        self._lock = DeskLock()
        self.others: Callable[[], Iterable[Row]] = tuple

    def restore(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._book.take(read_free_bets(row.body))

    def catch_up(self) -> None:
        """Take what other processes have kept of free bets."""
        with self._lock:
            self.restore(self.others())

    def refusal(self, offer: Offer, seat: Seat, now_ms: int) -> tuple[str, str] | None:
        """Why this bet is none of the free bets it names; whether one is left is the writer's to say."""
        return self._book.refusal(offer, seat, now_ms)

    def of(self, reader: Reader, operator: str, bettor: str) -> list[FreeBetStanding]:
        """All that were granted to a bettor, the newest first."""
        return [self._standing(reader, granted) for granted in self._book.of(operator, bettor)]

    def find(self, reader: Reader, operator: str, bettor: str, grant: str) -> FreeBetStanding | None:
        granted = self._book.find(operator, grant)
        return self._standing(reader, granted) if granted is not None and granted.bettor == bettor else None

    def is_usable(self, operator: str, grant: str) -> bool:
        """Whether these free bets may be bet now, if any is left."""
        granted = self._book.find(operator, grant)
        return granted is not None and self._book.is_usable(granted, self._now_ms())

    def grant(self, reader: Reader, wanted: FreeBetsGranted) -> bool:
        """Grant these free bets, once; whether that is new. Refused where the id names others, or by a limit."""
        return kept_anew(self.catch_up, lambda: self._granted(reader, wanted))

    def _granted(self, reader: Reader, wanted: FreeBetsGranted) -> bool:
        with self._lock:
            known = self._book.find(wanted.operator, wanted.grant)
            if known is not None:
                if replace(known, at_ms=0) == replace(wanted, at_ms=0):
                    return False
                sentence = f"The id {wanted.grant} already names other free bets; give each grant an id of its own."
                raise RefusedError("client_id_reused", sentence)
            now_ms = self._now_ms()
            if wanted.has_expired(now_ms):
                raise RefusedError("free_bet_expired", "These free bets would have expired already: let them last.")
            self._need_room(reader, wanted)
            granted = replace(wanted, at_ms=now_ms)
            self._keep(granted, transfers=(granted.funded(),), ceiling=self._ceiling(reader, granted))
        return True

    def cancel(self, operator: str, bettor: str, grant: str) -> None:
        """Take back what is left of a grant; taken back before, it is the same act. `RefusedError` where none is left,
        or there is no such grant.
        """
        kept_anew(self.catch_up, lambda: self._cancelled(operator, bettor, grant))

    def _cancelled(self, operator: str, bettor: str, grant: str) -> None:
        with self._lock:
            granted = self._book.find(operator, grant)
            if granted is None or granted.bettor != bettor:
                raise RefusedError("unknown_free_bet", f"{bettor} has no free bets called {grant}: look at his list.")
            if self._book.is_cancelled(granted):
                return

            def taken(balance: Balances) -> More:
                left_minor = balance(granted.account, granted.currency) or 0
                if left_minor < granted.stake_minor:
                    sentence = f"Of the free bets {grant} none is left: there is nothing to take back."
                    raise RefusedError("free_bet_used", sentence)
                return (), (granted.taken_back(left_minor),)

            event = FreeBetsCancelled(at_ms=self._now_ms(), operator=operator, bettor=bettor, grant=grant)
            self._keep(event, with_balances=taken)

    def _standing(self, reader: Reader, granted: FreeBetsGranted) -> FreeBetStanding:
        left = max(reader.balance(granted.account, granted.currency), 0) // granted.stake_minor
        if self._book.is_cancelled(granted):
            return FreeBetStanding(granted, 0, "cancelled")
        status = "used" if not left else "expired" if granted.has_expired(self._now_ms()) else "open"
        return FreeBetStanding(granted, left, status)

    def _need_room(self, reader: Reader, wanted: FreeBetsGranted) -> None:
        standing = self.of(reader, wanted.operator, wanted.bettor)
        if sum(one.status == "open" for one in standing) >= GRANTS_MAX:
            sentence = f"The bettor has {GRANTS_MAX} open grants: wait until he has used one, or take one back."
            raise RefusedError("too_many_free_bets", sentence)

    def _ceiling(self, reader: Reader, granted: FreeBetsGranted) -> Ceiling:
        """All free bets that are left count as what lies in the purses does; those that expired count no more."""
        limits, operator = self._credit_of(granted.operator), granted.operator

        def hold(purses: Mapping[str, int], left: Mapping[str, int]) -> None:
            held = Counter(purses) + Counter(left)
            limits.need(held, amount_minor=granted.amount_minor, currency=granted.currency, words=GRANT)

        left = granted_left(reader, operator)
        try:
            hold(reader.purses_of(operator), left)
        except RefusedError:  # only now is it worth looking at each grant
            left = self._usable_left(reader, operator)
        return Ceiling(operator, lambda purses: hold(purses, left))

    def _usable_left(self, reader: Reader, operator: str) -> Mapping[str, int]:
        """What is left of the grants that may still be bet, by currency."""
        left, now_ms = Counter[str](), self._now_ms()
        for grant, currency, left_minor in grants_left(reader, operator):
            granted = self._book.find(operator, grant)
            if granted is not None and self._book.is_usable(granted, now_ms):
                left[currency] += left_minor
        return left

    def _keep(
        self, event: AnyFreeBetEvent, *, transfers: tuple[Transfer, ...] = (),
        with_balances: Callable[[Balances], More] | None = None, ceiling: Ceiling | None = None,
    ) -> None:  # fmt: skip
        entry = Entry(type(event).__name__, event.at_ms, write_free_bets(event))
        try:
            self._commit(Unit((entry,), transfers, with_balances=with_balances, ceiling=ceiling))
        except (StorageError, TimeoutError) as error:
            raise not_written(error) from error
        self._book.take(event)
