"""Where operators' requests come to a table: through their teller, where they have a wallet of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dealer_ui.floor.wallet_table import BetTable, DecisionTable, SeatTable, Served
from dealer_ui.teller.tellers import Tellers
from dealer_ui.worker.thread import TableWorker
from studio.errors import RefusedError
from studio.money import Answer, Offer
from studio.tables.event.table import Decision
from studio.tables.state.room import SeatRequest


class Counter:
    """Any thread."""

    def __init__(self, tellers: Tellers, now_ms: Callable[[], int]) -> None:
        self.tellers = tellers
        self._now_ms = now_ms

    def place_bets(self, worker: Served, operator: str, offers: Sequence[Offer]) -> tuple[Answer, ...]:
        if (teller := self.tellers.of(operator)) is not None:
            return teller.take(offers, BetTable(worker, operator, self._now_ms))
        return worker.serve(operator, offers, lambda some: worker.runtime.place_bets(some, self._now_ms()))

    def take_decisions(self, worker: Served, operator: str, choices: Sequence[Decision]) -> tuple[Answer, ...]:
        if (teller := self.tellers.of(operator)) is not None:
            deciding = DecisionTable(worker, operator, self._now_ms)
            return tuple(answer for some in deciding.portions(choices) for answer in teller.take(some, deciding))
        return worker.serve(operator, choices, lambda some: worker.runtime.take_decisions(some, self._now_ms()))

    def take_seats(self, worker: Served, operator: str, requests: Sequence[SeatRequest]) -> tuple[Answer, ...]:
        if (teller := self.tellers.of(operator)) is not None:
            seating = SeatTable(worker, operator, self._now_ms)
            return tuple(teller.take((one,), seating)[0] for one in requests)
        return worker.serve(operator, requests, lambda some: worker.runtime.take_seats(some, self._now_ms()))

    def open_session(self, worker: TableWorker, operator: str, bettor: str, session: str) -> None:
        """By this session the operator's own wallet knows the bettor; refused where it needs one and has none."""
        if (teller := self.tellers.of(operator)) is None:
            return
        if not session:
            sentence = "Your wallet knows bettors by their session: send it along, in the field session."
            raise RefusedError("session_missing", sentence)
        try:
            self.tellers.sessions.open(operator, bettor, session, self._now_ms())
        except OSError as error:
            sentence = "The studio cannot write to its disk now; try again in a moment."
            raise RefusedError("disk", sentence) from error
        teller.ask_balance(bettor, worker.runtime.state.config.currency, worker.runtime.key)

    def need_purses(self, operator: str) -> None:
        """Money is moved by hand only where the bettors' purses lie in the studio."""
        if self.tellers.of(operator) is not None:
            sentence = "Your bettors' money is in your own wallet, which is asked for each stake: nothing is moved."
            raise RefusedError("own_wallet", sentence)
