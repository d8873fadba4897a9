"""What befalls the seats of a poker table: who is dealt in, how long a turn lasts, whom the pit sends away."""

from __future__ import annotations

from typing import Any

from studio.errors import RefusedError
from studio.people import need_fresh_pin, need_right
from studio.rounds import Chose
from studio.rulebook.hand_terms import HAND
from studio.rulebook.script import Turn
from studio.rulebook.shoe_terms import shoe_terms
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.situation import PaidOut, Seated, Situation
from studio.tables.incident import UNKNOWN_YET, tell
from studio.tables.state.table import TableState


def rules_of_next(state: TableState) -> dict[str, Any]:
    """The rules of the next round: the house's, and at a poker table the terms of the hand; refused with few seats."""
    rules = dict(state.game.options.check(state.config.rules))
    rules |= shoe_terms(state.shoe.opened, state.deck.rounds if state.deck else 0)
    peers = state.game.peers
    if peers is None:
        return rules
    sitting = state.room.sitting
    if len(sitting) < peers.least_seats:
        least = peers.least_seats
        raise RefusedError(
            "few_seats", f"{least} seats with chips have to want cards before a hand is dealt: wait for players."
        )
    hand = peers.next_hand(rules, sitting, state.room.button)
    players = {seat: [state.room.players[seat].operator, state.room.players[seat].bettor] for seat in hand.seats}
    return {**rules, HAND: {**peers.terms(rules, hand), "players": players}}


def turn_s(state: TableState, step: Turn) -> float:
    """How long the seat has; who has asked to leave has no time any more."""
    player = state.room.players.get(step.box)
    return 0 if player is None or player.leaving else step.window_s


def open_bank(draft: Draft, seat: str) -> bool:
    """The time of the turn is over: the seat's own time bank runs, if it has one and it has not begun."""
    player = draft.state.room.players.get(seat)
    if player is None or player.leaving or not player.bank_ms or player.bank_since_ms is not None:
        return False
    draft.emit(e.TimeBankOpened(seat=seat, closes_at_ms=draft.at_ms + player.bank_ms))
    return True


def chosen_for(draft: Draft, turn: Turn) -> Chose:
    """The choice of a box for which nobody chose in time. If nobody set a seat's cards of a street, that goes on
    record.
    """
    seen = turn.box in draft.state.room.seen
    if turn.placing is not None:
        rows_open = sum(room > 0 for room in turn.placing.room.values())
        found = {"revealed": not turn.away or seen, "rows_open": rows_open}
        tell(draft, "timed_out", by=UNKNOWN_YET, circumstances=found)
    return default_of(turn, seen=seen)


def default_of(turn: Turn, *, seen: bool) -> Chose:
    """What the rules have a box do whose time is over; `seen`: somebody has looked at its cards."""
    option = turn.default if seen or not turn.away else turn.away
    rows = turn.placing.forced if turn.placing and option in turn.options else None
    return Chose(box=turn.box, option=option, by_default=True, rows=rows or ())


IDLE_TURNS = 2
"""So many turns in a row that the clock decides, and the seat gets no cards until it is back."""


def send_idle_away(draft: Draft) -> None:
    """Between two hands: who has let the clock decide again and again is dealt no more."""
    for seat, player in sorted(draft.state.room.players.items()):
        if player.idle >= IDLE_TURNS and not player.away and seat not in draft.state.room.dealt_in:
            draft.emit(e.SeatAway(seat=seat, why="idle"))


def dismiss_seat(draft: Draft, command: c.DismissSeat) -> None:
    """Have a bettor leave his seat as if he had asked to: at once, or when his hand is over. All his chips go back to
    his purse.
    """
    actor, words = command.actor, command.words.strip()
    need_right(actor, "dismiss_seat")
    need_fresh_pin(actor, draft.at_ms)
    if not command.reason_code or not words:
        raise RefusedError("reason_needed", "Choose a reason and write a few words: they are kept.")
    player = draft.state.room.players.get(command.seat)
    if player is None:
        raise RefusedError("seat_free", "Nobody sits there: choose a seat that is taken.")
    if command.bettor and command.bettor != player.bettor:
        raise RefusedError("seat_changed", "Another bettor sits there by now: choose the seat again.")
    if player.leaving:
        raise RefusedError("leaving", "The bettor leaves already; he is paid out when his hand is over.")
    currency = draft.state.config.currency
    seated = Seated(command.seat, player.bettor, player.operator, player.stack_minor, currency)
    draft.emit(
        e.LeaveAsked(seat=command.seat),
        e.ExceptionRecorded(
            incident="", act="dismiss_seat", asked_by=actor.id, approved_by="",
            before=Situation((seated,)),
            after=Situation((PaidOut(),)),
            reason_code=command.reason_code, words=words, row="",
        ),
    )  # fmt: skip
