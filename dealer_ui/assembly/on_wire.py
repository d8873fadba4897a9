"""A process of a studio on several machines, put on the wire: a table host's tables are shown and asked through it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import structlog

from dealer_ui.config.cluster import TABLE_HOST, ClusterSection
from dealer_ui.config.file import StudioConfig
from dealer_ui.config.reach import on_cables
from dealer_ui.desk.book import DeskBook, KeptBook, SharedBook
from dealer_ui.floor.desks import KINDS, Commit
from dealer_ui.floor.floor import Floor
from dealer_ui.floor.house import House
from dealer_ui.process.reader import Readers
from dealer_ui.wire.asking import HostAsking
from dealer_ui.wire.far_tables import FarTables
from dealer_ui.wire.host_end import HostEnd
from dealer_ui.wire.link import NatsWire
from dealer_ui.wire.message import Here, here, read_here
from dealer_ui.wire.presence import BEAT_S, Neighbours, Vitals, keep_saying
from dealer_ui.wire.terms import WireTerms
from dealer_ui.wire.wallet_news import WalletNews
from dealer_ui.wire.web_floor import CATCH_UP_S, Hosts
from studio.errors import BadInputError
from studio.journal import Reader, ReadingRoom, Store
from studio.views import TableView

_LOG: Final = structlog.get_logger("dealer_ui.wire")
_UP_S: Final = 2.0
"""So long a process waits for the wire before it starts without it."""
NAMED_S: Final = 1.3 * BEAT_S
"""So long a process that comes up hears whether another has its name: that one says so at each beat."""

Keep = Callable[[str, Callable[[threading.Event], None]], None]
"""Runs something beside the studio until it stops."""


@dataclass(eq=False)
class OnWire:
    """What every process has of the wire. `run` tells this run of it from every other."""

    section: ClusterSection
    record: Callable[[], Reader]
    run: str = field(default_factory=lambda: secrets.token_hex(8))

    def __post_init__(self) -> None:
        self._readers = Readers(self.record)
        self.close_readers = self._readers.close
        self.wire = NatsWire(WireTerms.of(self.section))
        self.presence = Neighbours(self.wire)
        self.tables = FarTables(self.wire, self.presence)
        self.asking = HostAsking(self.wire)
        self.hosts = Hosts(self.asking, self.presence, self.tables, self.section)
        self.tables.ask_again = self.hosts.show_again
        self.namesake: Here | None = None

    def listen(self) -> None:
        """Hear of every process and every table, once the wire starts."""
        self.tables.open()
        self.wire.hear(here(self.section.host), self._hear_own_name)

    def come_up(self) -> None:
        """Come on the wire, or go on without it; `BadInputError` where another process has this one's name."""
        self.wire.start()
        up, stopped = threading.Event(), threading.Event()
        self.wire.follow(up.set)
        if self.wire.up or up.wait(_UP_S):
            stopped.wait(NAMED_S)
        if (other := self.namesake) is not None:
            self.wire.stop()
            sentence = f"Another process of this studio is called {other.name} and is running: give each its own name."
            raise BadInputError(sentence, where="[cluster] host")

    def keep(self, keep: Keep, now_ms: Callable[[], int], vitals: Vitals) -> None:
        """Have it known that this process is there, and notice who is gone."""
        role, run = self.section.role, self.run
        keep("presence", lambda stop: keep_saying(self.wire, role, run, now_ms, vitals, stop))
        keep("far tables", self.tables.keep_looking)

    def stop(self) -> None:
        self.asking.stopping.set()
        self.tables.close()
        self.wire.stop()

    def _hear_own_name(self, subject: str, message: bytes) -> None:
        told = read_here(message)
        if told.run != self.run and self.namesake is None:
            self.namesake = told
            _LOG.error("another process has this one's name: stop one of them", name=told.name, role=told.role)


@dataclass(eq=False)
class HostOnWire(OnWire):
    """A table host. `books` are those it adds to for the studio: over one record each host does so, over files the host
    that keeps the desk.
    """

    books: dict[str, KeptBook | SharedBook] = field(default_factory=dict)

    def keep_books(self, commit: Commit, reader: Callable[[], Reader]) -> Mapping[str, DeskBook]:
        """The books of the studio, as this host has them."""
        if self.section.postgres:
            self.books.update({name: SharedBook(name, kinds, commit, reader) for name, kinds in KINDS.items()})
            return self.books
        if not self.section.keeps_desk:
            return self.hosts.books(self._readers.mine)
        self.books.update({name: KeptBook(kinds, commit, reader) for name, kinds in KINDS.items()})
        return self.books

    def serve(self, floor: Floor) -> None:
        """Show the tables of this floor and answer for them, from the start on."""
        self.floor = floor
        floor.processes = partial(self.hosts.processes, floor.now_ms)
        floor.bettors.told = partial(self.hosts.have_heard, "bettors")
        self.end = HostEnd(self.wire, floor, self.run, self.books)
        self.end.open()
        self.news = WalletNews(self.wire, floor.tellers)
        self.news.open()
        for teller in floor.tellers:
            teller.close_elsewhere = self.hosts.close_owed
        self.listen()

    def keep_serving(
        self, keep: Keep, waiting: Callable[[], int], streams: Callable[[], int], tells: Callable[[], tuple[str, ...]]
    ) -> None:
        floor = self.floor

        def tables() -> Mapping[str, int]:
            return {table: floor.view(table).seq for table in floor.tables_here}

        self.keep(keep, floor.now_ms, Vitals(tables, waiting, streams, may_run(floor.config), tells))
        keep("wallet news", self.news.keep_telling)
        keep("showing", self.end.keep_showing)
        if self.section.postgres or not self.section.keeps_desk:
            keep("desks", self._keep_up)

    def _keep_up(self, stopping: threading.Event) -> None:
        while not stopping.wait(CATCH_UP_S):
            self.floor.desks.catch_up()

    @property
    def watched(self) -> House | None:
        """What the pit's alarms are raised from: the whole floor, on the host that keeps the desk."""
        return cast(House, WholeFloor(self.floor, self.tables)) if self.section.keeps_desk else None


class WholeFloor:
    """This host's own tables, and those of others as they were shown last."""

    def __init__(self, floor: Floor, far: FarTables) -> None:
        self._floor = floor
        self._far = far

    @property
    def tables(self) -> tuple[str, ...]:
        own = self._floor.tables_here
        return (*own, *(table for table in self._far.tables if table not in own))

    def view(self, table: str) -> TableView:
        return self._floor.view(table) if table in self._floor.tables_here else self._far.view(table)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._floor, name)


def may_run(config: StudioConfig) -> tuple[str, ...]:
    """The tables this host could run: its own, and over one record those of others whose devices it reaches."""
    if config.cluster is None or not config.cluster.postgres:
        return ()
    return tuple(table.key for table in config.tables if config.is_home(table) or not on_cables(config, table))


def record_of(config: StudioConfig) -> ReadingRoom:
    """The studio's record as whoever reads it who does not keep it."""
    section = config.cluster
    if section is None or section.postgres:
        return ReadingRoom.of(config.record)
    return ReadingRoom.of(section.record or config.studio.database)


def secret_home(config: StudioConfig) -> Path:
    """The path beside which the secrets lie that the whole studio shares, as that of the PIN hashes."""
    section = config.cluster
    if section is not None and section.shared:
        return Path(section.shared) / "studio"
    return Path(section.record if section is not None and section.record else config.studio.database)


def host_on_wire(config: StudioConfig, own: Store) -> HostOnWire | None:
    """None for a studio that is one process. `own`: what this host itself writes."""
    section = config.cluster
    if section is None or section.role != TABLE_HOST:
        return None
    return HostOnWire(section, own.reader if section.postgres else record_of(config).reader)


def open_record(config: StudioConfig, database: Path) -> Store:
    """What this process writes: the file `database`, or its own book of the record that all hosts share, whose keys lie
    in a database of theirs, or beside that path."""
    wrapped_by, section = config.keys.source, config.cluster
    if section is None or not section.postgres:
        return Store.open(database, wrapped_by=wrapped_by)
    return Store.open(section.postgres, wrapped_by=wrapped_by, host=section.host, beside=database, keys=section.keys)


def leads(config: StudioConfig) -> bool:
    """Whether this process does what is done once over one record: checkpoints, retention, telling operators."""
    section = config.cluster
    return section is None or not section.postgres or section.keeps_desk
