"""A web node put together: pages and the operators' interface over tables that run on other hosts. It owns nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from flask import Flask

from dealer_ui.assembly.on_wire import OnWire, record_of, secret_home
from dealer_ui.assembly.web import Numbers, tell_numbers, web_of
from dealer_ui.config.cluster import ClusterSection
from dealer_ui.config.file import StudioConfig
from dealer_ui.desk.duty import DUTY_KINDS
from dealer_ui.desk.relying_party import party_of
from dealer_ui.desk.second_factor import SecondFactors
from dealer_ui.process.beside import keep_at
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.factor_file import FactorFile
from dealer_ui.process.secret import peppers_beside
from dealer_ui.serving.tls import tls_of
from dealer_ui.wire.presence import Vitals
from dealer_ui.wire.wallet_news import WalletNews
from dealer_ui.wire.web_floor import WebFloor
from studio.journal import ReadingRoom
from studio.people import Argon2PinHasher

_RETRY_S: Final = 1.0
_STOP_S: Final = 1.5


@dataclass(slots=True, eq=False)
class WebNode:
    """A running web node. `start` and `stop` are called once each, by the main thread."""

    config: StudioConfig
    floor: WebFloor
    app: Flask
    on_wire: OnWire
    record: ReadingRoom
    _stopping: threading.Event = field(default_factory=threading.Event)
    _beside: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Come on the wire; pages are served before the first table was heard of."""
        self.on_wire.come_up()
        console = self.app.extensions["console"]
        vitals = Vitals(streams=lambda: sum(lane.seats.taken for lane in console.lanes.each))
        self.on_wire.keep(self.keep, self.floor.now_ms, vitals)
        self.keep("desks", self.floor.keep_up)
        self.keep("tickets", self.app.extensions["tickets"].keep_up)
        if (tls := self.app.extensions["tls"]) is not None:
            self.keep("certificate", tls.watch)

    def close_streams(self) -> None:
        """End every live screen, for good."""
        self.on_wire.tables.close()
        self.app.extensions["console"].close()

    def stop(self) -> None:
        self._stopping.set()
        self.close_streams()
        self.on_wire.stop()
        for thread in self._beside:
            thread.join(_STOP_S)
        self.app.extensions["console"].sessions.let_go()
        self.app.extensions["tickets"].let_go()
        self.floor.close_readers()
        self.record.close()

    def keep(self, name: str, work: Callable[[threading.Event], None]) -> None:
        """Run something beside the pages until the node stops; what fails is told, and begun again."""
        run = partial(keep_at, name, work, self._stopping, retry_s=_RETRY_S)
        thread = threading.Thread(target=run, name=name, daemon=True)
        self._beside.append(thread)
        thread.start()


def build_web_node(config: StudioConfig) -> WebNode:
    """Put it together; nothing runs yet. `BadInputError` where the record cannot be read."""
    section = config.cluster
    assert section is not None, "a web node is one of several processes"
    with ExitStack() as opened:
        record = record_of(config)
        opened.callback(record.close)
        node = _assemble(config, section, record, opened)
        opened.pop_all()
    return node


def _assemble(config: StudioConfig, section: ClusterSection, record: ReadingRoom, opened: ExitStack) -> WebNode:
    """`opened` closes again what is opened here, where the rest cannot be put together."""
    on_wire = OnWire(section, record.reader)
    home = secret_home(config)
    peppers = peppers_beside(home)
    hasher = Argon2PinHasher(peppers=peppers)
    with record.reader() as reader:
        clock = SteadyClock(reader.newest_ms())
        floor = WebFloor(config, on_wire.hosts, on_wire.tables, record.reader, hasher)
        opened.callback(floor.close_readers)
        floor.use_clock(clock.now_ms)
        factors = FactorFile(home.with_name(f"{home.name}.factors"), *peppers.newest_first)
        people, party = config.people, party_of(config)
        floor.staff.second = SecondFactors(
            floor.staff, factors, people.second_factor, passkey_only=people.passkey_only, party=party
        )
        floor.desks.restore(signs_out=False)
        floor.duty_of_record(reader.events(kinds=DUTY_KINDS))
        floor.tellers.begin(reader)
    floor.staff.listeners.append(floor.hear)
    on_wire.listen()
    WalletNews(on_wire.wire, floor.tellers).open()
    beside = Path(config.studio.database).with_name(f"{section.host}.web")
    app = web_of(floor, beside, tls_of(config.server.tls))
    tell_numbers(app, floor, Numbers())
    return WebNode(config, floor, app, on_wire, record)
