"""Which pots are fed, and by whom: by tables as they are dealt now, and by what the configuration names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from dealer_ui.config.file import StudioConfig
from dealer_ui.desk.pit import PitDesk
from dealer_ui.desk.pot import PotMove, move_pot, pots
from studio.journal import Reader
from studio.people import Actor
from studio.views.shape import TableView

Feeders = Mapping[str, tuple[str, ...]]
"""By pot, whoever feeds it."""
MovePot = Callable[[PotMove, Feeders, Actor, Actor | None], int]
"""Moves all of a pot that nobody feeds: what is asked, what whoever asks sees fed at any host, by whom, beside whom."""


class FedFloor(Protocol):
    """A floor, as far as it is needed here."""

    @property
    def config(self) -> StudioConfig: ...

    @property
    def tables(self) -> Sequence[str]: ...

    def view(self, table: str) -> TableView: ...


def feeders(floor: FedFloor, beside: Feeders | None = None) -> Feeders:
    """The titles of the tables that feed each pot now, and the presets and tables of the file that name it. `beside`:
    what another process sees, of tables that run elsewhere.
    """
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for pot, named in (beside or {}).items():
        found[pot] |= dict.fromkeys(named)
    for view in map(floor.view, floor.tables):
        if view.game.pot is not None:
            found[view.game.pot.key][view.title] = None
    for table in floor.config.tables:
        if table.pot:
            found[table.pot][table.title] = None
    for name, preset in floor.config.presets.items():
        if preset.pot:
            found[preset.pot][name] = None
    return {pot: tuple(named) for pot, named in found.items()}


class PotFloor(FedFloor, Protocol):
    """A floor that keeps money."""

    @property
    def pit(self) -> PitDesk: ...

    @property
    def reader(self) -> Callable[[], Reader]: ...


def moved_here(floor: PotFloor, asked: PotMove, fed: Feeders, by: Actor, beside: Actor | None) -> int:
    """See `MovePot`."""
    return move_pot(floor.pit, pots(floor.reader(), feeders(floor, fed)), asked, by, beside)
