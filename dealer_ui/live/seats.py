"""Counts streams: how many a lane seats, and how many of one holder."""

from __future__ import annotations

import resource
import threading
from collections import Counter
from dataclasses import dataclass
from typing import Final

KEPT_FILES: Final = 256
"""Open files the studio needs for itself: devices, database, pictures."""
FILES_MAX: Final = 200_000
A_SESSION: Final = 24
AN_OPERATOR: Final = 2_000
AN_ADDRESS: Final = 64


def open_files() -> int:
    """How many files this process may have open; it takes all that the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES_MAX if most == resource.RLIM_INFINITY else min(most, FILES_MAX)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    return most


class StreamSeats:
    """At most `limit` at once, and `each` of one holder: a session, an operator, an address. Thread-safe."""

    def __init__(self, limit: int, each: int) -> None:
        self.limit = limit
        self.each = each
        self._held: Counter[str] = Counter()
        self._taken = 0
        self._lock = threading.Lock()

    def take(self, holder: str) -> bool:
        with self._lock:
            if self._taken >= self.limit or self._held[holder] >= self.each:
                return False
            self._held[holder] += 1
            self._taken += 1
            return True

    def leave(self, holder: str) -> None:
        with self._lock:
            self._taken -= 1
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]

    @property
    def taken(self) -> int:
        with self._lock:
            return self._taken


@dataclass(frozen=True, slots=True)
class Capacity:
    """How many connections that ask, and streams of each lane, the open files allow. No lane takes another's.

    >>> Capacity.of_files(20_000)
    Capacity(connections=4096, staff=1000, operators=2468, bettors=4936, public=4936)
    """

    connections: int = 4_096
    staff: int = 1_000
    operators: int = 2_000
    bettors: int = 5_000
    public: int = 5_000

    @classmethod
    def of_files(cls, files: int) -> Capacity:
        eighth = max(1, (files - KEPT_FILES) // 8)
        return cls(
            connections=min(4_096, 2 * eighth), staff=min(1_000, eighth), operators=min(20_000, eighth),
            bettors=min(50_000, 2 * eighth), public=min(50_000, 2 * eighth),
        )  # fmt: skip
