"""What is left where the right cards of a settled round would have made another deal. Pure.

A card that was never drawn cannot be paid, and one that was drawn cannot be undone: what remains is to void the hands
concerned, so that the rest of the deal stands as it lay, or to void the round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from studio.errors import RefusedError
from studio.rounds import HandVoided
from studio.tables.correction.due_return import touched_boxes
from studio.tables.correction.preview import Weighed, weigh
from studio.tables.event.correction import Righting
from studio.tables.past.dossier import Dossier
from studio.tables.state.box import zones_of


@dataclass(frozen=True, slots=True)
class OtherWay:
    """Void the hand of these `boxes`, or the round where there are none; with it, what it comes to."""

    boxes: tuple[str, ...]
    pays: str
    weighed: Weighed


def other_ways(dossier: Dossier, facts: Sequence[Righting]) -> tuple[OtherWay, ...]:
    """The ways that can be gone with these cards, the smallest first; none in a game whose deal is always alike."""
    if dossier.game.owned is None:
        return ()
    return tuple(_ways(dossier, facts))


def _ways(dossier: Dossier, facts: Sequence[Righting]) -> Iterator[OtherWay]:
    boxes = tuple(sorted(touched_boxes(dossier, (*dossier.round.facts, *facts))))
    if boxes and all(dossier.game.owned and dossier.game.owned.boxes_of([f"{box}:main"]) for box in boxes):
        voided = tuple(HandVoided(box=box, zones=zones_of(dossier.game, box)) for box in boxes)
        with suppress(RefusedError):  # without these hands the dealer would have drawn otherwise: the round is left
            yield OtherWay(boxes, "", weigh(dossier, (*facts, *voided), void=False))
    for pays in dossier.game.payment.paid_though_void:
        yield OtherWay((), pays, weigh(dossier, facts, void=True, pays=pays))
