"""How far behind the camera of a table is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lateness:
    """How old the pictures are that it judges, and how many of 100 it leaves out."""

    behind_ms: int
    shed_percent: int
