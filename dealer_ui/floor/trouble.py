"""How bad a table stands: which comes first on the pit's screen, and why, in a key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from studio.views.shape import IncidentView, TableView

_RANKS: Final = ("held", "called", "incident", "device", "open", "paused", "closed")


@dataclass(frozen=True, slots=True)
class TableTrouble:
    """`word` is a key of the catalogue (`trouble.held`); `since_ms` is when it began, 0 when nobody noted it."""

    word: str
    since_ms: int = 0

    @property
    def order(self) -> tuple[int, int]:
        """The key that sorts the worst first: the kind of trouble, then the one that began earliest."""
        return _RANKS.index(self.word), self.since_ms


def trouble_of(view: TableView) -> TableTrouble:
    """
    A closed table has no trouble, whatever its devices say.
    """
    if view.now.status == "closed":
        return TableTrouble("closed")
    if view.now.held:
        return TableTrouble("held", _first(incident for incident in view.incidents.open if incident.holds))
    if view.now.pit_called_by:
        return TableTrouble("called")
    if view.incidents.open:
        return TableTrouble("incident", _first(view.incidents.open))
    if view.devices.camera_blind or not all(view.devices.links.values()):
        return TableTrouble("device")
    return TableTrouble("paused" if view.now.status == "paused" else "open")


def worst_first(views: Iterable[TableView]) -> list[tuple[TableView, TableTrouble]]:
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
