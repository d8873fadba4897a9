"""The sessions operators gave with their bettors, by which their wallets know them.

They lie in a file of their own beside the database, for its owner alone: a token opens a bettor's money, so it is in no
row of the journal, no log and no repr; and what a round returns must reach him after a restart, too.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from pathlib import Path
from typing import Final

from studio.care.signing import sync_folder, write_secret

KEPT_MS: Final = 120 * 86_400_000
"""So long a session is known: as long as ids of movements are kept."""


LINES_SPARE: Final = 10_000
"""So many lines of sessions that are over the file may hold before it is written anew."""


class WalletSessions:
    """The newest of each bettor; thread-safe. Without a `path` they end with the program."""

    def __init__(self, path: Path | None = None, now_ms: int = 0) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._of: dict[tuple[str, str], tuple[str, int]] = {}
        self._lines = 0
        if path is not None:
            self._read(path, now_ms)

    def open(self, operator: str, bettor: str, session: str, now_ms: int) -> None:
        """From now on this is the bettor's session. `OSError` where it cannot be kept."""
        with self._lock:
            if self._path is not None:
                self._append(self._path, operator, bettor, session, now_ms)
            self._of[operator, bettor] = (session, now_ms)
            if self._path is not None and self._lines > 2 * len(self._of) + LINES_SPARE:
                self._write_anew(self._path, now_ms)

    def of(self, operator: str, bettor: str) -> str:
        """Empty where he was never launched here."""
        return self._of.get((operator, bettor), ("", 0))[0]

    def _forget(self, operator: str, bettor: str) -> None:
        with self._lock:
            self._of.pop((operator, bettor), None)

    def close(self) -> None:
        """Nothing is asked after any more."""

    def _append(self, path: Path, operator: str, bettor: str, session: str, now_ms: int) -> None:
        """It is on the disk when this returns: whatever he wins has to reach him, also where the power goes."""
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            size = os.fstat(file).st_size
            is_torn = bool(size) and os.pread(file, 1, size - 1) != b"\n"  # the disk was full in the middle of a line
            line = b"\n" * is_torn + _line(operator, bettor, session, now_ms)
            while line:
                line = line[os.write(file, line) :]
            os.fdatasync(file)
        finally:
            os.close(file)
        if not size:
            sync_folder(path.parent)  # its name, too
        self._lines += 1

    def _read(self, path: Path, now_ms: int) -> None:
        """What can be read of the file, written anew without what is over."""
        try:
            lines = path.read_bytes().splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            with contextlib.suppress(ValueError, TypeError):  # the machine stopped in the middle of a line
                operator, bettor, session, at_ms = json.loads(line)
                self._of[str(operator), str(bettor)] = (str(session), int(at_ms))
        self._write_anew(path, now_ms)

    def _write_anew(self, path: Path, now_ms: int) -> None:
        """Without what is over. Where the disk has no room for that the file stays, until as many lines more are over:
        who is launched meanwhile is in it.
        """
        self._of = {whose: kept for whose, kept in self._of.items() if now_ms - kept[1] < KEPT_MS}
        with contextlib.suppress(OSError):
            write_secret(path, b"".join(_line(*whose, *kept) for whose, kept in self._of.items()))
        self._lines = len(self._of)


def _line(operator: str, bettor: str, session: str, at_ms: int) -> bytes:
    return json.dumps([operator, bettor, session, at_ms], ensure_ascii=False).encode() + b"\n"
