"""What the server bears of those who connect: how many, how many of one address, and how slow."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.process.address import neighbours

HERE: Final = frozenset({"127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class ServingLimit:
    """`head_s` from the first byte of a request to the end of its head, or from connecting to the first byte; `body_s`
    to the end of its body; `idle_s` between two requests. `excepted`: addresses that many people share."""

    connections: int = 4_096
    an_address: int = 256
    head_s: float = 10.0
    body_s: float = 30.0
    idle_s: float = 30.0
    excepted: frozenset[str] = HERE


@dataclass(slots=True)
class Patience:
    """How long one connection has kept the server waiting."""

    since_s: float
    begun_s: float | None = None
    served: bool = False

    def hears(self, now_s: float) -> None:
        """Something of a request has come."""
        self.begun_s = now_s if self.begun_s is None else self.begun_s

    def has_whole(self, now_s: float) -> None:
        """A request has come whole."""
        self.begun_s, self.since_s, self.served = None, now_s, True

    def is_over(self, limit: ServingLimit, now_s: float, *, head_read: bool) -> bool:
        """
        >>> new, slow = Patience(0.0), Patience(0.0, begun_s=5.0)
        >>> new.is_over(ServingLimit(), 11.0, head_read=False), slow.is_over(ServingLimit(), 11.0, head_read=False)
        (True, False)
        >>> slow.is_over(ServingLimit(), 16.0, head_read=False), slow.is_over(ServingLimit(), 16.0, head_read=True)
        (True, False)
        """
        if self.begun_s is not None:
            return now_s - self.begun_s > (limit.body_s if head_read else limit.head_s)
        return now_s - self.since_s > (limit.idle_s if self.served else limit.head_s)


@dataclass(slots=True)
class Addresses:
    """How many connections each address has; asked on the server's own thread."""

    limit: ServingLimit
    _held: Counter[str] = field(default_factory=Counter)

    def enter(self, address: str, *, excepted: bool = False) -> bool:
        """Let one more connection of this address in, if it may have one more. `excepted`: the address is a proxy's,
        which has no limit.
        """
        excepted, address = excepted or address in self.limit.excepted, neighbours(address)
        if not excepted and self._held[address] >= self.limit.an_address:
            return False
        self._held[address] += 1
        return True

    def share(self, address: str) -> int:
        """How many connections the address has; 0 for an address that many people share."""
        return 0 if address in self.limit.excepted else self._held[neighbours(address)]

    def leave(self, address: str) -> None:
        address = neighbours(address)
        self._held[address] -= 1
        if self._held[address] <= 0:
            del self._held[address]
