"""What one look of the camera shows."""

from __future__ import annotations

from studio.cards import Card
from studio.tables.state.felt import Seen


def open_face(look: Seen) -> Card | None:
    """The face the camera read, where a face-up card is due; None without a face or without its key."""
    return look.sealed.card() if look.sealed is not None and look.sealed.has_key else None


def kept(*evidence: str) -> tuple[str, ...]:
    """The digests of pictures that were kept."""
    return tuple(one for one in evidence if one)
