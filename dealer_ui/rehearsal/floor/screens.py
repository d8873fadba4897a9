"""What the people of the floor see: every table as it was shown last on the wire, as a web node draws it."""

from __future__ import annotations

import threading

from dealer_ui.config.cluster import ClusterSection
from dealer_ui.wire.asking import HostAsking
from dealer_ui.wire.far_tables import FarTables
from dealer_ui.wire.link import NatsWire
from dealer_ui.wire.presence import Neighbours
from dealer_ui.wire.terms import WireTerms
from dealer_ui.wire.web_floor import Hosts
from studio.errors import BadInputError
from studio.views import TableView


class Screens:
    """Only looks: the floor is no process of the studio, and says nothing of itself."""

    def __init__(self, section: ClusterSection) -> None:
        self._wire = NatsWire(WireTerms.of(section))
        presence = Neighbours(self._wire)
        self._far = FarTables(self._wire, presence)
        self._asking = HostAsking(self._wire)
        self._far.ask_again = Hosts(self._asking, presence, self._far, section).show_again

    def start(self) -> None:
        self._far.open()
        self._wire.start()

    def keep_looking(self, stopping: threading.Event) -> None:
        self._far.keep_looking(stopping)

    def view(self, table: str) -> TableView | None:
        """None while no host shows it, or the one that did is gone: the screen says OFFLINE, and nothing is dealt."""
        try:
            return None if self._far.is_old(table) else self._far.view(table)
        except BadInputError:
            return None

    def stop(self) -> None:
        self._asking.stopping.set()
        self._far.close()
        self._wire.stop()
