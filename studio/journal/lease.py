"""Who runs a table: one host at a time, for as long as it says so again and again; and what a commit asks of that.

    taken, epoch n ──renewed each few seconds──► lapsed ──another host──► taken, epoch n + 1

Time is the database's own. A commit asks for the epoch alone and inside its own transaction: whoever was taken over,
writes nothing more of that table, whatever he believes, and whoever was only late writes on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Protocol

from studio.errors import BadInputError, StorageError

LEASE_S: Final = 15.0
"""So long a host is believed that has not renewed."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A host's hold of a table, the `epoch`th that anybody has had."""

    table: str
    epoch: int


@dataclass(frozen=True, slots=True)
class LeaseLook:
    """How a table's lease stands; `left_s` is below 0 once it has lapsed."""

    lease: Lease
    host: str
    left_s: float


class LeaseLostError(StorageError):
    """Another host has taken the table; nothing of the unit was kept."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(f"Another host runs the table {table} now, so nothing is kept here: go on there.")


class DeviceClashError(BadInputError):
    """One device is named by two tables, which are dealt on two hosts; the table is not taken."""

    def __init__(self, device: str, table: str, other: str, host: str) -> None:
        sentence = (
            f"The device {device} of the table {table} is that of the table {other} at the host {host} too: one device"
            " serves one table; give each its own."
        )
        super().__init__(sentence)


class Leases(Protocol):
    """One host's leases. Every method may raise `StorageError` while the database is away; one thread at a time."""

    @property
    def host(self) -> str: ...

    def take(self, table: str, devices: Collection[str] = ()) -> Lease | None:
        """Take a table that is nobody's, one's own of an earlier run, or whose lease has lapsed; None where another
        host has it. `devices`: the addresses of what it is dealt with; `DeviceClashError` where another table that is
        dealt has one of them.
        """

    def renew(self, leases: Collection[Lease]) -> frozenset[Lease]:
        """Hold these on; gives those that another host has taken."""

    def look(self) -> tuple[LeaseLook, ...]:
        """How every lease stands."""

    def hand_over(self, lease: Lease, to: str) -> None:
        """Have the table be that host's, which is to take it; where it does not, the lease lapses."""

    def close(self) -> None: ...
