"""The pit sends a bettor away from his seat at a poker table: barred, gone, or nobody answers."""

from __future__ import annotations

from studio.errors import RefusedError
from studio.people import need_fresh_pin, need_right
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.situation import PaidOut, Seated, Situation


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
