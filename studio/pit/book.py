"""What the pit knows, folded from its events; strict enough to prove the record by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from studio.errors import BadInputError
from studio.pit import pit_event as e
from studio.pit.alarm import Alarm
from studio.pit.complaint import Complaint
from studio.pit.message import Message
from studio.pit.move import Moves, evolve_moves

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class FloorFreeze:
    """A freeze of the whole floor that nobody has released as one act."""

    id: str
    tables: tuple[str, ...]
    by: str
    by_name: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class PitBook:
    """Open alarms and standing messages by id, every complaint by id in the order they came."""

    alarms: Mapping[str, Alarm] = field(default_factory=dict)
    messages: Mapping[str, Message] = field(default_factory=dict)
    complaints: Mapping[str, Complaint] = field(default_factory=dict)
    freeze: FloorFreeze | None = None
    moves: Moves = field(default_factory=Moves)
    pot_moves: Mapping[str, int] = field(default_factory=dict)
    """How often each pot was moved into another."""
    raised: int = 0
    shown: int = 0
    freezes: int = 0


def evolve_pit(book: PitBook, event: e.AnyPitEvent) -> PitBook:
    """The book after the event; `BadInputError` when it cannot have happened."""
    match event:
        case e.AlarmRaised() | e.AlarmGrew() | e.AlarmAcknowledged() | e.AlarmEscalated() | e.AlarmEnded():
            return _alarm(book, event)
        case e.FloorFrozen(id=id, tables=tables, by=by, by_name=by_name, at_ms=at_ms):
            return replace(book, freeze=FloorFreeze(id, tables, by, by_name, at_ms), freezes=book.freezes + 1)
        case e.FloorReleased(id=id):
            if book.freeze is None or book.freeze.id != id:
                raise BadInputError(f"The freeze {id} was released and did not stand.")
            return replace(book, freeze=None)
        case e.MessageShown(id=id):
            _need_new(book.messages, id)
            shown = Message(
                id, event.table, event.text, event.words, event.until, event.round, event.by, event.by_name, event.at_ms
            )
            return replace(book, messages={**book.messages, id: shown}, shown=book.shown + 1)
        case e.MessageEnded(id=id):
            _need(book.messages, id)
            return replace(book, messages=_without(book.messages, id))
        case e.ComplaintMade() | e.ComplaintAnswered():
            return _complaint(book, event)
        case e.HostDrained() | e.HostReturned() | e.TableSent() | e.TableKept() | e.TableArrived():
            return replace(book, moves=evolve_moves(book.moves, event))
        case e.PotMoved(pot=pot):
            return replace(book, pot_moves={**book.pot_moves, pot: book.pot_moves.get(pot, 0) + 1})


def _alarm(
    book: PitBook, event: e.AlarmRaised | e.AlarmGrew | e.AlarmAcknowledged | e.AlarmEscalated | e.AlarmEnded
) -> PitBook:
    id, now_ms = event.id, event.at_ms
    if isinstance(event, e.AlarmRaised):
        _need_new(book.alarms, id)
        raised = Alarm(
            id, event.cause, event.word, event.tables, event.about, now_ms, now_ms, *_seen(event, now_ms)
        )  # fmt: skip
        return replace(book, alarms={**book.alarms, id: raised}, raised=book.raised + 1)
    alarm = _need(book.alarms, id)
    match event:
        case e.AlarmGrew(tables=tables):
            grown = Alarm(
                id, alarm.cause, alarm.word, tables, alarm.about, alarm.raised_ms, now_ms, *_seen(event, now_ms)
            )  # fmt: skip
            return replace(book, alarms={**book.alarms, id: grown})
        case e.AlarmAcknowledged(by=by, by_name=by_name):
            if not alarm.waits:
                raise BadInputError(f"The alarm {id} was acknowledged twice.")
            seen = replace(alarm, seen_by=by, seen_by_name=by_name, seen_ms=now_ms)
            return replace(book, alarms={**book.alarms, id: seen})
        case e.AlarmEscalated(told=told):
            return replace(book, alarms={**book.alarms, id: replace(alarm, escalated_ms=now_ms, told=told)})
        case e.AlarmEnded():
            return replace(book, alarms=_without(book.alarms, id))


def _seen(event: e.AlarmRaised | e.AlarmGrew, at_ms: int) -> tuple[str, str, int]:
    """Who sees to the alarm from the start, and since when."""
    return event.seen_by, event.seen_by_name, at_ms if event.seen_by else 0


def _complaint(book: PitBook, event: e.ComplaintMade | e.ComplaintAnswered) -> PitBook:
    id = event.id
    if isinstance(event, e.ComplaintMade):
        _need_new(book.complaints, id)
        made = Complaint(
            id, event.operator, event.client_id, event.bettor, event.table, event.round, event.words, event.at_ms
        )
        return replace(book, complaints={**book.complaints, id: made})
    complaint = _need(book.complaints, id)
    if not complaint.open:
        raise BadInputError(f"The complaint {id} was answered twice.")
    answered = replace(
        complaint, outcome=event.outcome, answer=event.words, by=event.by, by_name=event.by_name,
        correction=event.correction, answered_ms=event.at_ms,
    )  # fmt: skip
    return replace(book, complaints={**book.complaints, id: answered})


def _need(known: Mapping[str, _T], id: str) -> _T:
    if id not in known:
        raise BadInputError(f"{id} is not known, or is over already.")
    return known[id]


def _need_new(known: Mapping[str, object], id: str) -> None:
    if id in known:
        raise BadInputError(f"{id} is there already.")


def _without(known: Mapping[str, _T], id: str) -> Mapping[str, _T]:
    return {name: one for name, one in known.items() if name != id}
