"""What hands do at the shuffler: the other deck goes in, a blocked one is taken out and exchanged.

Two decks rotate: while one is dealt the other lies in the machine.
"""

from __future__ import annotations

from dealer_ui.rehearsal.machine.rig import Rig
from studio.views import TableView

_NO_DECK = ("act.shuffle", "act.wait_shuffler", "act.see_to_shuffler")


class ShufflerHand:
    """Keeps a deck in the machine. One that the table does not take for so long is exchanged for another."""

    def __init__(self, patience_ms: int) -> None:
        self._patience_ms = patience_ms
        self._unwanted_since_ms: int | None = None

    def feed(self, rig: Rig, view: TableView, now_ms: int) -> None:
        shuffler = rig.shuffler
        if self._is_unwanted(shuffler.state == "ready" and waits_for_another(view), now_ms):
            shuffler.take_out()
        if shuffler.state == "idle":
            shuffler.shuffle(rig.fresh_deck())

    def _is_unwanted(self, waits: bool, now_ms: int) -> bool:
        """The deck's papers take a moment from the shuffler to the table: it is unwanted when none come."""
        if not waits:
            self._unwanted_since_ms = None
        elif self._unwanted_since_ms is None:
            self._unwanted_since_ms = now_ms
        return self._unwanted_since_ms is not None and now_ms - self._unwanted_since_ms >= self._patience_ms


def waits_for_another(view: TableView) -> bool:
    """Whether the deck in the machine cannot be used: it is blocked, or the table waits for another one."""
    blocked = view.shoe.machine is not None and bool(view.shoe.machine.verdict)
    return blocked or view.now.act.key in _NO_DECK or view.now.act.key.startswith("act.deck_")
