"""The simulated dealer: he reads the console's next act and does it with his hands or a button.

He knows nothing that a dealer would not: the screen, the cards before him, the shoe and the shuffler.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from dealer_ui.rehearsal.hand.felt import FeltHand
from dealer_ui.rehearsal.hand.showing import Showing
from dealer_ui.rehearsal.hand.shuffler import ShufflerHand
from dealer_ui.rehearsal.hand.street import lay_street
from dealer_ui.rehearsal.hand.stub import StubHand
from dealer_ui.rehearsal.machine.rig import Rig
from dealer_ui.rehearsal.person.at_table import PersonDesk, obeyed
from studio.cards import Card
from studio.games import find_game
from studio.people import Actor
from studio.ports import CardFace
from studio.spoken import Slot
from studio.tables import command as c
from studio.tables.declaration import Command
from studio.views import TableView

_NOTHING_CAME: Final = 4
"""After so many of his patiences a dealer says that a card lies where he is to deal, and no machine has told of it."""


@dataclass(frozen=True, slots=True)
class DealerPace:
    """How long the dealer takes over things, before the speed divides it."""

    card_ms: int = 1_100
    button_ms: int = 700
    bets_ms: int = 15_500
    tidy_ms: int = 2_500
    patience_ms: int = 4_000

    def faster(self, speed: float) -> DealerPace:
        return DealerPace(*(max(1, round(wait / speed)) for wait in self._waits()))

    def _waits(self) -> tuple[int, ...]:
        return self.card_ms, self.button_ms, self.bets_ms, self.tidy_ms, self.patience_ms


class PlaysTrick(Protocol):
    """Something a dealer or the world does wrong; True when it took the place of the act."""

    def play(self, dealer: SimDealer, view: TableView, now_ms: int) -> bool: ...


class SimDealer:
    """One dealer at one table; stepped, never blocking."""

    def __init__(self, rig: Rig, desk: PersonDesk, actor: Actor, pace: DealerPace, rng: random.Random) -> None:
        self.rig = rig
        self.rng = rng
        self.actor = actor
        self.trick: PlaysTrick | None = None
        self._desk = desk
        self._pace = pace
        self._done: object = None
        self._done_at_ms = 0
        self._begun_at_ms = 0
        self._free_at_ms = 0
        self.hand = FeltHand(rig.felt)
        self.stub = StubHand(rig.felt, rng)
        self._shuffler = ShufflerHand(pace.patience_ms)
        self._showing = Showing(rig.felt, 2 * pace.card_ms)
        self._prepared: set[str] = set()
        self.closing: Callable[[], bool] = lambda: False
        """Whether the house closes: he ends what is dealt, and starts no round."""

    def step(self, now_ms: int) -> None:
        """Look, and do what is next, if there is time for it."""
        self.stub.step(now_ms)
        self._showing.step(now_ms)
        if now_ms < self._free_at_ms:
            return
        view = self._desk.view()
        self._shuffle_the_other_deck(view, now_ms)
        if self.hand.fan.step(view, now_ms, self._pace.patience_ms):
            self._free_at_ms = now_ms + self._pace.card_ms
            return
        act = (
            view.now.act.key,
            tuple(view.now.act.values.items()),
            view.round.id,
            view.round.attempt,
            bool(view.shoe.deck),
        )
        if act == self._done and now_ms - self._done_at_ms < self._pace.patience_ms:
            return
        again = act == self._done
        self._begun_at_ms = self._begun_at_ms if again else now_ms
        self._done, self._done_at_ms = act, now_ms
        self._free_at_ms = now_ms + self._pace.card_ms
        if not again and self.trick is not None and self.trick.play(self, view, now_ms):
            return
        self._act(view, now_ms, again=again)

    def rest(self, until_ms: int) -> None:
        """Do nothing until then."""
        self._free_at_ms = max(self._free_at_ms, until_ms)

    def command(self, command: Command) -> bool:
        return obeyed(self._desk, command)

    def draw_to(self, slot: Slot, face: CardFace, pull: Callable[[], Card] | None = None) -> Card:
        """Draw the next card and lay it in a place."""
        card = (pull or self.rig.shoe.draw)()
        self.rig.felt.lay(*slot, card, face)
        return card

    def _act(self, view: TableView, now_ms: int, *, again: bool) -> None:
        key = view.now.act.key
        if key.startswith("act.carry_out."):
            self._put_right(view, again=again)
        elif key == "act.held":
            self._acknowledge(view)
        elif key in ("act.burn", "act.deal", "act.deal_down"):
            with_face = CardFace.UP if key == "act.deal" else CardFace.DOWN
            self.rig.do(lambda rig: self._draw(view, with_face, now_ms))
        elif key == "act.count":
            self._count(view)
        elif key in _TIDY:
            _TIDY[key](self, view)
            self._free_at_ms = now_ms + self._pace.tidy_ms
        elif key in _BUTTONS:
            self._press(key, now_ms)

    def _count(self, view: TableView) -> None:
        """Draw the next card of a count; once all are out, end it."""
        count = view.shoe.count
        if count is not None and count.drawn < count.wanted and self.rig.shoe.cards_left:
            self.rig.do(lambda rig: rig.shoe.draw())
        elif count is not None and count.whole and not count.drawn:
            self.rig.do(lambda rig: rig.shoe.load(rig.fresh_deck()))
        else:
            self.command(c.EndCount(actor=self.actor))

    def _press(self, key: str, now_ms: int) -> None:
        if key in ("act.bets_open", "act.decide"):
            return  # the clock closes the window
        if key == "act.start_round" and self.closing():
            return
        self.command(_BUTTONS[key](self.actor))
        self._free_at_ms = now_ms + self._pace.button_ms

    def _draw(self, view: TableView, face: CardFace, now_ms: int) -> Card | None:
        if not self.rig.shoe.cards_left:
            self.command(c.ReportIncident(actor=self.actor, kind="shoe_empty"))
            return None
        slot = next_slot(view)
        if slot is None:
            return None
        if self.hand.straightens(slot):
            if now_ms - self._begun_at_ms >= _NOTHING_CAME * self._pace.patience_ms:
                self.command(c.ReportIncident(actor=self.actor, kind="extra_card"))
            return None
        if not self.hand.fan.may_lay(view, slot, now_ms, self._pace.patience_ms):
            self._done = None  # he waits for the camera's word on the card below
            return None
        return self.draw_to(slot, face)

    def _load(self, view: TableView) -> None:
        if self.rig.shuffler.state != "ready":
            return
        deck = self.rig.shuffler.hand_over()
        self.rig.shoe.load(deck)
        if not self.command(c.LoadShoe(actor=self.actor, deck_id=str(view.now.act.values["deck"]))):
            self._done = None

    def _clear(self, view: TableView) -> None:
        self.hand.clear()
        self.stub.aside.clear()

    def _square(self, view: TableView) -> None:
        self.hand.square(view)

    def _acknowledge(self, view: TableView) -> None:
        """Rulings that are the dealer's to make, once the cards are as they say; all else waits for the pit."""
        for incident in view.incidents.open:
            if not incident.holds or incident.ruled or incident.row.approval not in ("none", "dealer"):
                continue
            if incident.id not in self._prepared:
                self._prepared.add(incident.id)
                self.carry_out(incident.row.ruling, incident.kind)
                self._done = None
            else:
                self.command(c.RuleIncident(actor=self.actor, incident=incident.id, ruling=incident.row.ruling))

    def carry_out(self, ruling: str, kind: str) -> None:
        """What a ruling asks of the hands where nothing has to be waited for."""
        if ruling == "reuse_card":
            self.hand.lay_back()
        elif ruling == "card_is_next_burn" and self._desk.view().room is not None:
            self.stub.make_burn(self._desk.view())
        elif ruling == "card_is_next_card" and kind == "extra_card":
            self._push_back()
        elif ruling == "card_to_discard" or (ruling == "continue" and kind in _CARD_TOO_MANY):
            self.hand.take_away(self._desk.view())

    def _push_back(self) -> None:
        """A card that was drawn after the last one goes back into a shoe of many rounds."""
        view = self._desk.view()
        if find_game(view.game.key).shoe.rounds_per_shuffle is None and view.now.phase == "result":
            card = self.hand.one_too_many(view)
            if card is not None:
                self.rig.shoe.push_back(card)

    def _put_right(self, view: TableView, *, again: bool) -> None:
        """Make the felt what the record says: the screen shows every open card in its place."""
        if view.room is not None and self.stub.put_right(view):
            return
        if view.now.act.key.removeprefix("act.carry_out.") == "reread_all":
            self._showing.begin(self.hand.reread())
        else:
            if view.now.act.key == "act.carry_out.move_card.sealed":
                self.hand.move_sealed(view)
            self.hand.as_recorded(view)
            if again:
                self.hand.show(view)

    def _shuffle_the_other_deck(self, view: TableView, now_ms: int) -> None:
        self.rig.do(lambda rig: self._shuffler.feed(rig, view, now_ms))


def _reveal(dealer: SimDealer, view: TableView) -> None:
    """Turn the down cards of the box the console names."""
    box, felt = str(view.now.act.values["box"]).removeprefix("box."), dealer.rig.felt
    for slot, lying in felt.view().top().items():
        if slot[0] == box and lying.face is CardFace.DOWN:
            felt.turn(*slot)


def _lay(dealer: SimDealer, view: TableView) -> None:
    """Lay the street; a card of it that fell is told of, and picked up."""
    if dealer.hand.fallen:
        dealer.command(c.ReportIncident(actor=dealer.actor, kind="dropped_card"))
        dealer.hand.lay_back()
    lay_street(dealer.rig.felt, view)


def _shuffle_stub(dealer: SimDealer) -> None:
    """By hand, in view; then he says so."""
    if dealer.command(c.ShuffleStub(actor=dealer.actor)):
        dealer.stub.shuffle(dealer.rig)


def next_slot(view: TableView) -> Slot | None:
    """The place the console shows as the next; where another card was let lie in it, the first that is free."""
    awaited = next(_places(view, "awaited"), None)
    if awaited is not None or view.now.act.key != "act.deal":
        return awaited
    due = str(view.now.act.values.get("box", "")).removeprefix("box.")
    return min(_places(view, "empty"), key=lambda slot: slot[0] != due, default=None)


def _places(view: TableView, state: str) -> Iterator[Slot]:
    """The places that are shown so, in the order of the felt."""
    return ((box.key, card.place) for box in view.boxes for card in box.places if card.state == state)


_CARD_TOO_MANY: Final = frozenset({"extra_card", "early_card", "exposed_card", "misplaced_card"})

_TIDY: Mapping[str, Callable[[SimDealer, TableView], None]] = {
    "act.clear_felt": SimDealer._clear,
    "act.collect_cards": SimDealer._clear,
    "act.reveal": _reveal,
    "act.lay": _lay,
    "act.shuffle_stub": lambda dealer, view: _shuffle_stub(dealer),
    "act.square_cards": SimDealer._square,
    "act.square_burn": SimDealer._square,
    "act.load_shoe": SimDealer._load,
}

_BUTTONS: Mapping[str, Callable[[Actor], Command]] = {
    "act.start_round": lambda actor: c.StartRound(actor=actor),
    "act.open_bets": lambda actor: c.OpenBetting(actor=actor),
    "act.open_decisions": lambda actor: c.OpenBetting(actor=actor),
    "act.decide": lambda actor: c.CloseBetting(actor=actor),
    "act.bets_open": lambda actor: c.CloseBetting(actor=actor),
    "act.declare_result": lambda actor: c.DeclareResult(actor=actor),
    "act.nobody_bet": lambda actor: c.DeclareResult(actor=actor),
}
