"""What the interface asks of the house; the real floor and a test's fake fulfil it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from werkzeug.wrappers import Response

from dealer_ui.config.shape import StudioConfig
from dealer_ui.desk.bettor import BettorDesk
from dealer_ui.desk.free_bet import FreeBetDesk
from dealer_ui.desk.operator_key import OperatorKeys
from dealer_ui.desk.pit import PitDesk
from dealer_ui.floor.bet_offer import BetOffer, Choice
from dealer_ui.live.telling import Telling
from dealer_ui.teller.look import Wallets
from studio.journal import Reader
from studio.money import Answer
from studio.operators import BettorTerms
from studio.tables.bets.readiness import Readiness
from studio.tables.state.room import SeatRequest
from studio.views.own import OwnPlay, OwnSeat
from studio.views.playing import Playing
from studio.views.shape import TableView


class StreamGate(Protocol):
    """Seats the operators' streams; `dealer_ui.live.lane.StreamLane` is one. None where the holder has no more."""

    def open(self, telling: Telling, holder: str) -> Response | None: ...


class OperatorsFloor(Protocol):
    """Thread-safe. What moves money is durable when it returns; `reader` is the calling thread's own."""

    @property
    def tables(self) -> tuple[str, ...]: ...

    @property
    def operators(self) -> OperatorKeys: ...

    @property
    def config(self) -> StudioConfig: ...

    @property
    def pit(self) -> PitDesk: ...

    @property
    def tellers(self) -> Wallets: ...

    def view(self, table: str) -> TableView: ...

    def playing(self, table: str) -> Playing: ...

    def need_room(self, table: str, operator: str) -> None:
        """`TooOftenError` while too much of this operator waits at the table; asked before a batch is read."""
        ...

    @property
    def bettors(self) -> BettorDesk: ...

    @property
    def free_bets(self) -> FreeBetDesk: ...

    def knows_bettor(self, operator: str, bettor: str) -> bool:
        """Whether he was ever launched here, with a session or terms."""
        ...

    def launch(self, table: str, operator: str, bettor: str, session: str, terms: BettorTerms | None) -> None:
        """Bring the bettor to that table under `terms`, or, with None, under those he has.

        `session` is the name by which the operator's own wallet knows him; refused when that wallet needs one and none
        is given.
        """
        ...

    def place_bets(
        self, table: str, operator: str, offers: Sequence[BetOffer], currency: str = ""
    ) -> tuple[Answer, ...]: ...

    def say_ready(self, table: str, operator: str, bettor: str, round: str = "") -> Readiness:
        """Refused where a round is named that is not the one whose bets are taken."""
        ...

    def take_decisions(self, table: str, operator: str, choices: Sequence[Choice]) -> tuple[Answer, ...]: ...

    def take_seats(self, table: str, requests: Sequence[SeatRequest]) -> tuple[Answer, ...]: ...

    def own_seat(self, table: str, operator: str, bettor: str) -> OwnSeat | None: ...

    def own_play(self, table: str, operator: str, bettor: str) -> OwnPlay: ...

    def deposit(self, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = "") -> Answer: ...

    def withdraw(self, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = "") -> Answer: ...

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int: ...

    def now_ms(self) -> int: ...

    def reader(self) -> Reader: ...

    def own_key(self, operator: str, bettor: str, round: str, id: str) -> bytes | None:
        """The key of a sealed card that this player's seat was dealt in that hand, which is over."""
        ...
