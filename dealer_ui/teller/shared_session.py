"""The sessions of wallets in a studio on several machines: every table host knows them, wherever a bettor was launched.

They lie beside the record, in the same database, each closed under the secret that the studio's hosts share.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import threading
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, Protocol

from dealer_ui.teller.session import KEPT_MS, WalletSessions
from studio.errors import SealedError, StorageError
from studio.journal.keys.wrapping import DataKey

KNOWN_MOST: Final = 20_000
"""So many sessions a host remembers at most; of others it asks again."""
LAPSE_MS: Final = 86_400_000
FRESH_S: Final = 2.0
"""So long a session that is known is not looked up again: his operator may have launched him anew elsewhere."""


class KeptSessions(Protocol):
    """Rows of sessions; `StorageError` while they cannot be reached."""

    def keep(self, operator: str, bettor: str, closed: str, at_ms: int) -> None: ...

    def find(self, operator: str, bettor: str) -> str | None: ...

    def lapse(self, before_ms: int) -> None: ...

    def close(self) -> None: ...


class SharedSessions(WalletSessions):
    """Thread-safe. `peppers` gives the shared secrets, the newest first: what one closed opens under it for ever."""

    def __init__(
        self, rows: KeptSessions, peppers: Callable[[], Sequence[bytes]], monotonic: Callable[[], float]
    ) -> None:
        super().__init__()
        self._rows = rows
        self._peppers = peppers
        self._monotonic = monotonic
        self._looked: dict[tuple[str, str], float] = {}
        self._looking = threading.Lock()
        self._lapsed_ms = 0

    def begin(self, now_ms: int) -> None:
        """What is over goes, now and each day; `StorageError` while the database is away."""
        self._lapsed_ms = now_ms
        self._rows.lapse(now_ms - KEPT_MS)

    def open(self, operator: str, bettor: str, session: str, now_ms: int) -> None:
        """From now on this is the bettor's session, at every host. `StorageError` where it cannot be kept."""
        if now_ms - self._lapsed_ms > LAPSE_MS:
            self.begin(now_ms)
        closed = _key(self._peppers()[0]).close(f"{operator}/{bettor}", session.encode())
        self._rows.keep(operator, bettor, closed, now_ms)
        self._know(operator, bettor, session)

    def of(self, operator: str, bettor: str) -> str:
        """Empty where he was never launched. While the database is away it is what this host knew last."""
        looked_s = self._looked.get((operator, bettor), float("-inf"))
        if self._monotonic() - looked_s >= FRESH_S:
            with contextlib.suppress(StorageError):
                closed = self._rows.find(operator, bettor)
                self._know(operator, bettor, self._opened(f"{operator}/{bettor}", closed) if closed else "")
        return super().of(operator, bettor)

    def close(self) -> None:
        self._rows.close()

    def _know(self, operator: str, bettor: str, session: str) -> None:
        """The last one looked up is the last in the book; the first are forgotten."""
        with self._looking:
            super().open(operator, bettor, session, 0)
            self._looked.pop((operator, bettor), None)
            self._looked[operator, bettor] = self._monotonic()
            for whose in list(islice(self._looked, max(len(self._looked) - KNOWN_MOST, 0))):
                del self._looked[whose]
                self._forget(*whose)

    def _opened(self, whose: str, closed: str) -> str:
        """Empty where it was closed under a secret that the studio has no more."""
        for pepper in self._peppers():
            with contextlib.suppress(SealedError):
                return _key(pepper).open(whose, closed).decode()
        return ""


def _key(pepper: bytes) -> DataKey:
    return DataKey(hmac.new(pepper, b"sessions of wallets", hashlib.sha256).digest())
