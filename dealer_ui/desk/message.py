"""The desk of messages to the bettors: put up, taken away, and as bettors, operators and displays are shown them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dealer_ui.desk.pit import PitDesk
from studio.errors import RefusedError
from studio.people import Actor, need_right
from studio.pit import AnyPitEvent, compose
from studio.pit import pit_event as e
from studio.pit.message import Message, MessageDraft
from studio.views.shape import MessageView, Words

Standing = Mapping[str, tuple[bool, str]]
"""A table, whether it is stopped (held, paused or closed), and its round."""


def messages_at(desk: PitDesk, table: str) -> tuple[Message, ...]:
    return tuple(one for one in desk.book.messages.values() if one.table == table)


def tell(desk: PitDesk, actor: Actor, standing: Standing, draft: MessageDraft, id: str = "") -> int:
    """Tell the bettors of each of these tables."""

    def act() -> tuple[AnyPitEvent, ...]:
        found: list[AnyPitEvent] = []
        for number, (table, (stopped, round)) in enumerate(standing.items(), desk.book.shown + 1):
            own = MessageDraft(table, draft.text, draft.words, draft.stays)
            made = compose(own, actor, messages_at(desk, table), stopped=stopped, round=round)
            found.append(msgspec.structs.replace(made, id=f"M-{number}", at_ms=desk.now_ms()))
        return tuple(found)

    return desk.once(actor, id, act)


def take_away(desk: PitDesk, actor: Actor, message: str, id: str = "") -> int:
    need_right(actor, "tell_bettors")

    def act() -> tuple[AnyPitEvent, ...]:
        if message not in desk.book.messages:
            raise RefusedError("message_over", "That message is taken away already.")
        return (e.MessageEnded(id=message, by=actor.id, by_name=actor.name, at_ms=desk.now_ms()),)

    return desk.once(actor, id, act)


def end_what_is_over(desk: PitDesk, standing: Standing) -> None:
    """Take away what ends by itself."""
    with desk.lock:
        over = [
            one
            for one in desk.book.messages.values()
            if one.table in standing and one.is_over(stopped=standing[one.table][0], round=standing[one.table][1])
        ]
        desk.record(tuple(e.MessageEnded(id=one.id, at_ms=desk.now_ms()) for one in over))


def told_at(desk: PitDesk, table: str) -> tuple[MessageView, ...]:
    """What the pit has the bettors of this table told, the oldest first."""
    return tuple(
        MessageView(Words(f"message.{one.text}") if one.text else None, "", one.words, one.id, one.at_ms, one.until)
        for one in messages_at(desk, table)
    )
