"""Who was turned away at a door: counted for the monitoring, and written to a file as one line of JSON each.

    {"at": "2026-03-01T12:00:00.000Z", "door": "interface", "reason": "key_unknown", "address": "10.0.0.7", "who": ""}

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

FILE_BYTES_MAX: Final = 10 * 1024 * 1024
FILES_KEPT: Final = 4
"""Of those that are full, beside the one that is written."""
_ADDRESS_MAX: Final = 64

Door = Literal["interface", "sign_in", "console"]


class TurnedAway:
    """Thread-safe. Until `keep_in` names a file the lines go nowhere; a disk that takes none stops nobody."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._path: Path | None = None

    @property
    def counts(self) -> Mapping[tuple[str, str], int]:
        """How often, by door and reason, since the studio began."""
        with self._lock:
            return dict(self._counts)

    def keep_in(self, path: Path) -> None:
        self._path = path

    def note(self, door: Door, reason: str, address: str | None, who: str = "") -> None:
        """Somebody was refused; `reason` is the key of the refusal."""
        at = datetime.fromtimestamp(self._now_ms() / 1000, UTC).isoformat(timespec="milliseconds")
        told = {"at": at.replace("+00:00", "Z"), "door": door, "reason": reason}
        line = json.dumps({**told, "address": (address or "")[:_ADDRESS_MAX], "who": who}) + "\n"
        with self._lock:
            self._counts[door, reason] += 1
            if self._path is not None:
                with contextlib.suppress(OSError):
                    _append(self._path, line.encode())


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
