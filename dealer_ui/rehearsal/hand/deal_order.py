"""Where the next card of a deal goes on the felt, as the console shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from dealer_ui.rehearsal.hand.script_act import DEFAULTS, acts_of, walks
from devices.camera.felt import layout
from studio.games import find_game
from studio.ports import CardFace
from studio.rulebook.hand_terms import BOARD
from studio.rulebook.script import Deal, Rules
from studio.spoken import Slot
from studio.views import TableView
from studio.views.shape import CardView


@dataclass(frozen=True, slots=True)
class Due:
    """One card of a deal: its place, whether it is laid face up or down, and the number of its run (cards dealt without
    a stop in between).
    """

    slot: Slot
    face: CardFace
    run: int


def deal_of(game: str, rules: Rules = DEFAULTS) -> tuple[Due, ...]:
    """The cards of the boxes in the order of the rulebook under these house rules, as far as every deal has them alike:
    what comes after depends on the cards, or on what somebody chooses.

    Not for a game whose seats play among themselves: who is dealt in is known when the hand begins.
    """
    return _deal_of(game, tuple(sorted(rules.items())))


@cache
def _deal_of(game: str, rules: tuple[tuple[str, Any], ...]) -> tuple[Due, ...]:
    found: list[Due] = []
    counts: dict[str, int] = {}
    run = 0
    for step, *others in zip(*walks(game, dict(rules)), strict=False):
        if any(other != step for other in others):
            break
        if isinstance(step, Deal):
            counts[step.box] = counts.get(step.box, 0) + 1
            found.append(Due((step.box, counts[step.box]), step.face, run))
        else:
            run += 1
    return tuple(found)


def reveals(view: TableView) -> str:
    """The box whose down cards the console wants turned; empty when it wants none."""
    return str(view.now.act.values["box"]).removeprefix("box.") if view.now.act.key == "act.reveal" else ""


def places(view: TableView) -> list[tuple[Slot, CardView]]:
    """Every place the console draws, in reading order."""
    return [((box.key, place.place), place) for box in view.boxes for place in box.places]


def due_slot(view: TableView) -> Slot | None:
    """Where the record waits for a card: an awaited place, or one whose card the shoe could not read."""
    return next((slot for slot, place in places(view) if place.state in ("awaited", "unread")), None)


def order_of_deal(view: TableView) -> list[Slot]:
    """The places of the boxes in the order they are dealt; where seats play, those of the seats that are dealt in."""
    if view.room is None:
        return [due.slot for due in deal_of(view.game.key, view.game.rules)]
    own = {box.key: len(box.places) for box in view.boxes}
    dealt_in = view.room.dealt_in
    hole = [(seat, at) for at in range(1, max((own[seat] for seat in dealt_in), default=0) + 1) for seat in dealt_in]
    return [*hole, *((BOARD, at) for at in range(1, own.get(BOARD, 0) + 1))]


def face_due(view: TableView, slot: Slot) -> CardFace:
    """How a card is laid in this place; burn and discard are face down, and so is what a seat is dealt."""
    if slot[0] in ("burn", "discard"):
        return CardFace.DOWN
    if (peers := find_game(view.game.key).peers) is not None:
        return CardFace.DOWN if slot[0] in peers.seats else CardFace.UP
    if slot == due_slot(view):
        return CardFace.DOWN if view.now.act.key == "act.deal_down" else CardFace.UP
    return next((due.face for due in deal_of(view.game.key, view.game.rules) if due.slot == slot), CardFace.UP)


def deals_down(game: str, rules: Rules = DEFAULTS) -> bool:
    """Whether any card of this game is dealt face down under these house rules."""
    return "act.deal_down" in acts_of(game, rules)


def from_here(view: TableView, slot: Slot) -> list[Slot]:
    """This place and those dealt after it without a stop. After a burn card come burn cards only.

    Just this place where cards lie in fans or seats play: there only the record knows, card by card, what comes next.
    """
    if view.room is not None or is_fan(view, slot):
        return [slot]
    if slot[0] == "burn":
        return [at for at, _ in places(view) if at[0] == "burn" and at[1] >= slot[1]]
    order = deal_of(view.game.key, view.game.rules)
    at = next((at for at, due in enumerate(order) if due.slot == slot), None)
    return [slot] if at is None else [due.slot for due in order[at:] if due.run == order[at].run]


def is_fan(view: TableView, slot: Slot) -> bool:
    """Whether the cards of this place's box lie on each other."""
    return any(box.key == slot[0] and layout.is_fan(box.key, len(box.places)) for box in view.boxes)


def backwards(view: TableView) -> list[Slot]:
    """The whole hand dealt Player 3, 2, 1, Banker: the house's box stays the last."""
    boxes = list(dict.fromkeys(box for box, _ in order_of_deal(view)))
    turned = [*reversed(boxes[:-1]), *boxes[-1:]]
    known = set(order_of_deal(view))
    rounds = max((place for _, place in known), default=0)
    return [(box, at) for at in range(1, rounds + 1) for box in turned if (box, at) in known]
