"""Where sessions lie that more than one process knows: whoever is signed in at one web node is so at every other.

A process that is brought a token it does not know asks the shelf for it. The shelf has what is needed to go on with a
session and when it was used last, under a digest of its token; who is signed in where is on record, and counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec
import structlog

from studio.errors import StorageError

_LOG: Final = structlog.get_logger("dealer_ui.sessions")


class KeptSession(msgspec.Struct, frozen=True):
    """A session as it lies there: whose, where, since when, and the sign that its forms carry."""

    id: str
    station: str
    address: str
    since_ms: int
    csrf: str


_KEPT: Final = msgspec.json.Decoder(KeptSession)


class KeptRows(Protocol):
    """Where they lie; every method may raise `StorageError`."""

    def keep(self, digest: str, body: str, seen_ms: int) -> None: ...

    def find(self, digest: str) -> tuple[str, int] | None: ...

    def used(self, digest: str, seen_ms: int) -> None: ...

    def end(self, digest: str) -> None: ...

    def lapse(self, before_ms: int) -> None: ...

    def close(self) -> None: ...


class NoRows:
    """Of a studio that is one process: sessions lie in its memory."""

    def keep(self, digest: str, body: str, seen_ms: int) -> None:
        """It is known here."""

    def find(self, digest: str) -> tuple[str, int] | None:
        return None

    def used(self, digest: str, seen_ms: int) -> None:
        """It is known here."""

    def end(self, digest: str) -> None:
        """It was known here."""

    def lapse(self, before_ms: int) -> None:
        """There is nothing."""

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class SessionShelf:
    """What cannot be reached now has nothing: then a session is of the process that opened it."""

    rows: KeptRows = field(default_factory=NoRows)

    def keep(self, token: str, session: KeptSession, seen_ms: int) -> None:
        self._tried(lambda: self.rows.keep(_digest(token), msgspec.json.encode(session).decode(), seen_ms))

    def find(self, token: str) -> tuple[KeptSession, int] | None:
        """The session of this token, and when somebody used it last."""
        found: list[tuple[str, int] | None] = []
        self._tried(lambda: found.append(self.rows.find(_digest(token))))
        if not found or found[0] is None:
            return None
        body, seen_ms = found[0]
        return _KEPT.decode(body.encode()), seen_ms

    def seen_ms(self, token: str) -> int | None:
        """When it was used last at any process; 0 where nobody knows it, None while nobody can be asked."""
        seen: list[int] = []

        def look() -> None:
            found = self.rows.find(_digest(token))
            seen.append(found[1] if found is not None else 0)

        self._tried(look)
        return seen[0] if seen else None

    def used(self, token: str, seen_ms: int) -> None:
        self._tried(lambda: self.rows.used(_digest(token), seen_ms))

    def lapse(self, before_ms: int) -> None:
        self._tried(lambda: self.rows.lapse(before_ms))

    def end(self, token: str) -> None:
        self._tried(lambda: self.rows.end(_digest(token)))

    def _tried(self, act: Callable[[], object]) -> None:
        try:
            act()
        except StorageError as error:
            _LOG.warning("sessions of other processes cannot be reached", why=str(error))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
