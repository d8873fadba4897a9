"""`decide(state, message, at_ms)` is a table making up its mind: it gives events, or refuses.

Observations are never refused; a command may be (`RefusedError`). `can` is `decide` asked politely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from studio import ports
from studio.errors import BadInputError, InvariantError, RefusedError
from studio.people import Actor
from studio.tables import command as c
from studio.tables.correction import request, unsealing
from studio.tables.deal import change, course, pay_table, relief
from studio.tables.decks import count
from studio.tables.decks.count import need_no_count
from studio.tables.decks.shuffler import watch_shuffler
from studio.tables.declaration import Command, name_of
from studio.tables.devices import service
from studio.tables.draft import Decided, Draft
from studio.tables.event import table as e
from studio.tables.event.change import PersonActed
from studio.tables.event.table import AnyEvent
from studio.tables.felt.happening import see
from studio.tables.felt.shoe_reading import read_shoe
from studio.tables.irregularity import compensation, report, ruling, stub
from studio.tables.irregularity.device_proof import watch_links
from studio.tables.irregularity.remedy import settle_incident
from studio.tables.seats import player
from studio.tables.state.incident import UNRULED
from studio.tables.state.table import TableState
from studio.tables.timing import tick

Message = Command | c.Tick | ports.Observation


def decide(state: TableState, message: Message, at_ms: int) -> Decided:
    """What happens because of the message; `RefusedError` (nothing happens) only for commands."""
    draft = Draft(state, at_ms)
    if isinstance(message, ports.Observation):
        _observe(draft, message)
    elif isinstance(message, c.Tick):
        tick(draft)
    else:
        _obey(draft, message)
    course.open_turn(draft)
    return draft.decided


def refusal(state: TableState, command: Command, at_ms: int) -> RefusedError | None:
    """None when the command would be carried out now, else what it would be refused with."""
    try:
        _obey(Draft(state, at_ms), command)
    except RefusedError as refused:
        return refused
    return None


def can(state: TableState, command: Command, at_ms: int) -> str | None:
    """The sentence of the refusal alone."""
    refused = refusal(state, command, at_ms)
    return refused.sentence if refused else None


def _observe(draft: Draft, seen: ports.Observation) -> None:
    before = draft.state
    draft.emit(e.ObservationRecorded(observation=seen))  # type: ignore[arg-type]  # the closed union of ports
    watch_links(draft, seen)  # type: ignore[arg-type]
    if seen.device == draft.state.config.shuffler:
        watch_shuffler(draft, before, seen)  # type: ignore[arg-type]
    if seen.device == draft.state.config.shoe:
        read_shoe(draft, seen)  # type: ignore[arg-type]
    elif seen.device == draft.state.config.camera:
        see(draft, seen)  # type: ignore[arg-type]
        for incident in draft.state.incidents.open:
            if incident.ruled.ruling:
                settle_incident(draft, incident)


def _obey(draft: Draft, command: Command) -> None:
    if command.is_stale(draft.state.moves.count, draft.state.moves.dealt):
        raise RefusedError("moved_on", "The table has moved on; look again, then repeat what you still want.")
    if command.about and command.about != _about(draft.state, command):
        sentence = "This was begun for what is over by now: look at the table, then begin anew what you still want."
        raise RefusedError("moved_on", sentence, which="about")
    since = len(draft.events)
    need_no_count(draft.state, command)
    try:
        OBEYED[type(command)](draft, command)
    except BadInputError as error:
        raise RefusedError("bad_input", str(error)) from error
    name_actor(draft, command.actor, type(command).__name__, since)


def _about(state: TableState, command: Command) -> str:
    """The id of what such a command is about now; empty where nothing of the kind stands there."""
    match command.terms.about:
        case "round":
            return state.round.id if state.round is not None else ""
        case "deck":
            return str(state.deck.shoe_number) if state.deck is not None else ""
        case "freeze":
            return state.pit.freeze.by
        case "terms":
            return change.terms_mark(state.config)
        case "plan":
            return state.seat.plan_mark
        case "request" if isinstance(command, c.DeclineRuling):
            incident = state.incident(command.incident)
            return incident.asked.mark if incident is not None and incident.asked is not None else command.about
        case "ruling" if isinstance(command, c.RuleIncident):
            incident = state.incident(command.incident)
            return (incident.ruled.ruling or UNRULED) if incident is not None else command.about
    return command.about


_ROOMS: Final = (
    course, relief, change, pay_table, count, service, player, report, ruling, compensation, stub,
    request, unsealing,
)  # fmt: skip
"""Where commands are carried out, each by the function of its own name."""


def _carrying_out(made: type[Command]) -> Callable[[Draft, Any], None]:
    name = name_of(made)
    found = [vars(room)[name] for room in _ROOMS if name in vars(room) and vars(room)[name].__module__ == room.__name__]
    if len(found) != 1:
        raise InvariantError(f"{name} is carried out by {len(found)} functions: it wants one, in one of the rooms")
    act: Callable[[Draft, Any], None] = found[0]
    return act


OBEYED: Final = {made: _carrying_out(made) for made in c.COMMANDS}


NAMES_A_PERSON: Final = ("by", "asked_by", "approved_by", "reported_by")
"""The fields of events that say who."""


def name_actor(draft: Draft, actor: Actor, act: str, since: int) -> None:
    """Emit `PersonActed` when somebody other than the dealer acted and no event since `since` names that person."""
    made = draft.events[since:]
    if made and actor.id != draft.state.seat.dealer and not _is_named(actor.id, made):
        draft.emit(PersonActed(act=act, by=actor.id, by_name=actor.name))


def _is_named(id: str, events: Sequence[AnyEvent]) -> bool:
    return any(getattr(event, field, "") == id for event in events for field in NAMES_A_PERSON)
