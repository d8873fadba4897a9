"""What the bettors of a table are told by itself: that it stopped, that a round is void.

It is told while the record says so, with the class of the reason; never a card, and never whose fault it was.
"""

from __future__ import annotations

from typing import Final

from studio.procedures import procedures_of
from studio.tables.state.table import Stage, Status, TableState
from studio.views.shape import MessageView, Words

CLASSES: Final = ("device", "cards", "deal", "deck", "check")
"""Classes of reasons, as keys of the catalogue (`because.<class>`)."""

_CLASS: Final = {
    **dict.fromkeys(
        ("device_lost", "device_changed", "shoe_error", "shoe_restart", "shuffler_jam", "malfunction", "video_lost",
         "restart", "disconnected", "timed_out"), "device"
    ),
    **dict.fromkeys(("card_mismatch", "conflicting_reread", "unread_card", "camera_unsure"), "cards"),
    **dict.fromkeys(
        ("burn_error", "exposed_card", "extra_card", "dropped_card", "wrong_order", "misplaced_card", "wrong_count",
         "early_card", "boxed_card", "cleared_early", "misdeal_claimed", "void_called"), "deal"
    ),
    **dict.fromkeys(("fouled_deck", "deck_unverified", "shoe_empty", "cut_card"), "deck"),
}  # fmt: skip


def view_messages(state: TableState) -> tuple[MessageView, ...]:
    """What is told now, if anything."""
    round = state.round
    if state.status is Status.CLOSED:
        return ()
    if round is not None and round.stage in (Stage.VOIDING, Stage.VOIDED):
        done = "done" if round.stage is Stage.VOIDED else "now"
        key = f"told.void_paid.{done}" if round.void_pays else f"told.void.{done}"
        return (MessageView(Words(key), _class_of_row(state, round.void_row)),)
    if not state.held:
        return ()
    stand = round is not None and round.bets > 0 and not round.over
    first = next((incident for incident in state.incidents.open if incident.holds), None)
    because = _CLASS.get(first.kind, "check") if first is not None else "check"
    return (MessageView(Words("told.paused_bets" if stand else "told.paused"), because),)


def _class_of_row(state: TableState, row: str) -> str:
    """The class of reason that bettors are told for this row; empty when its kinds differ in class, or when no row was
    ruled by.
    """
    found = {
        _CLASS.get(kind, "check") for one in procedures_of(state.game.key).rows if one.id == row for kind in one.kinds
    }
    return found.pop() if len(found) == 1 else ""
