"""What is known of the cards on the felt: the camera's look at each place, those in none, and people's word on one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from studio.cards import Card, SealedCard
from studio.ports import CardFace
from studio.spoken import Slot
from studio.tables.event import incident as e

_AGAINST_AN_EYE: Final = frozenset({"shoe", "camera", "manual"})


class Seen(msgspec.Struct, frozen=True):
    """What the camera last said of a place. `sealed` stays closed unless its face is due."""

    face: CardFace
    sealed: SealedCard | None
    at_ms: int
    evidence: str = ""
    confidence: float = 0.0


class Felt(msgspec.Struct, frozen=True):
    """`looks` by place; `strays` are the points where a card lies in no place."""

    looks: Mapping[Slot, Seen] = msgspec.field(default_factory=dict)
    strays: frozenset[tuple[float, float]] = frozenset()

    @property
    def clear(self) -> bool:
        return not self.looks and not self.strays


def open_face(look: Seen) -> Card | None:
    """The face the camera read, where a face-up card is due; None without a face or without its key."""
    return look.sealed.card() if look.sealed is not None and look.sealed.has_key else None


def kept(*evidence: str) -> tuple[str, ...]:
    """The digests of pictures that were kept."""
    return tuple(one for one in evidence if one)


class Vouch(msgspec.Struct, frozen=True):
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
