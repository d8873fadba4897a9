"""What the first of two people asks, and the mark that tells it from every other request."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """The first of two people has asked for a ruling."""

    ruling: str
    arguments: tuple[str, ...]
    asked_by: str
    asked_by_name: str
    reason_code: str
    words: str
    expires_at_ms: int

    @property
    def mark(self) -> str:
        """A digest of the request that its approval carries: a yes to this request is no yes to a later one."""
        return hashlib.sha256(repr(astuple(self)).encode()).hexdigest()[:16]
