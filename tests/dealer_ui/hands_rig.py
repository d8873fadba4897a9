"""A rig with a full shoe, hands over it, and a view that a test puts before them."""

from __future__ import annotations

import random
from dataclasses import replace

from altered import altered
from fake_floor import BURNING, DEALING, EMPTY, box

from dealer_ui.rehearsal.machine.rig import Rig, RigOptions
from dealer_ui.rehearsal.own_hands.hands import Hands
from devices.sim.felt import LyingCard
from studio.cards import DECK, Card
from studio.tables.config import TableConfig
from studio.views import TableView
from studio.views.shape import BoxView

SLOT = tuple[str, int]
BURNED = box("burn", "*", "*", "*", "*", count=4)
FIRST_CARD = replace(DEALING, boxes=(box("player1", ">"), *EMPTY[1:4], BURNED))  # the hand is about to be dealt
BURN_THREE = altered(BURNING, round={"stage": "dealing"})


class Scene:
    """Hands at a table; `show` changes what the console says."""

    def __init__(self, view: TableView, seed: int = 1) -> None:
        config = TableConfig(key=view.table, title=view.title, game=view.game.key)
        self.rig = Rig(config, RigOptions(seed, paced=False))
        deck = list(DECK)
        random.Random(seed).shuffle(deck)
        self.rig.shoe.load(deck)
        self.shown = view
        self.hands = Hands(self.rig, lambda: self.shown, card_ms=100)

    def show(self, view: TableView) -> None:
        self.shown = view

    def top(self, zone: str, place: int) -> LyingCard | None:
        return self.rig.felt.view().top().get((zone, place))

    def ref(self, zone: str, place: int) -> str:
        lying = self.top(zone, place)
        assert lying is not None
        return f"card.{lying.serial}"

    def next_card(self) -> Card:
        """The card that would leave the shoe next; the shoe is left as it was."""
        return self.rig.shoe._cards[0]


def boxes(**given: tuple[str, ...]) -> tuple[BoxView, ...]:
    """The boxes of Three Knights with some of them filled."""
    return tuple(box(one.key, *given.get(one.key, ()), count=len(one.places)) for one in EMPTY)
