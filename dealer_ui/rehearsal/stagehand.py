"""The only place for what a rehearsal does behind a person's back: cards into the shuffler, the deck into the shoe.

The person at the console deals; the stagehand keeps the machines fed, as the studio's floor staff would.
"""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.desk import Desk
from dealer_ui.rehearsal.pit import SimPit
from dealer_ui.rehearsal.rig import Rig
from dealer_ui.rehearsal.shuffler_hand import ShufflerHand
from studio.views import TableView

PATIENCE_MS: Final = 4_000
"""A shuffled deck that the table still does not want after this long was refused, and goes in again."""


class Stagehand:
    """Opens the table once, keeps a deck in the shuffler, and puts the deck a dealer loads into the shoe."""

    def __init__(self, rig: Rig, desk: Desk, pit: SimPit) -> None:
        self._rig = rig
        self._desk = desk
        self._pit = pit
        self._opened = False
        self._shoe_number = 0
        self._load_owed = False
        self._shuffler = ShufflerHand(PATIENCE_MS)

    def step(self, now_ms: int) -> None:
        view = self._desk.view()
        if not self._opened and all(view.links.values()):
            self._opened = True
            if view.status == "closed":
                self._pit.step(now_ms)
        if view.shoe_number != self._shoe_number:
            self._shoe_number = view.shoe_number
            self._load_owed = bool(view.shoe_number)
        self._rig.do(lambda rig: self._feed(rig, view, now_ms))

    def _feed(self, rig: Rig, view: TableView, now_ms: int) -> None:
        shuffler = rig.shuffler
        if self._load_owed and shuffler.state == "ready":
            rig.shoe.load(shuffler.hand_over())
            self._load_owed = False
        self._shuffler.feed(rig, view, now_ms)
