"""What the pit may tell the bettors of a table by its own choice, and how long it stands."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError
from studio.people import Actor, need_right
from studio.pit.pit_event import MessageShown

PREPARED: Final = (
    "back_soon", "technical", "checking", "new_dealer", "new_deck", "last_round", "closing", "void_explained", "thanks",
)  # fmt: skip
"""What is prepared in every language, as keys of the catalogue."""

WORDS_MAX: Final = 200
AT_A_TABLE_MAX: Final = 3


@dataclass(frozen=True, slots=True)
class Message:
    """A message that stands."""

    id: str
    table: str
    text: str
    words: str
    until: str
    round: str
    by: str
    by_name: str
    at_ms: int

    def is_over(self, *, stopped: bool, round: str) -> bool:
        """Whether it ends by itself at a table that stands so."""
        match self.until:
            case "goes_on":
                return not stopped
            case "round":
                return bool(round) and round != self.round
        return False


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message as somebody asks for it. `stays`: until it is taken away by hand."""

    table: str
    text: str
    words: str
    stays: bool


def compose(
    draft: MessageDraft, actor: Actor, standing: Sequence[Message], *, stopped: bool, round: str
) -> MessageShown:
    """The message, without id and time yet; `stopped`: the table is held, paused or closed."""
    need_right(actor, "tell_bettors")
    words = clean(draft.words)
    if draft.text and draft.text not in PREPARED:
        raise RefusedError("unknown_message", "There is no such prepared message; choose one of the list.")
    if not draft.text and not words:
        raise RefusedError("message_empty", "Choose a message, or write a few words.")
    if len(words) > WORDS_MAX:
        raise RefusedError("message_long", f"That is too long for the bettors' screens: at most {WORDS_MAX} letters.")
    if len(standing) >= AT_A_TABLE_MAX:
        raise RefusedError("messages_full", "Three messages stand at this table already: take one away first.")
    until = "hand" if draft.stays else "goes_on" if stopped else "round"
    return MessageShown(
        id="", table=draft.table, text=draft.text, words=words, until=until, round=round, by=actor.id,
        by_name=actor.name, at_ms=0,
    )  # fmt: skip


def clean(words: str) -> str:
    """Words on one line, without what no screen should get: control and direction marks."""
    kept = (one if unicodedata.category(one)[0] != "C" else " " for one in words)
    return " ".join("".join(kept).split())
