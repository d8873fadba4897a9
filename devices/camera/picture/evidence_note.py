"""What a kept picture carries in itself, as its JPEG's comment: when it was taken, what was read."""

from __future__ import annotations

import json
from typing import Any, Final

_COMMENT: Final = b"\xff\xfe"
_BYTES_MAX: Final = 65_000


def with_note(jpeg: bytes, note: dict[str, Any]) -> bytes:
    """The same picture with the note right after its first mark."""
    comment = json.dumps(note, separators=(",", ":")).encode()
    if len(comment) > _BYTES_MAX:
        raise ValueError("A note is longer than a JPEG's comment may be.")
    return jpeg[:2] + _COMMENT + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def note_of(picture: bytes) -> dict[str, Any]:
    """What a kept picture says of itself: `at_ms`, `model`, and where it was read `scores` and `quad`.

    `scores` are the probabilities of both halves, `quad` the card's corners in the picture. Nothing where no note is.
    """
    if picture[2:4] != _COMMENT:
        return {}
    length = int.from_bytes(picture[4:6], "big")
    try:
        found = json.loads(picture[6 : 4 + length])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
