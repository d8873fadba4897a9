"""The reason a person gives for an act: when its code is enough, and when it takes words beside it."""

from __future__ import annotations

from typing import Final

from studio.errors import RefusedError

OTHER: Final = "other"
"""The code that says nothing by itself."""


def need_reason(code: str, words: str) -> None:
    """Refuse an act at a table that waits unless its reason is clear: a code, with words where the code is `other`."""
    if not code:
        raise RefusedError("reason_needed", "Choose a reason: it is kept with the act.", which="code")
    if code == OTHER and not words.strip():
        raise RefusedError("words_needed", "Something else: write a few words that say what, they are kept.")
