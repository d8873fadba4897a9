"""Messages of the catalogue as views carry them: what may be done now, or why it cannot; what the bettors are told."""

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

    def __hash__(self) -> int:
        """Messages that are equal have one key; what fills them in is no part of this, for a mapping has no hash."""
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class ButtonView:
    """A command the person may give now.

    `refused`: the sentence why it is off, None where it is on; with its words' key and what they are filled with.
    """

    command: str
    label: Words
    refused: str | None = None
    shortcut: str = ""
    refused_key: str = ""
    refused_values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HindranceView:
    """Why something cannot be done yet: the sentence, the key of its words, and the values that fill them in."""

    refused: str
    refused_key: str
    refused_values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MessageView:
    """What the bettors are told. `says` is in every language, where it is a sentence of ours; `words` are the pit's.

    `because` is the class of the reason, a key of the catalogue; `id` is empty of what is told by itself.
    """

    says: Words | None
    because: str = ""
    words: str = ""
    id: str = ""
    at_ms: int = 0
    until: str = ""
