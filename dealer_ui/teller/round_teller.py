"""Who tells operators of their rounds: one for each whom the configuration has an address of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from dealer_ui.teller.caller import Caller, Pulse
from dealer_ui.teller.outbox import Outbox
from dealer_ui.teller.round_desk import RoundDesk
from studio.journal import Entry, Reader, Unit
from studio.journal.extract.hearing_rows import hearings
from studio.wallets.notice import Hearing, HearingsKept, RoundNotice, write_hearing

KEPT_APART_MS: Final = 60_000
"""Each operator's outbox asks for the sum by itself, and it is of all of them."""


class RoundTeller:
    """One operator's. `reader` is the calling thread's own."""

    def __init__(
        self, caller: Caller[RoundNotice], desk: RoundDesk, now_ms: Callable[[], int], reader: Callable[[], Reader],
        wait_s: float,
    ) -> None:  # fmt: skip
        self.operator = desk.operator
        self.desk = desk
        self._caller = caller
        self.outbox: Outbox[RoundNotice] = Outbox(caller, desk, now_ms, reader, wait_s=wait_s)

    @property
    def pulse(self) -> Pulse:
        return self._caller.pulse()


class RoundTellers:
    """Made with the studio, `begin` once its writer runs. `commit` makes a unit durable or raises."""

    def __init__(self, commit: Callable[[Unit], object], now_ms: Callable[[], int]) -> None:
        self.commit = commit
        self._now_ms = now_ms
        self._of: dict[str, RoundTeller] = {}
        self._kept_ms = 0

    def add(self, teller: RoundTeller) -> None:
        self._of[teller.operator] = teller

    def of(self, operator: str) -> RoundTeller | None:
        return self._of.get(operator)

    def __iter__(self) -> Iterator[RoundTeller]:
        return iter(self._of.values())

    def begin(self, reader: Reader) -> None:
        """Go on where the journal ends. Who is told from now on hears of what ends from now on; who has no address any
        more is told no more."""
        known = hearings(reader)
        for teller in self:
            teller.desk.begin(known.get(teller.operator) or Hearing(since=reader.head().seq))
        if known or self._of:
            self._write(self._now_ms())

    def keep(self) -> bool:
        """Write down how far each has heard."""
        now_ms = self._now_ms()
        if now_ms - self._kept_ms >= KEPT_APART_MS:
            self._write(now_ms)
        return True

    def _write(self, now_ms: int) -> None:
        kept = HearingsKept(at_ms=now_ms, hearings={one.operator: one.desk.hearing for one in self})
        self.commit(Unit(entries=(Entry(type(kept).__name__, now_ms, write_hearing(kept)),)))
        self._kept_ms = now_ms
