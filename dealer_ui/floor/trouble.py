"""How bad a table stands: which comes first on the pit's screen, and why, in a key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from studio.views.shape import IncidentView, TableView

_RANKS: Final = ("held", "called", "incident", "device", "open", "paused", "closed")


@dataclass(frozen=True, slots=True)
class Trouble:
    """`word` is a key of the catalogue (`trouble.held`); `since_ms` is when it began, 0 when nobody noted it."""

    word: str
    since_ms: int = 0

    @property
    def order(self) -> tuple[int, int]:
        """The key that sorts the worst first: the kind of trouble, then the one that began earliest."""
        return _RANKS.index(self.word), self.since_ms


def trouble_of(view: TableView) -> Trouble:
    """
    A closed table has no trouble, whatever its devices say.
    """
    if view.status == "closed":
        return Trouble("closed")
    if view.held:
        return Trouble("held", _first(incident for incident in view.incidents if incident.holds))
    if view.pit_called_by:
        return Trouble("called")
    if view.incidents:
        return Trouble("incident", _first(view.incidents))
    if view.camera_blind or not all(view.links.values()):
        return Trouble("device")
    return Trouble("paused" if view.status == "paused" else "open")


def worst_first(views: Iterable[TableView]) -> list[tuple[TableView, Trouble]]:
    """Every table with its trouble, the worst first; tables in equal trouble by title."""
    found = [(view, trouble_of(view)) for view in views]
    return sorted(found, key=lambda pair: (*pair[1].order, _natural(pair[0].title), pair[0].table))


def _natural(title: str) -> tuple[object, ...]:
    """
    >>> sorted(["Table 10", "Table 9"], key=_natural)
    ['Table 9', 'Table 10']
    """
    parts = re.split(r"([0-9]+)", title)
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in parts)


def _first(incidents: Iterable[IncidentView]) -> int:
    return min((incident.opened_at_ms for incident in incidents), default=0)
