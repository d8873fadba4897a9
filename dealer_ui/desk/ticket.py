"""The tickets of bettors' pages: who may look at one table as one bettor, for how long, and how often.

A ticket is a random token, which an operator gets for his bettor and hands on. Only its digest is kept, in a store that
outlives the program and that other processes of the studio may share. It opens one page. A ticket that lets the bettor
play is bound to the first browser that comes with it, by a secret which that browser keeps; anybody else with the
address can only look on.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import structlog

from studio.errors import RefusedError, StorageError

_LOG: Final = structlog.get_logger("dealer_ui.desk")
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
LOOK_S: Final = 1.0
"""So often a process looks what others have made of the tickets it knows."""


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
    went_on_ms: int = 0
    """When the bettor last said that he goes on; 0 where he has not yet."""

    def is_played_by(self, secret: str) -> bool:
        """Whether this secret belongs to the browser that plays with this ticket."""
        return bool(self.player) and hmac.compare_digest(self.player, _digest(secret))


class TicketStore(Protocol):
    """Where tickets are kept over a restart of the program, and where other processes of the studio find them.

    Everything but `tidy` and `close` may raise `StorageError`. `keep` takes a new ticket. `change` keeps to which
    browser one is bound and that its bettor goes on, and gives it as it then stands, since another process may have
    been first; None where it was ended. `find` gives one that another process gave out, `of` all those of a bettor, the
    oldest first, and `still` those of the known ones that stand: None where no other process ends or changes any.
    """

    def read(self) -> tuple[Ticket, ...]: ...

    def keep(self, ticket: Ticket) -> None: ...

    def change(self, ticket: Ticket) -> Ticket | None: ...

    def end(self, digests: Iterable[str]) -> None: ...

    def tidy(self, tickets: Iterable[Ticket], count: int) -> None: ...

    def find(self, digest: str) -> Ticket | None: ...

    def of(self, operator: str, bettor: str) -> tuple[Ticket, ...] | None: ...

    def still(self, digests: Collection[str]) -> tuple[Ticket, ...] | None: ...

    def close(self) -> None: ...


class OneProcess:
    """What a store answers of other processes where there are none."""

    def find(self, digest: str) -> Ticket | None:
        return None

    def of(self, operator: str, bettor: str) -> tuple[Ticket, ...] | None:
        return None

    def still(self, digests: Collection[str]) -> tuple[Ticket, ...] | None:
        return None

    def close(self) -> None:
        """Nothing is open."""


class NoStore(OneProcess):
    """A restart ends every ticket."""

    def read(self) -> tuple[Ticket, ...]:
        return ()

    def keep(self, ticket: Ticket) -> None:
        """It is kept nowhere."""

    def change(self, ticket: Ticket) -> Ticket | None:
        return ticket

    def end(self, digests: Iterable[str]) -> None:
        """It was kept nowhere."""

    def tidy(self, tickets: Iterable[Ticket], count: int) -> None:
        """There is nothing to tidy."""


@dataclass(slots=True)
class _Use:
    ticket: Ticket
    left: float
    at_s: float
    streams: int = 0
    pictures: int = 0


class _KnownTickets:
    """The tickets that are known here, and how much they are asked for; thread-safe, and nobody waits long."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self.lock = threading.RLock()
        self.uses: dict[str, _Use] = {}
        self._held: dict[tuple[str, str], list[str]] = {}

    def of(self, operator: str, bettor: str) -> tuple[Ticket, ...]:
        """The bettor's, the oldest first."""
        with self.lock:
            held = (self.uses.get(digest) for digest in self._held.get((operator, bettor), ()))
            return tuple(use.ticket for use in held if use is not None)

    def newest(self, ticket: Ticket) -> Ticket:
        use = self.uses.get(ticket.digest)
        return use.ticket if use is not None else ticket

    def take_in(self, ticket: Ticket) -> None:
        with self.lock:
            if ticket.digest not in self.uses:
                self._held.setdefault((ticket.operator, ticket.bettor), []).append(ticket.digest)
                self.uses[ticket.digest] = _Use(ticket, BURST, self._monotonic())

    def settle(self, known: Iterable[str], found: Iterable[Ticket], *, new: bool = True) -> None:
        """Of those known here those alone stand that were found; what was found and is `new` is taken in.

        Whoever looked without keeping others from ending one takes none in: it may be over by now.
        """
        stand = {ticket.digest: ticket for ticket in found}
        with self.lock:
            self.drop(digest for digest in known if digest not in stand)
            for digest, ticket in stand.items():
                if (use := self.uses.get(digest)) is not None:
                    went_on_ms = max(use.ticket.went_on_ms, ticket.went_on_ms)
                    use.ticket = replace(ticket, player=use.ticket.player or ticket.player, went_on_ms=went_on_ms)
                elif new:
                    self.take_in(ticket)

    def drop(self, digests: Iterable[str]) -> None:
        with self.lock:
            for digest in digests:
                if (use := self.uses.pop(digest, None)) is None:
                    continue
                whose = (use.ticket.operator, use.ticket.bettor)
                held = [one for one in self._held.pop(whose, ()) if one != digest]
                if held:
                    self._held[whose] = held

    def make_room(self, now_ms: int) -> None:
        """For one more; `RefusedError` where there is none."""
        with self.lock:
            if len(self.uses) >= TICKETS_MAX:
                self.drop([digest for digest, use in self.uses.items() if use.ticket.expires_at_ms <= now_ms])
            if len(self.uses) >= TICKETS_MAX:
                raise RefusedError("tickets_taken", "All pages the studio can keep are given out; ask again later.")

    def spend(self, ticket: Ticket) -> bool:
        """Whether one more request may be answered now."""
        with self.lock:
            use = self.uses.get(ticket.digest)
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
        with self.lock:
            use = self.uses.get(ticket.digest)
            if use is None or use.streams >= STREAMS_MAX:
                return False
            use.streams += 1
            return True

    def leave_stream(self, ticket: Ticket) -> None:
        with self.lock:
            if use := self.uses.get(ticket.digest):
                use.streams -= 1

    def take_picture(self, ticket: Ticket) -> bool:
        with self.lock:
            use = self.uses.get(ticket.digest)
            if use is None or not use.ticket.plays or use.pictures >= STREAMS_MAX:
                return False
            use.pictures += 1
            return True

    def leave_picture(self, ticket: Ticket) -> None:
        with self.lock:
            if use := self.uses.get(ticket.digest):
                use.pictures -= 1


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
        self._keeping = threading.Lock()
        """Held by whoever gives out, ends or changes a ticket; he waits for the store."""
        self._known = _KnownTickets(monotonic)
        self._ends = 0
        """How often tickets were ended here."""
        self.spend = self._known.spend
        self.take_stream, self.leave_stream = self._known.take_stream, self._known.leave_stream
        self.take_picture, self.leave_picture = self._known.take_picture, self._known.leave_picture
        self._store = store or NoStore()
        for ticket in self._store.read():
            if now_ms() < ticket.expires_at_ms:
                self._known.take_in(ticket)

    def issue(  # noqa: PLR0913 - one field of the ticket each
        self, operator: str, bettor: str, table: str, *, language: str, valid_s: int, plays: bool = False,
        returns_to: str = "",
    ) -> tuple[str, Ticket]:  # fmt: skip
        """A new token and its ticket; the bettor's oldest ends when he has too many."""
        token, now_ms = self._fresh_token(), self._now_ms()
        with self._keeping:
            self._known.make_room(now_ms)
            held = self._meet(operator, bettor)
            open_now = [ticket for ticket in held if now_ms < ticket.expires_at_ms]
            ticket = Ticket(
                _digest(token), operator, bettor, table, language, now_ms + valid_s * 1000, plays,
                since_ms=min((one.since_ms for one in open_now if one.since_ms), default=now_ms),
                returns_to=returns_to, went_on_ms=max((one.went_on_ms for one in open_now), default=0),
            )  # fmt: skip
            if over := held[: max(0, len(held) + 1 - A_BETTOR_MAX)]:
                self._end(over)
            self._store.keep(ticket)
            self._known.take_in(ticket)
            with self._known.lock:
                uses = self._known.uses
                self._store.tidy((use.ticket for use in uses.values()), len(uses))
        return token, ticket

    def went_on_ms(self, ticket: Ticket) -> int:
        """When the bettor last said that he goes on; where he has not, when his play began."""
        return max(ticket.since_ms, ticket.went_on_ms)

    def go_on(self, ticket: Ticket) -> Ticket:
        """The bettor says now that he goes on, on each of his pages; gives the ticket as it then is."""
        now_ms = self._now_ms()
        with self._keeping:
            for held in self._meet(ticket.operator, ticket.bettor):
                self._change(replace(held, went_on_ms=now_ms))
        return self._known.newest(ticket)

    def look(self, token: str) -> Ticket | None:
        """The ticket of this token where it is known here, for whoever must not wait."""
        use = self._known.uses.get(_digest(token))
        return use.ticket if use is not None and self._now_ms() < use.ticket.expires_at_ms else None

    def find(self, token: str) -> Ticket | None:
        """The ticket of this token; None when the token is unknown, was revoked, or has expired.

        One that another process gave out is asked for once, and is known here from then on; `StorageError` where nobody
        can be asked now. Whoever has one that is known here waits for nobody who writes.
        """
        digest = _digest(token)
        while digest not in self._known.uses:
            ends = self._ends
            if (ticket := self._store.find(digest)) is None:
                break
            self._known.make_room(self._now_ms())
            with self._known.lock:
                if ends == self._ends:  # else it may be one of those that ended meanwhile
                    self._known.take_in(ticket)
        return self.look(token)

    def newest(self, ticket: Ticket) -> Ticket:
        """The ticket as it stands at this moment, whoever has changed it last."""
        if (found := self._store.still((ticket.digest,))) is not None:
            self._known.settle((ticket.digest,), found, new=False)
        return self._known.newest(ticket)

    def bind(self, ticket: Ticket, secret: str) -> Ticket:
        """Bind a playing ticket to the browser that holds this secret, unless a browser has it already; gives the
        ticket as it then is.
        """
        if not ticket.plays or ticket.player:
            return ticket
        with self._keeping:
            ticket = self._known.newest(ticket)
            if ticket.player or ticket.digest not in self._known.uses:
                return ticket
            return self._change(replace(ticket, player=_digest(secret))) or ticket

    def revoke(self, operator: str, bettor: str) -> int:
        """End every ticket of the bettor, whoever gave it out; gives how many there were."""
        with self._keeping:
            if held := self._meet(operator, bettor):
                self._end(held)
        return len(held)

    def keep_up(self, stopping: threading.Event) -> None:
        """See what other processes have made of the tickets that are known here; a thread's whole work."""
        told = ""
        while not stopping.wait(LOOK_S):
            try:
                self.look_again()
                told = ""
            except StorageError as error:
                if told != (told := str(error)):
                    _LOG.warning("tickets of other processes cannot be looked at", why=told)

    def look_again(self) -> None:
        """What others have ended is over here too. While the store cannot be asked, what was known holds."""
        with self._known.lock:
            known = tuple(self._known.uses)
        if (found := self._store.still(known)) is not None:
            self._known.settle(known, found, new=False)

    def let_go(self) -> None:
        """Close what tickets are kept in."""
        self._store.close()

    def _meet(self, operator: str, bettor: str) -> tuple[Ticket, ...]:
        """Every ticket of this bettor, whoever gave it out, the oldest first; known here from now on."""
        held = self._known.of(operator, bettor)
        if (found := self._store.of(operator, bettor)) is None:
            return held
        self._known.settle((ticket.digest for ticket in held), found)
        return tuple(self._known.newest(ticket) for ticket in found)

    def _change(self, ticket: Ticket) -> Ticket | None:
        changed = self._store.change(ticket)
        self._known.settle((ticket.digest,), () if changed is None else (changed,))
        return changed

    def _end(self, tickets: Iterable[Ticket]) -> None:
        digests = [ticket.digest for ticket in tickets]
        self._store.end(digests)
        with self._known.lock:
            self._ends += 1
            self._known.drop(digests)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
