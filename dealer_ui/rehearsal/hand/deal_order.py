"""Where the next card of a deal goes on the felt, as the console shows it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from dealer_ui.rehearsal.hand.script_act import walk
from devices.camera.felt.layout import FAN_FROM
from studio.games import find_game
from studio.games.hand_terms import BOARD
from studio.games.script import Deal
from studio.ports import CardFace
from studio.spoken import Slot
from studio.views import TableView
from studio.views.shape import CardView


@dataclass(frozen=True, slots=True)
class Due:
    """One card of a deal: its place, how it is laid, and which run of cards without a stop between it is in."""

    slot: Slot
    face: CardFace
    run: int


@cache
def deal_of(game: str) -> tuple[Due, ...]:
    """The cards of the boxes in the order of the rulebook, for a game that deals whatever anybody chooses.

    Not for a game whose seats play among themselves: who is dealt in is known when the hand begins.
    """
    found: list[Due] = []
    counts: dict[str, int] = {}
    run = 0
    for step in walk(find_game(game), random.Random("deal")):
        if isinstance(step, Deal):
            counts[step.box] = counts.get(step.box, 0) + 1
            found.append(Due((step.box, counts[step.box]), step.face, run))
        else:
            run += 1
    return tuple(found)


def reveals(view: TableView) -> str:
    """The box whose down cards the console wants turned; empty when it wants none."""
    return str(view.act.values["box"]).removeprefix("box.") if view.act.key == "act.reveal" else ""


def places(view: TableView) -> list[tuple[Slot, CardView]]:
    """Every place the console draws, in reading order."""
    return [((box.key, place.place), place) for box in view.boxes for place in box.places]


def due_slot(view: TableView) -> Slot | None:
    """Where the record waits for a card: an awaited place, or one whose card the shoe could not read."""
    return next((slot for slot, place in places(view) if place.state in ("awaited", "unread")), None)


def order_of_deal(view: TableView) -> list[Slot]:
    """The places of the boxes in the order they are dealt; where seats play, those of the seats that are dealt in."""
    if view.room is None:
        return [due.slot for due in deal_of(view.game)]
    own = {box.key: len(box.places) for box in view.boxes}
    dealt_in = view.room.dealt_in
    hole = [(seat, at) for at in range(1, max((own[seat] for seat in dealt_in), default=0) + 1) for seat in dealt_in]
    return [*hole, *((BOARD, at) for at in range(1, own.get(BOARD, 0) + 1))]


def face_due(view: TableView, slot: Slot) -> CardFace:
    """How a card is laid in this place; burn and discard are face down, and so is what a seat is dealt."""
    if slot[0] in ("burn", "discard"):
        return CardFace.DOWN
    if (peers := find_game(view.game).peers) is not None:
        return CardFace.DOWN if slot[0] in peers.seats else CardFace.UP
    return next((due.face for due in deal_of(view.game) if due.slot == slot), CardFace.UP)


def deals_down(game: str) -> bool:
    """Whether any card of this game is dealt face down."""
    found = find_game(game)
    return found.peers is not None or any(due.face is CardFace.DOWN for due in deal_of(game))


def from_here(view: TableView, slot: Slot) -> list[Slot]:
    """This place and those dealt after it before anybody is asked; burn cards are followed by burn cards alone.

    Where cards lie in fans, and where seats play, the record alone knows what comes after: it is asked card by card.
    """
    if view.room is not None or is_fan(view, slot):
        return [slot]
    if slot[0] == "burn":
        return [at for at, _ in places(view) if at[0] == "burn" and at[1] >= slot[1]]
    order = deal_of(view.game)
    at = next((at for at, due in enumerate(order) if due.slot == slot), None)
    return [slot] if at is None else [due.slot for due in order[at:] if due.run == order[at].run]


def is_fan(view: TableView, slot: Slot) -> bool:
    """Whether the cards of this place's box lie on each other."""
    return any(box.key == slot[0] and len(box.places) >= FAN_FROM for box in view.boxes)


def backwards(view: TableView) -> list[Slot]:
    """The whole hand dealt Player 3, 2, 1, Banker: the house's box stays the last."""
    boxes = list(dict.fromkeys(box for box, _ in order_of_deal(view)))
    turned = [*reversed(boxes[:-1]), *boxes[-1:]]
    known = set(order_of_deal(view))
    rounds = max((place for _, place in known), default=0)
    return [(box, at) for at in range(1, rounds + 1) for box in turned if (box, at) in known]
