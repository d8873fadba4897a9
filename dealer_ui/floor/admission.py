"""Whether a person may act at a table: the staff register and the key file are asked first.

Asked on the table's own thread, with the register as it is at that moment. Names of dealers are the record's, whatever
a screen may have sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import msgspec

from studio.errors import RefusedError
from studio.games import GAMES, find_game
from studio.people import Actor, Request, Role, day_of, need_papers
from studio.people.staff import Staff, StaffRegister
from studio.tables import command as c
from studio.tables.declaration import Command
from studio.tables.event.change import PlannedTurn
from studio.tables.state.table import Status, TableState


class People(Protocol):
    """What is known of the staff here."""

    @property
    def register(self) -> StaffRegister: ...

    def pit_bosses_on_floor(self) -> int: ...


def admit(command: Command, state: TableState, people: People, now_ms: int) -> Command:
    """The command as the table may take it, or a refusal: who is meant may deal the game, and is at the right table."""
    register = people.register
    if (actor := _as_now(register, command)) is not command.actor:
        command = replace(command, actor=actor)
    match command:
        case c.OpenTable(dealer=dealer) | c.ChangeDealer(dealer=dealer):
            return replace(command, dealer_name=may_deal(register, dealer, state.config.game, now_ms).name)
        case c.TakeTable():
            may_deal(register, actor.id, state.config.game, now_ms)
        case c.ChangeTable(game=game):
            _need_certified_for(register, state, game, now_ms)
        case c.PlanRotation(turns=turns):
            named = tuple(_named(turn, register, state.config.game) for turn in turns)
            return replace(command, turns=named)
        case c.StartRound():
            _need_not_barred(register, state.seat.dealer)
        case c.ApproveRuling(incident=id):
            incident = state.incident(id)
            _need_asker(register, incident.asked if incident is not None else None)
        case c.ApproveCorrection():
            _need_asker(register, current.asked if (current := state.aftermath.corrections.current) else None)
        case c.ApproveUnsealing():
            _need_asker(register, state.aftermath.unsealings.asked)
    if command.terms.own_table and not actor.may("rule_pit"):
        _need_own_table(actor, state)
        return replace(command, pit_bosses=people.pit_bosses_on_floor())
    return command


def _as_now(register: StaffRegister, command: Command) -> Actor:
    """Who asks, with the roles he has at this moment; refused where he was barred, or left, while his command waited.

    Whoever stops a table or calls the pit is never turned away; who is stood down is so by whoever wanted it.
    """
    actor = command.actor
    if actor.id not in register.people or isinstance(command, c.FreezeTable | c.CallPit | c.StandDown):
        return actor
    roles = register.actor(actor.id).roles
    return actor if roles == actor.roles else replace(actor, roles=roles)


def with_key(command: Command, state: TableState, key_of: Callable[[str], bytes | None]) -> Command:
    """The command with the key of the sealed card it wants opened, as the key file has it; no screen ever has one."""
    match command:
        case c.AskUnsealing(card=card) if command.sealed.find(card):
            return replace(command, key=key_of(card))
        case c.ApproveUnsealing() if state.aftermath.unsealings.asked is not None:
            return replace(command, key=key_of(state.aftermath.unsealings.asked.card))
    return command


def _need_certified_for(register: StaffRegister, state: TableState, game: str, now_ms: int) -> None:
    """Refuse to change an open table to another game unless its dealer may deal that game.

    A game that does not exist is left for the table to refuse.
    """
    changes = game != state.config.game and any(one.key == game for one in GAMES)
    if changes and state.seat.dealer and state.status is not Status.CLOSED:
        may_deal(register, state.seat.dealer, game, now_ms)


def may_deal(register: StaffRegister, staff_id: str, game: str, at_ms: int) -> Staff:
    """The person, if he is a dealer with current papers for the game; a refusal that names what is missing."""
    person = register.active(staff_id)
    if person is None:
        raise RefusedError("not_staff", "Nobody of the staff has this id. Look at the list of staff.")
    if person.barred:
        raise RefusedError("barred", f"{person.name} is barred. Ask an administrator.")
    if Role.DEALER not in person.roles:
        raise RefusedError("no_dealer_role", f"{person.name} is not a dealer. Choose somebody who is.")
    if person.on_break_ms:
        raise RefusedError("on_break", f"{person.name} is on a break; end it first.")
    need_papers(person.name, person.papers, game, find_game(game).title, day_of(at_ms))
    return person


def _named(turn: PlannedTurn, register: StaffRegister, game: str) -> PlannedTurn:
    """A turn of the plan, by the record's name; the papers must be good on that day."""
    person = register.active(turn.dealer)
    if person is not None and person.on_break_ms:
        person = replace(person, on_break_ms=0)  # his break is over by then
        register = StaffRegister({**register.people, person.id: person})
    return msgspec.structs.replace(turn, dealer_name=may_deal(register, turn.dealer, game, turn.at_ms).name)


def _need_not_barred(register: StaffRegister, dealer: str) -> None:
    """Belt and braces: whoever is barred is stood down at once; if that failed, no round starts all the same."""
    person = register.people.get(dealer)
    if person is not None and (person.barred or not person.active):
        raise RefusedError("barred", f"{person.name} may not deal any more: another dealer takes the table over.")


def _need_asker(register: StaffRegister, asked: Request | None) -> None:
    """Refuse to approve what a person asked for who has been barred since, has left, or may ask for nothing now."""
    if asked is None or asked.asked_by not in register.people:
        return
    asker = register.actor(asked.asked_by)
    if not asker.may("ask_two_people"):
        raise RefusedError(
            "asker_may_not", f"{asker.name} may not ask for this any more: let it be asked for by somebody who may.",
            name=asker.name,
        )  # fmt: skip


def _need_own_table(actor: Actor, state: TableState) -> None:
    vacant = not state.seat.dealer and state.status is not Status.CLOSED
    if vacant or (state.seat.dealer and state.seat.dealer != actor.id):
        who = state.seat.dealer_name or "Nobody"
        raise RefusedError("not_your_table", f"{who} deals at this table. Take it over first.")
