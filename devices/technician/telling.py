"""Observations as plain values: with faces for a closed table, without for an open one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from studio.cards import Sealed, SealedCard
from studio.ports import (
    CommandAnswered,
    CutCardOut,
    DeckVerified,
    LineIdled,
    LinkDown,
    LinkUp,
    Observation,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeLocked,
    ShoeStandby,
    ShoeStarted,
    ShufflerAlarm,
    ShufflerHello,
    ShufflerState,
    UnreadableFrame,
)

FACELESS: Final = (
    LinkUp, LinkDown, LineIdled, UnreadableFrame, CommandAnswered, ShoeStarted, ShoeStandby, CutCardOut,
    ShoeErrorRaised, ShoeErrorCleared, ShoeLocked, ShufflerHello, ShufflerState, DeckVerified, ShufflerAlarm,
)  # fmt: skip
"""What says nothing of a card, in any of its fields. Whatever is not here is told by its name alone."""

_USUAL: Final = (("outside_game", False), ("resent", False), ("error_mode", False))
"""What a person need not be told each time."""


def told(seen: Observation) -> dict[str, Any]:
    """An observation as plain values, seals opened: for closed tables."""
    plain: dict[str, Any] = {"observation": type(seen).__name__}
    for name in seen.__struct_fields__:
        value = getattr(seen, name)
        match value:
            case SealedCard():
                plain[name] = str(value.card())
            case Sealed():
                plain["hex"] = value.open().hex(" ")
            case _ if name != "at_ms":
                plain[name] = value
    plain["at"] = datetime.fromtimestamp(seen.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    return plain


def in_words(seen: Observation, *, faces: bool) -> str:
    """An observation as one line; without `faces` only what can say nothing of a card.

    >>> in_words(ShufflerState(device="m", at_ms=0, state="ready"), faces=False)
    'ShufflerState  state=ready'
    """
    name = type(seen).__name__
    if not faces and not isinstance(seen, FACELESS):
        return name
    plain = told(seen)
    for known in ("observation", "device", "at"):
        plain.pop(known)
    said = (f"{key}={value}" for key, value in plain.items() if value not in ("", None) and (key, value) not in _USUAL)
    return "  ".join((name, *said))
