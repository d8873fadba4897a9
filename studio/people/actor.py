"""Who does a command, how long an entered PIN speaks for him (60 s, one act), and the reason he gives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from studio.errors import RefusedError
from studio.people.right import ACTIONS, Role, may

OTHER: Final = "other"
"""The code that says nothing by itself."""


PIN_VALID_MS = 60_000
CLOCKS_APART_MS: Final = 5_000
"""A PIN is typed at one machine and may be looked at by another, whose clock is so far behind at the most."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody signed in. `pin_at_ms`: when the PIN was entered for the act at hand, None when it was not."""

    id: str
    name: str
    roles: frozenset[str]
    pin_at_ms: int | None = None

    def may(self, action: str) -> bool:
        return may(self.roles, action)

    def with_pin(self, at_ms: int) -> Actor:
        """The same person, the PIN just entered."""
        return replace(self, pin_at_ms=at_ms)

    def after_act(self) -> Actor:
        """The same person once the act is done: his PIN counted for that act only."""
        return replace(self, pin_at_ms=None)

    def pin_is_fresh(self, now_ms: int) -> bool:
        return self.pin_at_ms is not None and -CLOCKS_APART_MS <= now_ms - self.pin_at_ms < PIN_VALID_MS


def need_right(actor: Actor, action: str) -> None:
    """Refuse unless this person may do the action."""
    if not actor.may(action):
        raise RefusedError("not_allowed", f"{actor.name} may not do this. Ask {_who_may(action)}.")


def need_fresh_pin(actor: Actor, now_ms: int) -> None:
    """Refuse unless the PIN was entered for this act, no longer than 60 s ago."""
    if not actor.pin_is_fresh(now_ms):
        raise RefusedError("pin_needed", "Enter your PIN again to confirm this; it counts for one act, for 60 seconds.")


def _who_may(action: str) -> str:
    return " or ".join(_NAMED[role] for role in Role if role in ACTIONS[action])


_NAMED = {
    Role.DEALER: "a dealer",
    Role.PIT_BOSS: "a pit boss",
    Role.AUDITOR: "an auditor",
    Role.TECHNICIAN: "a technician",
    Role.ADMIN: "an administrator",
}


def need_reason(code: str, words: str) -> None:
    """Refuse an act at a table that waits unless its reason is clear: a code, with words where the code is `other`."""
    if not code:
        raise RefusedError("reason_needed", "Choose a reason: it is kept with the act.", which="code")
    if code == OTHER and not words.strip():
        raise RefusedError("words_needed", "Something else: write a few words that say what, they are kept.")
