"""The tickets of bettors' pages: who may look at one table as one bettor, for how long, and how often.

A ticket is a random token, which an operator gets for his bettor and hands on. Only its digest is kept, in a store that
outlives the program. It opens one page. A ticket that lets the bettor play is bound to the first browser that comes
with it, by a secret which that browser keeps; anybody else with the address can only look on.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from studio.errors import RefusedError

VALID_S: Final = 60 * 60
VALID_S_MAX: Final = 12 * 60 * 60
A_BETTOR_MAX: Final = 5
"""So many a bettor may hold; one more ends his oldest."""
TICKETS_MAX: Final = 200_000
BURST: Final = 30
"""So many requests at once a ticket is good for, and `REQUESTS_PER_S` in the long run."""
REQUESTS_PER_S: Final = 4.0
STREAMS_MAX: Final = 2
"""Live pages a ticket may hold open at once; further ones ask again and again instead. So many pictures it may have."""


@dataclass(frozen=True, slots=True)
class Ticket:
    digest: str = field(repr=False)
    operator: str
    bettor: str
    table: str
    language: str
    expires_at_ms: int
    plays: bool = False
    """Whether its bettor may bet and decide on the page."""
    player: str = field(default="", repr=False)
    """The digest of the secret of the browser that plays; empty until one has come."""
    since_ms: int = 0
    """When his play began: the first of his pages that was open without a break until this one."""
    returns_to: str = ""
    """Where his operator has him go when he leaves."""

    def is_played_by(self, secret: str) -> bool:
        """Whether this secret belongs to the browser that plays with this ticket."""
        return bool(self.player) and hmac.compare_digest(self.player, _digest(secret))


@dataclass(slots=True)
class _Use:
    ticket: Ticket
    left: float
    at_s: float
    streams: int = 0
    pictures: int = 0


class TicketStore(Protocol):
    """Where tickets are kept over a restart of the program."""

    def read(self) -> tuple[Ticket, ...]: ...

    def keep(self, ticket: Ticket) -> None: ...

    def end(self, digests: Iterable[str]) -> None: ...

    def tidy(self, tickets: Iterable[Ticket], count: int) -> None: ...


class NoStore:
    """A restart ends every ticket."""

    def read(self) -> tuple[Ticket, ...]:
        return ()

    def keep(self, ticket: Ticket) -> None:
        """It is kept nowhere."""

    def end(self, digests: Iterable[str]) -> None:
        """It was kept nowhere."""

    def tidy(self, tickets: Iterable[Ticket], count: int) -> None:
        """There is nothing to tidy."""


class Tickets:
    """Thread-safe. `fresh_token` gives a new unguessable token at each call; `store` has those given out before."""

    def __init__(
        self,
        fresh_token: Callable[[], str],
        now_ms: Callable[[], int],
        monotonic: Callable[[], float],
        store: TicketStore | None = None,
    ) -> None:
        self._fresh_token = fresh_token
        self._now_ms = now_ms
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._uses: dict[str, _Use] = {}
        self._held: dict[tuple[str, str], list[str]] = {}
        self._went_on: dict[tuple[str, str], int] = {}
        self._store = store or NoStore()
        for ticket in self._store.read():
            if now_ms() < ticket.expires_at_ms:
                self._take_in(ticket)

    def issue(  # noqa: PLR0913 - one field of the ticket each
        self, operator: str, bettor: str, table: str, *, language: str, valid_s: int, plays: bool = False,
        returns_to: str = "",
    ) -> tuple[str, Ticket]:  # fmt: skip
        """A new token and its ticket; the bettor's oldest ends when he has too many."""
        token, now_ms = self._fresh_token(), self._now_ms()
        with self._lock:
            ticket = Ticket(
                _digest(token), operator, bettor, table, language, now_ms + valid_s * 1000, plays,
                since_ms=self._since_ms(operator, bettor, now_ms), returns_to=returns_to,
            )  # fmt: skip
            if len(self._uses) >= TICKETS_MAX:
                self._forget(now_ms)
            if len(self._uses) >= TICKETS_MAX:
                raise RefusedError("tickets_taken", "All pages the studio can keep are given out; ask again later.")
            held = self._held.setdefault((operator, bettor), [])
            while len(held) >= A_BETTOR_MAX:
                self._store.end(held[:1])
                self._uses.pop(held.pop(0), None)
            self._take_in(ticket)
            self._store.keep(ticket)
            self._store.tidy((use.ticket for use in self._uses.values()), len(self._uses))
        return token, ticket

    def went_on_ms(self, ticket: Ticket) -> int:
        """When the bettor last said that he goes on; where he has not, when his play began."""
        return max(ticket.since_ms, self._went_on.get((ticket.operator, ticket.bettor), 0))

    def go_on(self, ticket: Ticket) -> None:
        """The bettor says now that he goes on; a restart asks him again."""
        with self._lock:
            self._went_on[ticket.operator, ticket.bettor] = self._now_ms()

    def _since_ms(self, operator: str, bettor: str, now_ms: int) -> int:
        held = (self._uses.get(digest) for digest in self._held.get((operator, bettor), ()))
        open_now = [use.ticket.since_ms for use in held if use is not None and now_ms < use.ticket.expires_at_ms]
        return min((since_ms for since_ms in open_now if since_ms), default=now_ms)

    def _take_in(self, ticket: Ticket) -> None:
        self._held.setdefault((ticket.operator, ticket.bettor), []).append(ticket.digest)
        self._uses[ticket.digest] = _Use(ticket, BURST, self._monotonic())

    def find(self, token: str) -> Ticket | None:
        """The ticket of this token; None when the token is unknown, was revoked, or has expired.

        It waits for nobody who writes: the thread that serves asks it.
        """
        use = self._uses.get(_digest(token))
        return use.ticket if use is not None and self._now_ms() < use.ticket.expires_at_ms else None

    def bind(self, ticket: Ticket, secret: str) -> Ticket:
        """Bind a playing ticket to the browser that holds this secret, unless a browser has it already; gives the
        ticket as it then is.
        """
        with self._lock:
            use = self._uses.get(ticket.digest)
            if use is None or not use.ticket.plays or use.ticket.player:
                return use.ticket if use is not None else ticket
            use.ticket = replace(use.ticket, player=_digest(secret))
            self._store.keep(use.ticket)
            return use.ticket

    def revoke(self, operator: str, bettor: str) -> int:
        """End every ticket of the bettor; gives how many there were."""
        with self._lock:
            held = [digest for digest in self._held.get((operator, bettor), ()) if digest in self._uses]
            if held:
                self._store.end(held)
            self._held.pop((operator, bettor), None)
            self._went_on.pop((operator, bettor), None)
            for digest in held:
                del self._uses[digest]
        return len(held)

    def spend(self, ticket: Ticket) -> bool:
        """Whether one more request may be answered now."""
        with self._lock:
            use = self._uses.get(ticket.digest)
            if use is None:
                return False
            now_s = self._monotonic()
            use.left = min(BURST, use.left + (now_s - use.at_s) * REQUESTS_PER_S)
            use.at_s = now_s
            if use.left < 1:
                return False
            use.left -= 1
            return True

    def take_stream(self, ticket: Ticket) -> bool:
        with self._lock:
            use = self._uses.get(ticket.digest)
            if use is None or use.streams >= STREAMS_MAX:
                return False
            use.streams += 1
            return True

    def leave_stream(self, ticket: Ticket) -> None:
        with self._lock:
            if use := self._uses.get(ticket.digest):
                use.streams -= 1

    def take_picture(self, ticket: Ticket) -> bool:
        with self._lock:
            use = self._uses.get(ticket.digest)
            if use is None or not use.ticket.plays or use.pictures >= STREAMS_MAX:
                return False
            use.pictures += 1
            return True

    def leave_picture(self, ticket: Ticket) -> None:
        with self._lock:
            if use := self._uses.get(ticket.digest):
                use.pictures -= 1

    def _forget(self, now_ms: int) -> None:
        for digest in [digest for digest, use in self._uses.items() if use.ticket.expires_at_ms <= now_ms]:
            self._drop(digest)

    def _drop(self, digest: str) -> None:
        use = self._uses.pop(digest, None)
        if use is None:
            return
        whose = (use.ticket.operator, use.ticket.bettor)
        held = [one for one in self._held.get(whose, ()) if one != digest]
        if held:
            self._held[whose] = held
        else:
            self._held.pop(whose, None)
            self._went_on.pop(whose, None)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
