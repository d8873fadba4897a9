"""The only place for what the camera is known to see of a table, place by place, and never a face."""

from __future__ import annotations

from dataclasses import dataclass

from studio.views.shape import TableView


@dataclass(frozen=True, slots=True)
class Sight:
    """One zone where something lies or should lie. `places`: the place, and `up`, `down`, `unsure` or `none`."""

    zone: str
    places: tuple[tuple[int, str], ...]


def sights_of(view: TableView) -> tuple[Sight, ...]:
    """Zones the camera sees something in, or owes a word on; `none` is a card it does not see."""
    found = []
    for box in view.boxes:
        places = tuple(
            (card.place, card.camera or "none")
            for card in box.places
            if (card.camera or "none") != "none" or card.state not in ("empty", "awaited")
        )
        if places:
            found.append(Sight(box.key, places))
    return tuple(found)
