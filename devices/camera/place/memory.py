"""After a restart, turns the kept pictures of the cards in a fan into memories of those cards again.

A picture counts only if the same network would still name its card. Whether that card still lies there, the fan judges
from the strip of it that shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.face.reader import HEIGHT_PX_MIN, Judgement, judge
from devices.camera.felt.layout import Fan, SlotName
from devices.camera.picture.frame import note_of
from devices.camera.picture.quadrilateral import Quad
from studio.ports import CardFace


@dataclass(frozen=True, slots=True, eq=False)
class CardMemory:
    """A card as it lay on top of its fan: what was read, its corners in the fan's flat picture, and that picture."""

    said: Judgement = field(repr=False)
    quad: Quad
    flat: NDArray[np.uint8]


def remembered(picture: bytes, model: str) -> CardMemory | None:
    """What a kept picture says, read by the network of this digest; None where that is nothing certain."""
    try:
        note = note_of(picture)
        scores, quad = np.array(note.get("scores"), np.float64), np.array(note.get("quad"), np.float32)
        flat = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    except (ValueError, TypeError, cv2.error):
        return None
    if note.get("model") != model or scores.shape != (2, 20) or quad.shape != (4, 2) or flat is None:
        return None
    if not (np.isfinite(scores).all() and np.isfinite(quad).all()):
        return None
    said = judge(scores, HEIGHT_PX_MIN)
    return None if said.face is CardFace.UNSURE else CardMemory(said, quad, np.asarray(flat, dtype=np.uint8))


def memories(fan: Fan, pictures: Mapping[SlotName, bytes], model: str) -> list[CardMemory]:
    """The remembered cards of a fan from its first place on, up to the first place without one."""
    found: list[CardMemory] = []
    for slot in fan.slots:
        card = remembered(pictures.get(slot.name, b""), model)
        if card is None:
            break
        found.append(card)
    return found
