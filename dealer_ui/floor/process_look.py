"""A process of a studio on several machines, as the floor's page shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProcessLook:
    """`state`: here, gone, or version where it runs another one. `load` is its machine's, as a share of its cores;
    `gone_ms`: when it was heard last, 0 while it is there.
    """

    name: str
    role: str
    state: str
    tables: int
    load: float
    waiting: int
    streams: int
    gone_ms: int = 0
