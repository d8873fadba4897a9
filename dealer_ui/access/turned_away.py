"""Who was turned away at a door: counted for the monitoring, and written to a file as one line of JSON each.

    {"at": "2026-03-01T12:00:00.000Z", "door": "interface", "reason": "key_unknown", "address": "10.0.0.7", "who": "",
     "count": 4}

Of what is alike the first of a day is a line, then the second, the fourth, the eighth…: `count` says how many it was
since the line before. So nobody pushes what went before out of the file.

No line holds a key, a PIN, a ticket or anything else that was typed: `who` is an operator or a badge that the studio
knows, or empty.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from dealer_ui.process.address import neighbours

FILE_BYTES_MAX: Final = 10 * 1024 * 1024
FILES_KEPT: Final = 4
"""Of those that are full, beside the one that is written."""
_ADDRESS_MAX: Final = 64
_DAY_MS: Final = 86_400_000
KEYS_A_DAY: Final = 1_000
"""So many addresses, doors and reasons are told apart in a day; later ones are told together, as from `MANY`."""
MANY: Final = "many"

Door = Literal["interface", "sign_in", "console"]


class TurnedAway:
    """Thread-safe. Until `keep_in` names a file the lines go nowhere; a disk that takes none stops nobody."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._path: Path | None = None
        self._day = 0
        self._alike: Counter[tuple[str, ...]] = Counter()

    @property
    def counts(self) -> Mapping[tuple[str, str], int]:
        """How often, by door and reason, since the studio began."""
        with self._lock:
            return dict(self._counts)

    def keep_in(self, path: Path) -> None:
        self._path = path

    def note(self, door: Door, reason: str, address: str | None, who: str = "") -> None:
        """Somebody was refused; `reason` is the key of the refusal."""
        now_ms = self._now_ms()
        at = datetime.fromtimestamp(now_ms / 1000, UTC).isoformat(timespec="milliseconds")
        with self._lock:
            self._counts[door, reason] += 1
            where, count = self._count(now_ms // _DAY_MS, door, reason, (address or "")[:_ADDRESS_MAX], who)
            if self._path is None or not count:
                return
            told = {"at": at.replace("+00:00", "Z"), "door": door, "reason": reason, "address": where}
            with contextlib.suppress(OSError):
                _append(self._path, (json.dumps({**told, "who": who, "count": count}) + "\n").encode())

    def _count(self, day: int, door: str, reason: str, address: str, who: str) -> tuple[str, int]:
        """From where it is told to be, and how many since the line before; 0 where no line is due."""
        if day != self._day:
            self._day, self._alike = day, Counter()
        key = (door, reason, neighbours(address), who)
        if key not in self._alike and len(self._alike) >= KEYS_A_DAY:
            address = MANY
            key = (door, reason, MANY, who)
        self._alike[key] += 1
        times = self._alike[key]
        return address, 0 if times & (times - 1) else max(1, times // 2)


def _append(path: Path, line: bytes) -> None:
    """Add a line to a file that only its owner may read; a full file is set aside first."""
    if path.exists() and path.stat().st_size + len(line) > FILE_BYTES_MAX:
        for number in range(FILES_KEPT - 1, -1, -1):
            full = _aside(path, number)
            if full.exists():
                full.replace(_aside(path, number + 1))
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line)
    finally:
        os.close(file)


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}") if number else path
