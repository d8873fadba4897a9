"""What of a table's felt a technician may not see now."""

from __future__ import annotations

from typing import Final

from dealer_ui.felt.face import back_of
from studio.views.shape import CardView, TableView

ALWAYS: Final = ("burn", "discard")
"""What lies there is nobody's to see while a table is open."""

_DUE_DOWN: Final = frozenset({"act.burn", "act.deal_down"})


def hidden_zones(view: TableView) -> tuple[str, ...]:
    """Zones to be painted over: a card lies there face down, or the next one will. None at a closed table."""
    if view.status == "closed":
        return ()
    due_down = view.act.key in _DUE_DOWN
    found = [box.key for box in view.boxes if any(_is_secret(card, due_down=due_down) for card in box.places)]
    return tuple(dict.fromkeys((*ALWAYS, *found)))


def _is_secret(card: CardView, *, due_down: bool) -> bool:
    return back_of(card) or card.state == "unread" or (due_down and card.state == "awaited")
