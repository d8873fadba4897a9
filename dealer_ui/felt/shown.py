"""What a screen draws of a felt: cards where they lie, and where the next one goes only while one is to be dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from studio.spoken import Slot
from studio.views.shape import BoxView, CardView, TableView

_DEALS: Final = frozenset({"act.burn", "act.deal", "act.deal_down"})
_BARE: Final = frozenset({"empty", "awaited"})


def shown(view: TableView) -> TableView:
    """The table with its cards where they lie.

    Nothing is next while hands are off. A card that lies in a wrong place is drawn there, and not where it belongs.
    """
    deals = view.act.key in _DEALS and not view.held
    moved = dict(_moved(view))
    if deals and not moved:
        return view
    return replace(view, boxes=tuple(_box(box, moved, deals=deals) for box in view.boxes))


def _box(box: BoxView, moved: dict[Slot, CardView], *, deals: bool) -> BoxView:
    places = tuple(moved.get((box.key, place.place), place) for place in box.places)
    if not deals:
        places = tuple(replace(place, state="empty") if place.state == "awaited" else place for place in places)
    return replace(box, places=places)


def _moved(view: TableView) -> Iterator[tuple[Slot, CardView]]:
    """Both places of a card an incident points at, as they are: bare where it belongs, the card where it lies."""
    places = {(box.key, place.place): place for box in view.boxes for place in box.places}
    for incident in view.incidents:
        to, lies = (incident.due_box, incident.due_place), (incident.box, incident.place)
        card, there = places.get(to), places.get(lies)
        if card is not None and there is not None and card.state not in _BARE and there.state in _BARE:
            yield to, CardView(card.place, "empty")
            yield lies, replace(card, place=there.place, state="sealed_owed" if card.face is None else "contradiction")
