"""What a measurement says: a figure, the raw cost beside it, and what it must hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """`raw` is the same work done bare, in the same unit and the same run; None where nothing compares.

    `target` says in words what must hold, `holds` whether it does; None where nothing is promised.
    """

    name: str
    value: float
    unit: str
    raw: float | None = None
    raw_name: str = ""
    target: str = ""
    holds: bool | None = None

    @property
    def ratio(self) -> float | None:
        return self.value / self.raw if self.raw else None


@dataclass(frozen=True, slots=True)
class Measurement:
    """`run` works at most a minute or so, cleans up after itself, and gives its figures in the order to be read."""

    key: str
    title: str
    run: Callable[[], Sequence[Figure]]
