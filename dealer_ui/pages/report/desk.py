"""Makes reports for people: one at a time, beside tables that go on, the newest kept.

A report made of the same rows with the same choice is the same report, so that its page, its print and its files agree.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final

from dealer_ui.floor.house import House
from studio.errors import RefusedError
from studio.journal import Reader
from studio.proof.certificate.folder import SHIPPED, Certificates
from studio.reports import GamingDay, Period, Report, ReportAsked, ReportChoice, ReportKind
from studio.reports.theory import Proved

KEPT: Final = 12
WAIT_S: Final = 20.0
"""So long somebody waits for the report before his; then he is asked to come again."""

_Key = tuple[str, int, int, int, int, ReportChoice]


class ReportDesk:
    """Makes reports. Callable from any thread."""

    def __init__(self, house: House, day: GamingDay, *, wait_s: float = WAIT_S) -> None:
        self.day = day
        self._house = house
        own_folder = house.config.studio.certificates
        self._theory = Proved(Certificates.of(SHIPPED, *([Path(own_folder)] if own_folder else [])))
        self._regard = house.config.regulator.regard
        self._wait_s = wait_s
        self._turn = threading.Lock()
        self._kept: OrderedDict[_Key, Report] = OrderedDict()

    def make(self, kind: ReportKind, reader: Reader, period: Period, choice: ReportChoice) -> Report:
        """`RefusedError` where another one takes too long."""
        key = (kind.key, period.after_seq, period.upto_seq, period.begin_ms, period.end_ms, choice)
        if not self._turn.acquire(timeout=self._wait_s):
            raise RefusedError("report_busy", "Another report is being made. Ask again in a moment.")
        try:
            if key not in self._kept:
                names = {id: person.name for id, person in self._house.staff.register.people.items()}
                asked = ReportAsked(reader, period, choice, names, self._theory, self.day, self._regard)
                self._kept[key] = kind.make(asked)
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]
        finally:
            self._turn.release()
