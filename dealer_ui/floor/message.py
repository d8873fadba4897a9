"""The pit's messages, as bettors, operators and displays are shown them."""

from __future__ import annotations

from dealer_ui.desk.message import messages_at
from dealer_ui.desk.pit import PitDesk
from studio.views.shape import MessageView, Words


def told_at(desk: PitDesk, table: str) -> tuple[MessageView, ...]:
    """What the pit has the bettors of this table told, the oldest first."""
    return tuple(
        MessageView(Words(f"message.{one.text}") if one.text else None, "", one.words, one.id, one.at_ms, one.until)
        for one in messages_at(desk, table)
    )
