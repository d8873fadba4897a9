"""What a player asks of his table: bets and decisions, for himself alone, through the door that operators use.

Each carries an id that the page made, so that whatever is sent again is done once. The ids of one bettor are kept apart
from his operator's and from every other bettor's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, TypeVar

from flask import request
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from dealer_ui.desk.ticket import Ticket, Tickets
from dealer_ui.floor.bet_offer import STRICT, BetOffer, Choice, Minor
from dealer_ui.floor.bet_order import ask_bets, known_bet
from dealer_ui.floor.gate import STAKING
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.pages.play.check import is_asked
from dealer_ui.pages.play.look import purse_of
from dealer_ui.pages.play.playing import Playing
from dealer_ui.process.throttle import TooOftenError
from dealer_ui.words.language import Language
from studio.errors import RefusedError
from studio.games import find_game
from studio.journal.extract.played import rounds_played
from studio.journal.extract.wallet_rows import bought
from studio.money import AMOUNT_MINOR_MAX, Answer, Offer
from studio.tables.state.room import SeatRequest
from studio.wallets.due import ROOM

BETS_MAX: Final = 64
DECISION: Final = "d"
"""How the page begins the id of a decision: what it stakes is nothing to be laid again."""
_LOOK_BACK: Final = 20
_UNSURE: Final = {"no_answer_yet"}
"""Refusals of a question that say nothing of what was asked: it may be done yet."""
PageId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{8,32}$")]
Short = Annotated[str, StringConstraints(max_length=64)]


@dataclass(frozen=True, slots=True)
class Laid:
    """A bet as the page sends it."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: PageId
    bet: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    stake_minor: Annotated[Minor, Field(alias="stake")]
    free_bet: Short = ""
    """The grant of free bets that it is one of."""


@dataclass(frozen=True, slots=True)
class BetOrder:
    """`round`: the one the bettor saw; they are for no later one, however late they come."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    round: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    bets: Annotated[list[Laid], Field(min_length=1, max_length=BETS_MAX)]


@dataclass(frozen=True, slots=True)
class ChoiceOrder:
    """`mark` names the window he saw, as `studio.views.own` does: a choice that comes later is for no
    other.
    """

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: PageId
    option: Annotated[str, StringConstraints(min_length=1, max_length=32)]
    mark: Short
    box: Annotated[str, StringConstraints(max_length=16)] = ""
    to_minor: Annotated[int, Field(alias="to", ge=0, le=AMOUNT_MINOR_MAX)] = 0
    rows: Annotated[tuple[Annotated[str, StringConstraints(max_length=16)], ...], Field(max_length=17)] = ()


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """What he asks of a seat."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: PageId
    act: Annotated[str, StringConstraints(min_length=1, max_length=16)]
    seat: Annotated[str, StringConstraints(max_length=16)] = ""
    amount_minor: Annotated[int, Field(alias="amount", ge=0, le=AMOUNT_MINOR_MAX)] = 0


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    """`round`: the one the bettor saw."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    round: Short = ""


_READY: Final = TypeAdapter(NoMoreBets)
_SEAT: Final = TypeAdapter(SeatAsked)
_BETS: Final = TypeAdapter(BetOrder)
_CHOICE: Final = TypeAdapter(ChoiceOrder)
_ASKED: Final = Answer("", "", "refused", "check_due", "Say first whether you go on.")
_T = TypeVar("_T")


def bet(floor: OperatorsFloor, tickets: Tickets, ticket: Ticket, language: Language) -> Mapping[str, Any]:
    """Place what the page sent; one answer a bet, in their order. None is placed while he is asked whether he goes
    on.
    """
    order = _read(_BETS)
    floor.need_room(ticket.table, ticket.operator)
    purse = purse_of(floor, ticket)
    currency = purse.currency if purse else ""
    offers = [
        BetOffer(_own_id(ticket, one.client_id), ticket.bettor, one.bet, one.stake_minor, order.round, one.free_bet)
        for one in order.bets
    ]
    if is_asked(floor, tickets, ticket):
        answers = tuple(known_bet(floor, ticket.table, ticket.operator, one, currency) or _ASKED for one in offers)
    else:
        answers = ask_bets(floor, ticket.table, ticket.operator, offers, currency)
    return _told([one.client_id for one in order.bets], answers, language)


def choose(floor: OperatorsFloor, ticket: Ticket, language: Language) -> Mapping[str, Any]:
    """Take his decision, if the window he saw is the one that is open."""
    order = _read(_CHOICE)
    floor.need_room(ticket.table, ticket.operator)
    view = floor.view(ticket.table)
    choice = Choice(
        _own_id(ticket, order.client_id), ticket.bettor, order.option, order.box, order.to_minor, order.rows,
        view.round.id,
    )  # fmt: skip
    if not order.mark or Playing(floor, ticket).mark(view) != order.mark:
        sentence = "The moment of this decision is over; look at the table and decide what it asks now."
        return _told((order.client_id,), (Answer("", "", "refused", "moment_over", sentence),), language)
    answers = _answered(order.client_id, lambda: floor.take_decisions(ticket.table, ticket.operator, (choice,)))
    return _told((order.client_id,), answers, language)


def sit(floor: OperatorsFloor, tickets: Tickets, ticket: Ticket, language: Language) -> Mapping[str, Any]:
    """What he asks of a seat at a poker table. Nothing that puts more money in play while he is asked whether he goes
    on; what he has bought before is told as it was.
    """
    order = _read(_SEAT)
    id = _own_id(ticket, order.client_id)
    if order.act in STAKING and is_asked(floor, tickets, ticket):
        return _told((order.client_id,), (_bought(floor, ticket, id, order.amount_minor) or _ASKED,), language)
    asked = SeatRequest(order.act, ticket.operator, ticket.bettor, id, order.seat, order.amount_minor)
    answers = _answered(order.client_id, lambda: floor.take_seats(ticket.table, (asked,)))
    return _told((order.client_id,), answers, language)


def _bought(floor: OperatorsFloor, ticket: Ticket, id: str, amount_minor: int) -> Answer | None:
    """The answer to chips that he has bought by this very order already; None where he has bought none."""
    chips = Offer(
        f"{ticket.operator}/{id}", ticket.operator, id, ticket.bettor, ticket.table, f"{ROOM}{ticket.table}", "chips",
        amount_minor, floor.view(ticket.table).bets.currency,
    )  # fmt: skip
    return Answer(id, "", "duplicate") if bought(floor.reader(), chips) else None


def _answered(id: str, take: Callable[[], Sequence[Answer]]) -> Sequence[Answer]:
    """What the table says, a refusal of all of it too; `TooOftenError` when it did not look."""
    try:
        return take()
    except TooOftenError:
        raise
    except RefusedError as error:
        return (Answer(id, "", "refused", error.key, error.sentence),)


def ready(floor: OperatorsFloor, ticket: Ticket) -> Mapping[str, Any]:
    """He bets no more in the window he saw."""
    said = floor.say_ready(ticket.table, ticket.operator, ticket.bettor, _read(_READY).round)
    return {"ready": said.ready, "bettors": said.bettors}


def _own_id(ticket: Ticket, id: str) -> str:
    """The id under which the table knows what the page calls `id`."""
    whose = hashlib.sha256(f"{ticket.operator}/{ticket.bettor}".encode()).hexdigest()[:20]
    return f"p.{whose}.{id}"


def _read(adapter: TypeAdapter[_T]) -> _T:
    """The body of the request; refused where no page of ours can have sent it."""
    try:
        return adapter.validate_json(request.get_data(cache=False) if request.is_json else b"")
    except ValidationError:
        raise RefusedError("bad_order", "This page sent what cannot be read: load it again, then try again.") from None


def _told(ids: Sequence[str], answers: Sequence[Answer], language: Language) -> Mapping[str, Any]:
    """An answer a thing asked, in their order; `pending`: it is not known yet, and is to be asked again."""
    lines = []
    for id, one in zip(ids, answers, strict=True):
        status = "pending" if one.key in _UNSURE else one.status
        sentence = _why(one, language) if status == "refused" else None
        lines.append({"client_id": id, "status": status, "reason": one.key or None, "sentence": sentence})
    return {"answers": lines}


def _why(answer: Answer, language: Language) -> str:
    """In the bettor's language, and as it is said to him; the table's own sentence where nobody wrote it down."""
    key = f"play.refused.{answer.key.partition('.')[0]}"
    family = f"play.refused.{answer.key.partition('_')[0]}"
    return language.either(key, "") or language.either(family, "") or answer.sentence


def last(floor: OperatorsFloor, ticket: Ticket) -> Mapping[str, Any]:
    """What he staked himself in the round before this one that he bet on at this table, to be laid again."""
    view, reader = floor.view(ticket.table), floor.reader()
    game = find_game(view.game.key)
    rounds = rounds_played(reader, ticket.operator, ticket.bettor, _LOOK_BACK)
    found = next((one for one in rounds if one.table == ticket.table and one.round != view.round.id), None)
    stakes: dict[str, int] = {}
    for one in found.bets if found is not None else ():
        bet = one.bet
        laid = bet.bet not in game.betting.automatic and bet.bet not in game.decisions.raised and not bet.free
        if laid and bet.bet in game.betting.bets and not bet.client_id.startswith(_own_id(ticket, DECISION)):
            stakes[bet.bet] = stakes.get(bet.bet, 0) + bet.stake_minor
    return {"bets": [{"bet": bet, "stake": stake_minor} for bet, stake_minor in stakes.items()]}
