"""What a rehearsal does behind a person's back: cards into the shuffler, the deck into the shoe.

The person at the console deals; the stagehand keeps the machines fed, as the studio's floor staff would.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from dealer_ui.rehearsal.hand.shuffler import ShufflerHand
from dealer_ui.rehearsal.machine.rig import Rig
from dealer_ui.rehearsal.person.at_table import PersonDesk
from dealer_ui.rehearsal.person.pit import SimPit
from studio.errors import RefusedError
from studio.games import find_game
from studio.people import Actor, Role
from studio.tables.command import LoadShoe
from studio.views import TableView

PATIENCE_MS: Final = 4_000
"""A shuffled deck that the table still does not want after this long was refused, and goes in again."""


class Stagehand:
    """Opens the table once, keeps a deck in the shuffler, and puts the deck a dealer loads into the shoe.

    Where a shoe of many decks is shuffled for each round, its cards come out of a machine that feeds it: nobody carries
    four hundred cards about between two rounds, so the next deck is loaded as soon as it is verified.
    """

    def __init__(self, rig: Rig, desk: PersonDesk, pit: SimPit) -> None:
        self._rig = rig
        self._desk = desk
        self._pit = pit
        self._opened = False
        self._shoe_number: int | None = None
        self._load_owed = False
        self._shuffler = ShufflerHand(PATIENCE_MS)

    def step(self, now_ms: int) -> None:
        view = self._desk.view()
        if not self._opened and all(view.devices.links.values()):
            self._opened = True
            if view.now.status == "closed":
                self._pit.step(now_ms)
        if self._shoe_number is None:  # the deck on record is in the shoe, or still in the machine that told of it
            self._load_owed = bool(view.shoe.deck) and view.shoe.deck == self._rig.shuffler.deck_id
        elif view.shoe.number != self._shoe_number:
            self._load_owed = bool(view.shoe.number)
        self._shoe_number = view.shoe.number
        if view.now.act.key == "act.load_shoe" and view.seat.dealer and feeds_itself(view.game.key):
            with suppress(RefusedError):
                self._desk.command(
                    LoadShoe(actor=Actor(view.seat.dealer, view.seat.dealer_name, frozenset({Role.DEALER})))
                )
        self._rig.do(lambda rig: self._feed(rig, view, now_ms))

    def _feed(self, rig: Rig, view: TableView, now_ms: int) -> None:
        shuffler = rig.shuffler
        if self._load_owed and shuffler.state == "ready":
            rig.shoe.load(shuffler.hand_over())
            self._load_owed = False
        self._shuffler.feed(rig, view, now_ms)


def feeds_itself(game: str) -> bool:
    """Whether the shoe of this game is fed by its machine between two rounds."""
    found = find_game(game)
    return found.shoe.rounds_per_shuffle == 1 and found.shoe.decks > 1
