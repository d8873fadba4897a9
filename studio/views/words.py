"""A message of the catalogue as a view carries it: its key, and what fills it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.spoken import Value


@dataclass(frozen=True, slots=True)
class Words:
    """A message of the catalogue with what fills it in: `Words("act.deal", {"box": "player1", "place": 2})`.

    `inner` are messages that fill it in beside the values, as a hand does in who wins with it.
    """

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)
    inner: Mapping[str, Words] = field(default_factory=dict)
