"""The far side of the operators' interface: a plain HTTP client, as an operator has one.

One connection is kept alive and made anew when it broke. Everything sent carries ids of its own, so a request whose
answer was lost may be sent again.
"""

from __future__ import annotations

import http.client
import threading
from typing import Any, Final, TypeVar

import msgspec

from dealer_ui.api.door import PREFIX
from studio.errors import StudioError

_T = TypeVar("_T")


class InterfaceError(StudioError):
    """The interface gave no answer that can be used: it is down, restarting, or said no to the request itself.

    `status` is that of the answer, 0 where there was none.
    """

    def __init__(self, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


class Window(msgspec.Struct, frozen=True):
    open: bool
    closes_at_ms: int | None


class RoundNow(msgspec.Struct, frozen=True):
    id: str


class BetNow(msgspec.Struct, frozen=True):
    bet: str
    least: int
    most: int
    needs: str | None = None
    placed_by: str = "bettor"


class DecisionNow(msgspec.Struct, frozen=True):
    options: tuple[str, ...]
    closes_at_ms: int
    box: str | None = None


class CardNow(msgspec.Struct, frozen=True):
    card: str | None = None


class BoxNow(msgspec.Struct, frozen=True):
    key: str
    cards: tuple[CardNow, ...]


class SeatTold(msgspec.Struct, frozen=True):
    """A seat of a poker table, as everybody sees it."""

    seat: str
    taken: bool
    stack: int
    marks: tuple[str, ...]


class PotTold(msgspec.Struct, frozen=True):
    seats: tuple[str, ...]


class RoomNow(msgspec.Struct, frozen=True):
    seats: tuple[SeatTold, ...]
    stakes: dict[str, int]
    pots: tuple[PotTold, ...]
    in_play: int


class ReadyNow(msgspec.Struct, frozen=True):
    """How many of the bettors in this round have said that they are ready, that is, place no more bets."""

    ready: int
    bettors: int


class TableNow(msgspec.Struct, frozen=True):
    """Of a table's state, what a bettor acts upon."""

    now_ms: int
    window: Window
    bets: tuple[BetNow, ...]
    round: RoundNow | None = None
    decision: DecisionNow | None = None
    ready: ReadyNow | None = None
    game: str = ""
    status: str = ""
    boxes: tuple[BoxNow, ...] = ()
    room: RoomNow | None = None


class TurnNow(msgspec.Struct, frozen=True):
    """`cards`, `give_up` and `room` where a street is to be set."""

    options: tuple[str, ...]
    owed: int
    to: tuple[int, int] | None
    cards: int = 0
    give_up: int = 0
    room: dict[str, int] = {}


class SeatNow(msgspec.Struct, frozen=True):
    """What a bettor's own seat may know."""

    seat: str
    stack: int
    dealt_in: bool
    away: bool
    leaving: bool
    cards: tuple[str, ...]
    turn: TurnNow | None
    hidden: int = 0


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is asked of a seat."""

    client_id: str
    bettor: str
    act: str
    seat: str = ""
    amount: int = 0


class Bet(msgspec.Struct, frozen=True):
    client_id: str
    bettor: str
    bet: str
    stake: int


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    client_id: str
    bettor: str
    option: str
    box: str = ""
    to: int = 0
    rows: tuple[str, ...] = ()


class BetAnswer(msgspec.Struct, frozen=True):
    client_id: str
    status: str
    reason: str | None = None


class Answers(msgspec.Struct, frozen=True):
    answers: tuple[BetAnswer, ...]


class Purse(msgspec.Struct, frozen=True):
    balance: int


class Launched(msgspec.Struct, frozen=True):
    page: str


_DECODERS: Final[dict[type, msgspec.json.Decoder[Any]]] = {}
_ONE_AT_A_TIME: Final = threading.Lock()
"""msgspec must not work out one and the same type in two threads at a time."""


def _decoder(kind: type) -> msgspec.json.Decoder[Any]:
    with _ONE_AT_A_TIME:
        if kind not in _DECODERS:
            _DECODERS[kind] = msgspec.json.Decoder(kind)
        return _DECODERS[kind]


class Interface:
    """Not thread-safe: each crowd has its own."""

    def __init__(self, host: str, port: int, api_key: str, *, timeout_s: float = 5.0) -> None:
        self._connection = http.client.HTTPConnection(host, port, timeout=timeout_s)
        self._headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"}

    def table(self, table: str) -> TableNow:
        return self._ask("GET", f"/tables/{table}", TableNow)

    def place(self, table: str, bets: list[Bet]) -> tuple[BetAnswer, ...]:
        return self._ask("POST", f"/tables/{table}/bets", Answers, {"bets": bets}).answers

    def decide(self, table: str, choices: list[Choice]) -> tuple[BetAnswer, ...]:
        return self._ask("POST", f"/tables/{table}/decisions", Answers, {"decisions": choices}).answers

    def say_ready(self, table: str, bettor: str) -> ReadyNow:
        return self._ask("POST", f"/tables/{table}/ready", ReadyNow, {"bettor": bettor})

    def seat(self, table: str, bettor: str) -> SeatNow:
        return self._ask("GET", f"/tables/{table}/seats/{bettor}", SeatNow)

    def ask_seat(self, table: str, act: Act) -> BetAnswer:
        return self._ask("POST", f"/tables/{table}/seats", BetAnswer, msgspec.to_builtins(act))

    def deposit(self, bettor: str, client_id: str, amount_minor: int) -> int:
        """The balance afterwards, in minor units."""
        body = {"client_id": client_id, "amount": amount_minor}
        return self._ask("POST", f"/bettors/{bettor}/deposits", Purse, body).balance

    def launch(self, table: str, bettor: str, session: str) -> str:
        """The path of a page of his; `session`: by which his operator's wallet knows him."""
        return self._ask("POST", f"/bettors/{bettor}/pages", Launched, {"table": table, "session": session}).page

    def close(self) -> None:
        self._connection.close()

    def _ask(self, method: str, path: str, kind: type[_T], body: dict[str, Any] | None = None) -> _T:
        payload = None if body is None else msgspec.json.encode(body)
        fresh = self._connection.sock is None
        try:
            status, said = self._exchange(method, path, payload)
        except (OSError, http.client.HTTPException) as error:
            if fresh:
                raise InterfaceError(f"The interface does not answer at {path}: {error!r}.") from error
            return self._ask(method, path, kind, body)
        if status != 200:
            told = said[:200].decode(errors="replace")
            raise InterfaceError(f"The interface answered {status} at {path}: {told}", status)
        try:
            read: _T = _decoder(kind).decode(said)
        except msgspec.MsgspecError as error:
            raise InterfaceError(f"The interface's answer at {path} cannot be read: {error}.") from error
        return read

    def _exchange(self, method: str, path: str, payload: bytes | None) -> tuple[int, bytes]:
        """One request and its whole answer; the connection is dropped when anything goes wrong."""
        try:
            self._connection.request(method, PREFIX + path, payload, self._headers)
            response = self._connection.getresponse()
            return response.status, response.read()
        except BaseException:
            self._connection.close()
            raise
