"""People's word on a card, beside what the two eyes say of it."""

from __future__ import annotations

from dataclasses import dataclass

from studio.ports import CardFace
from studio.rounds import CardDealt
from studio.tables.felt.camera_look import open_face
from studio.tables.state.felt import Seen
from studio.tables.state.table import Round


@dataclass(frozen=True, slots=True)
class VouchView:
    """`shoe` and `camera`: whether that eye has the card as it counts. `ruling` is empty where nobody had to rule: the
    shoe read nothing, and the camera's reading counts.
    """

    ruling: str
    shoe: bool
    camera: bool
    by_name: str = ""
    second_name: str = ""


def view_vouch(round: Round, fact: CardDealt, look: Seen | None) -> VouchView | None:
    """What people said of an open card of the round; None where the two eyes settled it between them."""
    vouch = round.vouched.get(fact.card.id)
    if vouch is not None:
        camera = _camera_has(fact, look)
        return VouchView(vouch.ruling, _shoe_has(round, fact), camera, vouch.by_name, vouch.approved_by_name)
    return VouchView("", shoe=False, camera=True) if fact.source == "camera" else None


def _shoe_has(round: Round, fact: CardDealt) -> bool:
    """Whether the shoe read it so; a card that people named otherwise first may be its reading all the same."""
    if fact.source == "shoe":
        return True
    read = next((one for one in round.facts if isinstance(one, CardDealt) and one.card.id == fact.card.id), None)
    return read is not None and read.source == "shoe" and read.face is fact.face


def _camera_has(fact: CardDealt, look: Seen | None) -> bool:
    """Whether the camera reads it so now; of a card that it sees no more, whether it did by the record."""
    if look is None or look.face is not CardFace.UP:
        return fact.source == "camera"
    return open_face(look) is fact.face
