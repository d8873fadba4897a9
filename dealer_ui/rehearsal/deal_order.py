"""The only place that knows where the next card of a deal goes on the felt, as the console shows it."""

from __future__ import annotations

from devices.camera.layout import FAN_FROM
from studio.views import TableView
from studio.views.shape import CardView

Slot = tuple[str, int]


def places(view: TableView) -> list[tuple[Slot, CardView]]:
    """Every place the console draws, in reading order."""
    return [((box.key, place.place), place) for box in view.boxes for place in box.places]


def due_slot(view: TableView) -> Slot | None:
    """Where the record waits for a card: an awaited place, or one whose card the shoe could not read."""
    return next((slot for slot, place in places(view) if place.state in ("awaited", "unread")), None)


def order_of_deal(view: TableView) -> list[Slot]:
    """The places of the boxes in the order they are dealt: one card to each box, then the next."""
    boxes = [box for box in view.boxes if box.key != "burn"]
    rounds = max((len(box.places) for box in boxes), default=0)
    return [(box.key, at + 1) for at in range(rounds) for box in boxes if at < len(box.places)]


def from_here(view: TableView, slot: Slot) -> list[Slot]:
    """This place and those dealt after it; burn cards are followed by burn cards alone.

    Where cards lie in fans nobody knows what comes after: the boxes have their say before.
    """
    if any(box.key == slot[0] and len(box.places) >= FAN_FROM for box in view.boxes):
        return [slot]
    if slot[0] == "burn":
        return [at for at, _ in places(view) if at[0] == "burn" and at[1] >= slot[1]]
    order = order_of_deal(view)
    return order[order.index(slot) :] if slot in order else [slot]


def backwards(view: TableView) -> list[Slot]:
    """The whole hand dealt Player 3, 2, 1, Banker: the house's box stays the last."""
    boxes = list(dict.fromkeys(box for box, _ in order_of_deal(view)))
    turned = [*reversed(boxes[:-1]), *boxes[-1:]]
    known = set(order_of_deal(view))
    rounds = max((place for _, place in known), default=0)
    return [(box, at) for at in range(1, rounds + 1) for box in turned if (box, at) in known]
