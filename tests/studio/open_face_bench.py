"""A table of Open-Face Chinese on the workbench: streets dealt face down, set by their seats and laid by the dealer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from open_face_deal import random_rows
from poker_bench import PokerBench

from studio.cards import Card
from studio.money import Answer
from studio.rulebook.script import Deal, Lay, Turn
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.state.table import awaited

OFC: Final = TableConfig(key="ofc-1", title="Open-Face 1", game="ofc", rules={"unit": 100})


class OpenFaceBench(PokerBench):
    def __init__(self, bettors: str = "ann bob cy", config: TableConfig = OFC, **given: int) -> None:
        super().__init__(config=config, bettors=bettors, **given)
        self.rng = random.Random(given.get("seed", 1))

    def go_on(self) -> None:
        """Deal and lay as long as the dealer is asked to."""
        while (now := awaited(self.state)) is not None and not self.state.held:
            match now.step:
                case Deal(box=box):
                    self.draw(self.deck.pop(0))
                    self.lay(box, now.place)
                case Lay():
                    self.lay_street(now.step)
                case _:
                    return

    def lay_street(self, lay: Lay) -> None:
        for place, zone, there in lay.to:
            card = self.street_card(lay.box, place)
            self.lift(lay.box, place)
            self.lay(zone, there, card)
        for place in lay.away:
            self.lift(lay.box, place)

    def street_card(self, seat: str, place: int) -> Card:
        return self.round.deal.cards[seat, place].card.card()

    def street(self, seat: str) -> list[Card]:
        return [fact.card.card() for (zone, _), fact in sorted(self.round.deal.cards.items()) if zone == seat]

    def set(self, *rows: str, bettor: str = "", id: str = "") -> Answer:
        """The seat whose turn it is sets its street so: `top`, `middle`, `bottom` or `muck` for each card."""
        self._sent += 1
        seat = self.turn.box
        owner = bettor or self.state.room.players[seat].bettor
        choice = e.Decision(
            operator="north", bettor=owner, option="place", client_id=id or f"a{self._sent}",
            box=self.seats.get(owner, seat), rows=rows,
        )  # fmt: skip
        self.now += 500
        [answer] = self.table.take_decisions((choice,), self.now)
        if answer.status == "accepted":
            self.go_on()
        return answer

    def set_at_random(self) -> None:
        placing = self.turn.placing
        assert placing is not None
        answer = self.set(*random_rows(placing, self.rng))
        assert answer.status == "accepted", answer

    def play_out(self, *, silent: Sequence[str] = ()) -> None:
        """Every seat sets at random until the hand is over; the silent ones let their time pass."""
        while (now := awaited(self.state)) is not None and isinstance(now.step, Turn):
            if now.step.box in silent:
                self.let_pass()
            else:
                self.set_at_random()

    def let_pass(self) -> None:
        """The time of the turn, and the seat's time bank, go by."""
        seat = self.turn.box
        while (now := awaited(self.state)) is not None and isinstance(now.step, Turn) and now.step.box == seat:
            assert self.round.window.closes_at_ms is not None
            self.now = self.round.window.closes_at_ms
            self.tick()
        self.go_on()
