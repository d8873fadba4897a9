"""The only place for the simulated dealer: he reads the console's next act and does it with his hands or a button.

He knows nothing that a dealer would not: the screen, the cards before him, the shoe and the shuffler.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from dealer_ui.rehearsal.desk import Desk
from dealer_ui.rehearsal.rig import Rig
from devices.sim.felt import LyingCard
from studio.cards import Card
from studio.errors import RefusedError
from studio.people import Actor
from studio.ports import CardFace
from studio.tables import command as c
from studio.views import TableView

Slot = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the dealer takes over things, before the speed divides it."""

    card_ms: int = 1_100
    button_ms: int = 700
    bets_ms: int = 15_500
    tidy_ms: int = 2_500
    patience_ms: int = 4_000

    def faster(self, speed: float) -> Pace:
        return Pace(*(max(1, round(wait / speed)) for wait in self._waits()))

    def _waits(self) -> tuple[int, ...]:
        return self.card_ms, self.button_ms, self.bets_ms, self.tidy_ms, self.patience_ms


class Trick(Protocol):
    """Something a dealer or the world does wrong; True when it took the place of the act."""

    def play(self, dealer: SimDealer, view: TableView, now_ms: int) -> bool: ...


class SimDealer:
    """One dealer at one table; stepped, never blocking."""

    def __init__(self, rig: Rig, desk: Desk, actor: Actor, pace: Pace, rng: random.Random) -> None:
        self.rig = rig
        self.rng = rng
        self.actor = actor
        self.trick: Trick | None = None
        self._desk = desk
        self._pace = pace
        self._done: object = None
        self._done_at_ms = 0
        self._free_at_ms = 0
        self.fallen: list[tuple[Slot, Card, CardFace]] = []

    def step(self, now_ms: int) -> None:
        """Look, and do what is next, if there is time for it."""
        if now_ms < self._free_at_ms:
            return
        view = self._desk.view()
        self._shuffle_the_other_deck(view)
        act = (view.act.key, tuple(view.act.values.items()), view.round, view.attempt, bool(view.deck_id))
        if act == self._done and now_ms - self._done_at_ms < self._pace.patience_ms:
            return
        again = act == self._done
        self._done, self._done_at_ms = act, now_ms
        self._free_at_ms = now_ms + self._pace.card_ms
        if not again and self.trick is not None and self.trick.play(self, view, now_ms):
            return
        self._act(view, now_ms, again=again)

    def command(self, command: c.PersonCommand) -> bool:
        try:
            self._desk.command(command)
        except RefusedError:
            return False
        return True

    def draw_to(self, slot: Slot, face: CardFace, pull: Callable[[], Card] | None = None) -> Card:
        """Draw the next card and lay it in a place."""
        card = (pull or self.rig.shoe.draw)()
        self.rig.felt.lay(*slot, card, face)
        return card

    def _act(self, view: TableView, now_ms: int, *, again: bool) -> None:
        key = view.act.key
        if key.startswith("act.carry_out."):
            self._put_right(view)
        elif key == "act.held":
            self._acknowledge(view)
        elif key in ("act.burn", "act.deal") and not again:
            with_face = CardFace.DOWN if key == "act.burn" else CardFace.UP
            self.rig.do(lambda rig: self._draw(view, with_face))
        elif key in _TIDY:
            _TIDY[key](self, view)
            self._free_at_ms = now_ms + self._pace.tidy_ms
        elif key in _BUTTONS:
            self._press(key, now_ms)

    def _press(self, key: str, now_ms: int) -> None:
        if key == "act.bets_open":
            return  # the clock closes the window
        self.command(_BUTTONS[key](self.actor))
        self._free_at_ms = now_ms + self._pace.button_ms

    def _draw(self, view: TableView, face: CardFace) -> Card | None:
        if not self.rig.shoe.cards_left:
            return None
        slot = next_slot(view)
        return self.draw_to(slot, face) if slot is not None and not self.rig.felt.count(*slot) else None

    def _load(self, view: TableView) -> None:
        if self.rig.shuffler.state != "ready":
            return
        deck = self.rig.shuffler.hand_over()
        self.rig.shoe.load(deck)
        if not self.command(c.LoadShoe(actor=self.actor, deck_id=str(view.act.values["deck"]))):
            self._done = None

    def _clear(self, view: TableView) -> None:
        self.rig.felt.clear()
        self.fallen.clear()

    def _square(self, view: TableView) -> None:
        """Lay every card that is not confirmed straight, the right side up."""
        lying = self.rig.felt.view().top()
        for box in view.boxes:
            for card in box.places:
                slot = (box.key, card.place)
                if card.state in ("empty", "awaited", "confirmed", "sealed") or slot not in lying:
                    continue
                due = CardFace.DOWN if card.state == "sealed_owed" or box.key == "burn" else CardFace.UP
                if lying[slot].face is due:
                    self.rig.felt.square(*slot)
                else:
                    self.rig.felt.turn(*slot)

    def _acknowledge(self, view: TableView) -> None:
        """Rulings that are the dealer's to make; everything else waits for the pit."""
        for incident in view.incidents:
            if incident.holds and not incident.ruled and incident.approval in ("none", "dealer"):
                self.command(c.RuleIncident(actor=self.actor, incident=incident.id, ruling=incident.ruling))

    def _put_right(self, view: TableView) -> None:
        """Make the felt what the record says: the screen shows every open card in its place."""
        ruled = view.act.key.removeprefix("act.carry_out.")
        felt = self.rig.felt
        if ruled == "reread_all":
            for slot in felt.view().top():
                if slot[0] != "discard":
                    felt.square(*slot)
            return
        for slot, card, face in self._as_recorded(view):
            self._bring(slot, card, face)

    def _as_recorded(self, view: TableView) -> list[tuple[Slot, Card, CardFace]]:
        due = []
        for box in view.boxes:
            for place in box.places:
                if place.face is not None:
                    due.append(((box.key, place.place), Card.parse(place.face), CardFace.UP))
        return due

    def _bring(self, slot: Slot, card: Card, face: CardFace) -> None:
        felt = self.rig.felt
        lying = felt.view().top().get(slot)
        if lying is not None and lying.card is card and lying.face is face:
            return
        if lying is not None:
            felt.lay("discard", 1, felt.take(*slot), CardFace.DOWN)
        found = next((one for one in felt.view().cards if one.card is card), None)
        if found is None:
            felt.lay(*slot, card, face)
        elif found.slot is None:
            felt.move_stray(found.serial, slot, face=face)
        else:
            felt.move(found.slot, slot, face=face)

    def _shuffle_the_other_deck(self, view: TableView) -> None:
        """Two decks rotate: while one is dealt the other lies in the shuffler; a refused deck goes in again."""

        def start(rig: Rig) -> None:
            if rig.shuffler.state == "ready" and view.act.key == "act.shuffle":
                rig.shuffler.take_out()
            if rig.shuffler.state == "idle":
                rig.shuffler.shuffle(rig.fresh_deck())

        self.rig.do(start)


def next_slot(view: TableView) -> Slot | None:
    """The place the console shows as the next."""
    return next(((box.key, card.place) for box in view.boxes for card in box.places if card.state == "awaited"), None)


def lying_at(rig: Rig, slot: Slot) -> LyingCard | None:
    return rig.felt.view().top().get(slot)


_TIDY: Mapping[str, Callable[[SimDealer, TableView], None]] = {
    "act.clear_felt": SimDealer._clear,
    "act.collect_cards": SimDealer._clear,
    "act.square_cards": SimDealer._square,
    "act.square_burn": SimDealer._square,
    "act.load_shoe": SimDealer._load,
}

_BUTTONS: Mapping[str, Callable[[Actor], c.PersonCommand]] = {
    "act.start_round": lambda actor: c.StartRound(actor=actor),
    "act.open_bets": lambda actor: c.OpenBetting(actor=actor),
    "act.bets_open": lambda actor: c.CloseBetting(actor=actor),
    "act.declare_result": lambda actor: c.DeclareResult(actor=actor),
}
