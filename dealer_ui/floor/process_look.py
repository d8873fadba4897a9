"""A process of a studio on several machines, as the floor's page shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from studio.pit import RunningHost

HERE: Final = "here"
GONE: Final = "gone"
_TABLE_HOST: Final = "table"


@dataclass(frozen=True, slots=True)
class ProcessLook:
    """`state`: here, gone, or version where it runs another one. `runs` are its tables, `may` those it could run.
    `load` is its machine's, as a share of its cores; `gone_ms`: when it was heard last, 0 while it is there.
    """

    name: str
    role: str
    state: str
    runs: tuple[str, ...]
    may: tuple[str, ...]
    load: float
    waiting: int
    streams: int
    gone_ms: int = 0

    @property
    def tables(self) -> int:
        return len(self.runs)


def hosts_among(processes: Iterable[ProcessLook]) -> tuple[RunningHost, ...]:
    """The table hosts, as orders to move tables see them."""
    return tuple(
        RunningHost(one.name, one.runs, one.may, one.state == HERE) for one in processes if one.role == _TABLE_HOST
    )
