"""Free bets on a process that keeps no accounts: looked up in the record, granted and taken back by the desk's host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from dealer_ui.desk.free_bet import FreeBetDesk
from dealer_ui.wire import call as calls
from studio.journal import Reader
from studio.operators import FreeBetsGranted


class FarFreeBets(FreeBetDesk):
    """Everything that is only looked at is the desk's own; `ask` asks the host of the desk."""

    def __init__(self, own: FreeBetDesk, ask: Callable[..., Any]) -> None:
        self.__dict__ = own.__dict__  # one book, whichever of the two is looked at
        self._ask = ask

    def grant(self, reader: Reader, wanted: FreeBetsGranted) -> bool:
        is_new = cast(bool, self._ask(calls.GRANT, wanted))
        self.catch_up()
        return is_new

    def cancel(self, operator: str, bettor: str, grant: str) -> None:
        self._ask(calls.CANCEL_GRANT, operator, bettor, grant)
        self.catch_up()
