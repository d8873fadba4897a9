"""The ways out of an incident as the pit is offered them: each with who must agree to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError
from studio.procedures import Approval, Refund, Ruling, effective_approval
from studio.views.shape import CardView, IncidentView, TableView

REASONS: Final = (
    "dealer_error", "card_dropped", "device_fault", "camera_view", "card_damaged", "deck_wrong", "bettor_dispute",
    "drill", "other",
)  # fmt: skip
"""Why something was ruled, changed or released, as keys of the catalogue."""

TAKES_CARD: Final = frozenset({"manual"})
TAKES_BOX: Final = frozenset({"void_hand"})
TAKES_BOXES: Final = frozenset({"swap_hands"})


@dataclass(frozen=True, slots=True)
class IncidentWay:
    """A ruling that may be chosen. `takes` says what still has to be entered with it (`card`, `box`, `boxes`), or is
    empty.
    """

    ruling: str
    approval: str
    takes: str = ""

    @property
    def severe(self) -> bool:
        return self.ruling.startswith("void")


def ways(view: TableView, incident: IncidentView) -> tuple[IncidentWay, ...]:
    """What may be ruled here and now, the usual thing first."""
    return tuple(_way(view, incident, ruling) for ruling in incident.row.options or (incident.row.ruling,))


def laid_card(view: TableView, incident: IncidentView) -> CardView | None:
    """The place of the felt the incident is about, as the record has it."""
    boxes = (box for box in view.boxes if box.key == incident.where.box)
    return next((place for box in boxes for place in box.places if place.place == incident.where.place), None)


def _way(view: TableView, incident: IncidentView, ruling: str) -> IncidentWay:
    row = incident.row
    procedure = Ruling(
        row.id, row.ruling, row.options, Approval(row.approval), Refund(row.refund), row.text, row.arguments
    )
    try:
        approval = effective_approval(ruling, procedure, revealed_done=view.round.revealed)
    except RefusedError:
        approval = Approval.PIT_BOSS
    return IncidentWay(ruling, str(approval), _takes(ruling, incident))


def _takes(ruling: str, incident: IncidentView) -> str:
    if ruling in TAKES_CARD:
        return "card"
    if incident.row.arguments:
        return ""
    return "box" if ruling in TAKES_BOX else "boxes" if ruling in TAKES_BOXES else ""
