"""Where operators' requests come to a table: through their teller, where they have a wallet of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dealer_ui.desk.bettor import BettorDesk
from dealer_ui.desk.free_bet import FreeBetDesk
from dealer_ui.floor.gate import SAME_PERSON, Gate, OperatorsWord
from dealer_ui.floor.wallet_table import BetTable, DecisionTable, SeatTable, Served
from dealer_ui.teller.tellers import Tellers
from dealer_ui.worker.thread import TableWorker
from studio.errors import RefusedError, StorageError, not_written
from studio.money import Answer, Offer
from studio.operators import BettorTerms
from studio.tables.event.table import Decision
from studio.tables.state.room import SeatRequest


@dataclass(frozen=True, slots=True)
class Launch:
    """A bettor whom his operator brings. `session`: what the operator's own wallet knows him by."""

    operator: str
    bettor: str
    session: str = field(default="", repr=False)
    terms: BettorTerms | None = None
    """None: those he has."""


class Counter:
    """Any thread."""

    def __init__(
        self,
        tellers: Tellers,
        bettors: BettorDesk,
        free_bets: FreeBetDesk,
        now_ms: Callable[[], int],
        is_test: Callable[[str], bool] = lambda operator: False,
    ) -> None:
        self.tellers = tellers
        self._bettors = bettors
        self._word = OperatorsWord(bettors.of, free_bets.refusal, is_test)
        self._now_ms = now_ms

    def place_bets(self, worker: Served, operator: str, offers: Sequence[Offer]) -> tuple[Answer, ...]:
        betting = BetTable(worker, operator, self._now_ms, self._word)
        teller = self.tellers.of(operator)
        return betting.place(offers) if teller is None else teller.take(offers, betting)

    def take_decisions(
        self, worker: Served, operator: str, choices: Sequence[Decision], rounds: Mapping[str, str] | None = None
    ) -> tuple[Answer, ...]:
        """`rounds`: by client id, the round that a decision is for."""
        deciding = DecisionTable(worker, operator, self._now_ms, self._word, rounds or {})
        if (teller := self.tellers.of(operator)) is None:
            return deciding.place(choices)
        return tuple(answer for some in deciding.portions(choices) for answer in teller.take(some, deciding))

    def take_seats(self, worker: Served, operator: str, requests: Sequence[SeatRequest]) -> tuple[Answer, ...]:
        seating = SeatTable(worker, operator, self._now_ms, self._word)
        if (teller := self.tellers.of(operator)) is None:
            return seating.place(requests)
        return tuple(teller.take((one,), seating)[0] for one in requests)

    def launch(self, workers: Mapping[str, TableWorker], table: str, one: Launch) -> None:
        """Refused where he is blocked, has no session, or is the same person as somebody he sits at a table with."""
        operator, bettor = one.operator, one.bettor
        self._bettors.need_open(operator, bettor)
        if one.terms is not None and one.terms.person:
            for worker in workers.values():
                self._need_one_person(worker, one, one.terms.person)
        self._open_session(workers[table], operator, bettor, one.session)
        self._bettors.launch(operator, bettor, one.terms)

    def knows(self, operator: str, bettor: str) -> bool:
        """Whether his operator has ever launched him, with a session or terms."""
        return bool(self.tellers.sessions.of(operator, bettor)) or self._bettors.knows(operator, bettor)

    def _need_one_person(self, worker: TableWorker, one: Launch, person: str) -> None:
        room = worker.runtime.state.room
        gate = Gate(worker.runtime, self._word, self._now_ms())
        if room.seat_of(one.operator, one.bettor) and gate.sits(person, beside=(one.operator, one.bettor)):
            raise RefusedError(*SAME_PERSON)

    def _open_session(self, worker: TableWorker, operator: str, bettor: str, session: str) -> None:
        """Keep the session by which the operator's own wallet knows the bettor, and ask that wallet for his balance.

        `RefusedError` when the operator has a wallet and sent no session.
        """
        if (teller := self.tellers.of(operator)) is None:
            return
        if not session:
            sentence = "Your wallet knows bettors by their session: send it along, in the field session."
            raise RefusedError("session_missing", sentence)
        try:
            self.tellers.sessions.open(operator, bettor, session, self._now_ms())
        except (OSError, StorageError) as error:
            raise not_written(error) from error
        teller.ask_balance(bettor, worker.runtime.state.config.currency, worker.runtime.key)

    def need_purses(self, operator: str) -> None:
        """Money is moved by hand only where the bettors' purses lie in the studio."""
        if self.tellers.of(operator) is not None:
            sentence = "Your bettors' money is in your own wallet, which is asked for each stake: nothing is moved."
            raise RefusedError("own_wallet", sentence)
