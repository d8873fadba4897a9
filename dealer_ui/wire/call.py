"""What one process may ask of another: each call with what it takes, what it gives, and whether it does anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from dealer_ui.desk.pot import PotMove
from dealer_ui.floor.bet_offer import BetOffer, Choice
from dealer_ui.wire.form import form_named, form_of
from studio.diagnosis import Unseen
from studio.money import Answer
from studio.operators import BettorTerms, FreeBetsGranted
from studio.people import Actor
from studio.ports import HostCommand
from studio.tables.bets.readiness import Readiness
from studio.tables.command import COMMANDS
from studio.tables.state.room import SeatRequest
from studio.views.own import OwnPlay, OwnSeat

_ACT_S: Final = 4.0
_LOOK_S: Final = 2.0

Answers = tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class HostCall:
    """`acts`: it changes something, so an answer that does not come is asked for until it is known what came of it."""

    name: str
    takes: tuple[Any, ...]
    gives: Any
    acts: bool = True

    @property
    def wait_s(self) -> float:
        return _ACT_S if self.acts else _LOOK_S

    @property
    def tells(self) -> str:
        """What both ends must agree upon, beside the fields of what travels."""
        return f"{self.name}({', '.join(form_of(kind).tells for kind in self.takes)}) -> {form_of(self.gives).tells}"

    def pack(self, given: tuple[Any, ...]) -> list[Any]:
        return [form_of(kind).write(one) for kind, one in zip(self.takes, given, strict=True)]

    def unpack(self, plain: Any) -> list[Any]:
        return [form_of(kind).read(one) for kind, one in zip(self.takes, plain, strict=True)]

    def pack_answer(self, answer: Any) -> Any:
        return form_of(self.gives).write(answer)

    def unpack_answer(self, plain: Any) -> Any:
        return form_of(self.gives).read(plain)


ANY_COMMAND: Final = form_named(*COMMANDS)
ROWS: Final = tuple[tuple[str, int, bytes], ...]
"""Kind, time and body of rows for the journal."""

COMMAND: Final = HostCall("command", (str, ANY_COMMAND), int)
"""table, command"""
ORDER: Final = HostCall("order", (str, HostCommand, Actor, str, str), int)
"""device, order, by, reason, id"""
PLACE_BETS: Final = HostCall("place_bets", (str, str, tuple[BetOffer, ...], str), Answers)
"""table, operator, offers, currency"""
TAKE_DECISIONS: Final = HostCall("take_decisions", (str, str, tuple[Choice, ...]), Answers)
TAKE_SEATS: Final = HostCall("take_seats", (str, tuple[SeatRequest, ...]), Answers)
SAY_READY: Final = HostCall("say_ready", (str, str, str, str), Readiness)
"""table, operator, bettor, round"""
LAUNCH: Final = HostCall("launch", (str, str, str, str, BettorTerms | None), None)
"""table, operator, bettor, session, terms"""
MOVE: Final = HostCall("move", (str, str, str, str, int, str), Answer)
"""deposit or withdraw, operator, bettor, client id, amount, currency"""
GRANT: Final = HostCall("grant", (FreeBetsGranted,), bool)
CANCEL_GRANT: Final = HostCall("cancel_grant", (str, str, str), None)
"""operator, bettor, grant"""
MOVE_POT: Final = HostCall("move_pot", (PotMove, Mapping[str, tuple[str, ...]], Actor, Actor | None), int)
"""what is asked, which pots are seen to be fed by whom, by, beside"""
KEEP: Final = HostCall("keep", (str, int, ROWS), int)
"""book, the row read last, rows"""
CLOSE_OWED: Final = HostCall("close_owed", (str, str, str, Actor, str), None)
"""operator, movement, case, who, why"""

KNOWS: Final = HostCall("knows", (str, str), bool, acts=False)
"""operator, bettor: whether he was ever launched"""
OWN_PLAYS: Final = HostCall("own_plays", (str, tuple[tuple[str, str], ...]), tuple[OwnPlay, ...], acts=False)
"""table, operators and bettors"""
OWN_SEAT: Final = HostCall("own_seat", (str, str, str), OwnSeat | None, acts=False)
"""table, operator, bettor"""
OWN_KEY: Final = HostCall("own_key", (str, str, str, str), bytes | None, acts=False)
"""operator, bettor, round, card: the key of a sealed card of a hand that is over, for the player whose card it is."""
PICTURE: Final = HostCall("picture", (str,), tuple[bytes, int, Unseen | None], acts=False)
"""The picture and when it came, or why there is none."""
RETURNS: Final = HostCall("returns", (str,), tuple[Mapping[str, float], Mapping[str, int]], acts=False)
"""What is proved of a table: the return of each bet in percent, and in how many deals its best prize comes once."""
SHOW_AGAIN: Final = HostCall("show_again", (), None, acts=False)
"""Have every table of the host shown once more."""
HEAR: Final = HostCall("hear", (str,), None, acts=False)
"""The book of which something has just been kept: the host has read it when it answers."""
FATE: Final = HostCall("fate", (str,), None, acts=False)
"""What became of the question of that id; one that never came is not answered any more, should it come yet."""

CALLS: Final[Mapping[str, HostCall]] = {
    call.name: call
    for call in (
        COMMAND, ORDER, PLACE_BETS, TAKE_DECISIONS, TAKE_SEATS, SAY_READY, LAUNCH, MOVE, GRANT, CANCEL_GRANT, MOVE_POT,
        KEEP, CLOSE_OWED, KNOWS, OWN_PLAYS, OWN_SEAT, OWN_KEY, PICTURE, RETURNS, SHOW_AGAIN, HEAR,
    )
}  # fmt: skip
