"""A simulated floor: the machines of every table, and a dealer and two pit bosses at each, who see what the wire shows
and press at the web nodes.

It is the physical world of a studio of several processes. Whichever of these dies, cards lie where they lay and the
shoe holds what it held.
"""

from __future__ import annotations

import random
import secrets
import ssl
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import structlog

from dealer_ui.config.file import StudioConfig
from dealer_ui.process.clock import SteadyClock
from dealer_ui.rehearsal.demo.options import UNSURE_S
from dealer_ui.rehearsal.demo.staff import STAFF
from dealer_ui.rehearsal.floor.browser import Browser
from dealer_ui.rehearsal.floor.form import form_of
from dealer_ui.rehearsal.floor.screens import Screens
from dealer_ui.rehearsal.floor.stand import Stand
from dealer_ui.rehearsal.person.dealer import DealerPace, SimDealer
from dealer_ui.rehearsal.person.pit import SimPit
from devices.stop import until_stopped
from studio.errors import BadInputError
from studio.people import Actor
from studio.tables.declaration import Command
from studio.views import TableView

_LOG: Final = structlog.get_logger("dealer_ui.rehearsal.floor")
_LOOK_S: Final = 0.05
_AGAIN_S: Final = 1.0
_ENDS_S: Final = 2.0
_PEOPLE: Final = (0, 2, 3)
"""Who works each table, of the demo's staff: a dealer and two pit bosses."""


@dataclass(slots=True, eq=False)
class NodeDesk:
    """One table as the people at it see and command it. One thread."""

    table: str
    screens: Screens
    browsers: dict[str, Browser]
    seen: TableView | None = None

    def look(self) -> bool:
        """Look at the screen anew; whether there is a table to work at."""
        self.seen = self.screens.view(self.table)
        return self.seen is not None

    def view(self) -> TableView:
        """As it was looked at last, or as it is by now."""
        self.seen = self.screens.view(self.table) or self.seen
        assert self.seen is not None, "nobody works at a table that was never shown"
        return self.seen

    def command(self, command: Command) -> None:
        """Press it at a web node, meant for the table as it was looked at last."""
        pressed = replace(command, id=secrets.token_hex(16), seen=self.seen.moves if self.seen else None)
        browser = self.browsers[command.actor.id]
        browser.press(self.table, form_of(pressed), types_pin=command.actor.pin_at_ms is not None)


class SimFloor:
    """`start` and `stop` once each, by the main thread."""

    def __init__(
        self, config: StudioConfig, nodes: Sequence[str], *, seed: int, speed: float, tls: ssl.SSLContext | None = None
    ) -> None:
        """`nodes`: the addresses of web nodes, `host:port`; `tls`: what the machines show of themselves.

        `BadInputError` where the configuration names no floor that can be played here.
        """
        if config.cluster is None or not nodes:
            sentence = "A floor is played for a studio of several processes: name its [cluster], and its web nodes."
            raise BadInputError(sentence)
        self._nodes, self._seed, self._speed = tuple(nodes), seed, speed
        self._clock = SteadyClock()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self.screens = Screens(config.cluster)
        self.stands: list[Stand] = []
        try:
            for at, table in enumerate(config.tables):
                self.stands.append(Stand(config, table, seed + at, speed, self._clock, tls))
        except BaseException:
            self._let_go()
            raise

    def start(self) -> None:
        self.screens.start()
        self._beside("screens", self.screens.keep_looking)
        for at, stand in enumerate(self.stands):
            stand.start()
            self._beside(f"machines {stand.key}", stand.pump)
            self._beside(f"people {stand.key}", partial(self._people, stand, at))

    def run(self) -> None:
        """Play until the process is told to stop."""
        try:
            with until_stopped() as stopped:
                self.start()
                stopped.wait()
        finally:
            self.stop()

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(_ENDS_S)
        self.screens.stop()
        self._let_go()

    def _let_go(self) -> None:
        for stand in self.stands:
            stand.close()

    def _beside(self, name: str, work: Callable[[threading.Event], None]) -> None:
        """What fails is told, and begun again."""

        def run() -> None:
            while not self._stopping.is_set():
                try:
                    return work(self._stopping)
                except Exception as error:
                    _LOG.error("something on the floor failed", name=name, exc_info=error)
                    self._stopping.wait(_AGAIN_S)

        thread = threading.Thread(target=run, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _people(self, stand: Stand, at: int, stopping: threading.Event) -> None:
        """A dealer and two pit bosses work the table while its screen is not OFFLINE; a thread's whole work."""
        browsers = {STAFF[one][0]: self._browser(one, at) for one in _PEOPLE}
        desk = NodeDesk(stand.key, self.screens, browsers)
        dealer, pit = self._dealer(stand, desk, at), self._pit(stand, desk, at)
        try:
            while not stopping.wait(max(0.005, _LOOK_S / self._speed)):
                if desk.look():
                    stand.follow(desk.view())
                    dealer.step(self._clock.now_ms())
                    pit.step(self._clock.now_ms())
        finally:
            for browser in browsers.values():
                browser.close()

    def _dealer(self, stand: Stand, desk: NodeDesk, at: int) -> SimDealer:
        pace, chance = DealerPace().faster(self._speed), random.Random(f"{self._seed}/{at}/dealer")
        return SimDealer(stand.rig, desk, _actor(_PEOPLE[0]), pace, chance)

    def _pit(self, stand: Stand, desk: NodeDesk, at: int) -> SimPit:
        people, dealer = (_actor(_PEOPLE[1]), _actor(_PEOPLE[2])), (STAFF[0][0], STAFF[0][3])
        pit = SimPit(desk, people, dealer, random.Random(f"{self._seed}/{at}/pit"))
        pit.wait_ms, pit.unsure_ms = max(20, int(1_500 / self._speed)), int(UNSURE_S * 1000)
        pit.sees = stand.rig.lies_open
        return pit

    def _browser(self, who: int, at: int) -> Browser:
        """Stations are spread over the nodes."""
        first = (who + at) % len(self._nodes)
        return Browser((*self._nodes[first:], *self._nodes[:first]), STAFF[who][1], STAFF[who][2])


def _actor(who: int) -> Actor:
    id, _, _, name, role = STAFF[who]
    return Actor(id, name, frozenset({role}))
