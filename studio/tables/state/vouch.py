"""Who vouches for a card where the two eyes did not settle it: kept with the round, and shown beside the eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from studio.tables.event import incident as e

_AGAINST_AN_EYE: Final = frozenset({"shoe", "camera", "manual"})


@dataclass(frozen=True, slots=True)
class Vouch:
    """People said what a card is: by a `ruling`, or by a correction. `approved_by` is empty where one pit boss read it
    from the picture.
    """

    ruling: str
    by: str
    by_name: str
    approved_by: str = ""
    approved_by_name: str = ""


def vouch_of(kind: str, event: e.IncidentRuled) -> Vouch | None:
    """What a ruling on an incident of this kind says of its cards; None where people vouch for none.

    A dealer who lets an unsure card pass gives no reason and vouches for nothing: the camera still owes its word.
    """
    from_picture = kind == "camera_unsure" and event.ruling == "continue" and bool(event.reason_code)
    if event.ruling not in _AGAINST_AN_EYE and not from_picture:
        return None
    return Vouch(
        event.ruling, event.asked_by, event.asked_by_name or event.asked_by, event.approved_by,
        event.approved_by_name or event.approved_by,
    )  # fmt: skip
