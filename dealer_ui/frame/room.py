"""The rooms of the house, as its menu names them, and who may enter which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dealer_ui.access.sessions import Viewer


@dataclass(frozen=True, slots=True)
class Room:
    """A page. `word` is a key of the catalogues; whoever may do one of the `actions` may enter."""

    path: str
    word: str
    actions: tuple[str, ...]


ROOMS: Final = (
    Room("/pit", "pit.title", ("view_pit",)),
    Room("/pit/complaints", "complaint.title", ("view_pit",)),
    Room("/pit/wallets", "wallets.title", ("view_pit",)),
    Room("/pit/pots", "pots.title", ("view_pit",)),
    Room("/decks", "decks.title", ("view_decks",)),
    Room("/reports", "report.title", ("view_reports",)),
    Room("/audit", "record.title", ("view_audit",)),
    Room("/operators", "operators.title", ("view_operators",)),
    Room("/shift", "shift.title", ("view_shift",)),
    Room("/staff", "staff.title", ("view_staff",)),
    Room("/procedure", "procedure.title", ("view_pit",)),
    Room("/devices", "devices.title", ("view_devices",)),
    Room("/technician", "technician.title", ("view_technician",)),
)
"""Every room of the menu, in its order."""


def rooms_of(viewer: Viewer | None) -> tuple[Room, ...]:
    """The rooms this person may enter; none where there is nothing to choose."""
    if viewer is None:
        return ()
    found = tuple(room for room in ROOMS if any(map(viewer.may, room.actions)))
    return found if len(found) > 1 else ()
