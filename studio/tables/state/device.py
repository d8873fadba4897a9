"""What is known of a table's devices: whether they answer, who they are, how the shoe and the camera are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.tables.state.identity import Presence
from studio.tables.state.lateness import Lateness


@dataclass(frozen=True, slots=True)
class Devices:
    """`links` and `presences` by the device's id."""

    links: Mapping[str, bool] = field(default_factory=dict)
    presences: Mapping[str, Presence] = field(default_factory=dict)
    shoe_errors: frozenset[str] = frozenset()
    shoe_restarted: bool = False
    camera_blind: str = ""
    camera_late: Lateness | None = None
