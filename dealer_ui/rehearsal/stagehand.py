"""The only place for what a rehearsal does behind a person's back: cards into the shuffler, the deck into the shoe.

The person at the console deals; the stagehand keeps the machines fed, as the studio's floor staff would.
"""

from __future__ import annotations

from dealer_ui.rehearsal.desk import Desk
from dealer_ui.rehearsal.pit import SimPit
from dealer_ui.rehearsal.rig import Rig


class Stagehand:
    """Opens the table once, keeps a deck in the shuffler, and puts the deck a dealer loads into the shoe."""

    def __init__(self, rig: Rig, desk: Desk, pit: SimPit) -> None:
        self._rig = rig
        self._desk = desk
        self._pit = pit
        self._opened = False
        self._shoe_number = 0

    def step(self, now_ms: int) -> None:
        view = self._desk.view()
        if not self._opened and all(view.links.values()):
            self._opened = True
            if view.status == "closed":
                self._pit.step(now_ms)
        if view.shoe_number != self._shoe_number:
            self._shoe_number = view.shoe_number
            if view.shoe_number:
                self._rig.do(self._load)
        self._rig.do(self._shuffle)

    @staticmethod
    def _load(rig: Rig) -> None:
        if rig.shuffler.state == "ready":
            rig.shoe.load(rig.shuffler.hand_over())

    def _shuffle(self, rig: Rig) -> None:
        if rig.shuffler.state == "ready" and self._desk.view().act.key == "act.shuffle":
            rig.shuffler.take_out()
        if rig.shuffler.state == "idle":
            rig.shuffler.shuffle(rig.fresh_deck())
