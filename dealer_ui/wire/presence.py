"""Who is there: each process says so once a second, and is gone when it has not been heard for a few."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.config.cluster import TABLE_HOST
from dealer_ui.floor.process_look import GONE, HERE, ProcessLook
from dealer_ui.wire.link import NatsWire
from dealer_ui.wire.message import VERSION, Here, here, pack, read_here
from dealer_ui.wire.terms import ROOT

BEAT_S: Final = 1.0
GONE_S: Final = 3.5
"""Who has not been heard for so long is gone, until he is heard again."""
PROCESSES_MOST: Final = 500


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A process as it was heard last, `heard_s` ago by the steady clock."""

    here: Here
    heard_s: float
    there: bool

    @property
    def of_our_version(self) -> bool:
        return self.here.version == VERSION

    def look(self, now_ms: int) -> ProcessLook:
        """As the floor's page shows it. What a process that is gone last told of itself counts no more."""
        here, there = self.here, self.there
        state = GONE if not there else HERE if self.of_our_version else "version"
        told = (here.load, here.waiting, here.streams) if there else (0.0, 0, 0)
        gone_ms = 0 if there else now_ms - int(self.heard_s * 1000)
        return ProcessLook(here.name, here.role, state, tuple(sorted(here.tables)), here.may, *told, gone_ms)


@dataclass(slots=True, eq=False)
class Neighbours:
    """Who is there, and where each table is. `monotonic` in seconds. Any thread may look."""

    wire: NatsWire
    monotonic: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _heard: dict[str, tuple[Here, float]] = field(default_factory=dict)

    def open(self, heard: Callable[[Here], None] = lambda told: None) -> None:
        """Listen, once the wire starts, and tell `heard` of everything that is said."""

        def take(subject: str, message: bytes) -> None:
            told = read_here(message)
            if subject == here(told.name):
                self.take(told)
                heard(told)

        self.wire.hear(f"{ROOT}.here.*", take)

    def take(self, told: Here) -> None:
        with self._lock:
            if told.name in self._heard or len(self._heard) < PROCESSES_MOST:
                self._heard[told.name] = (told, self.monotonic())

    def neighbours(self) -> tuple[Neighbour, ...]:
        """Everybody who was ever heard, by name."""
        with self._lock:
            heard = sorted(self._heard.items())
        now_s = self.monotonic()
        return tuple(
            Neighbour(told, now_s - at_s, self.wire.up and now_s - at_s <= GONE_S) for _, (told, at_s) in heard
        )

    def host_of(self, table: str) -> Neighbour | None:
        """The host that has the table, or had it last; None where none was ever heard of."""
        hosts = [one for one in self.neighbours() if one.here.role == TABLE_HOST and table in one.here.tables]
        return max(hosts, key=lambda one: (one.there, -one.heard_s), default=None)

    def host(self, name: str) -> Neighbour | None:
        return next((one for one in self.neighbours() if one.here.name == name), None)


@dataclass(frozen=True, slots=True)
class Vitals:
    """What a process tells of itself: how far each of its tables is, what waits, how many streams it tells, which
    tables it could run, and the operators whose wallets it tells what they are owed."""

    tables: Callable[[], Mapping[str, int]] = dict
    waiting: Callable[[], int] = lambda: 0
    streams: Callable[[], int] = lambda: 0
    may: tuple[str, ...] = ()
    tells: Callable[[], tuple[str, ...]] = tuple


def keep_saying(
    wire: NatsWire, role: str, run: str, now_ms: Callable[[], int], vitals: Vitals, stopping: threading.Event
) -> None:
    """Say that this process is there; a thread's whole work."""
    since_ms = now_ms()
    while not stopping.is_set():
        told = Here(
            wire.name, role, run, VERSION, since_ms, now_ms(), dict(vitals.tables()), _load(), vitals.waiting(),
            vitals.streams(), vitals.may, vitals.tells(),
        )  # fmt: skip
        wire.say(here(wire.name), pack(told))
        stopping.wait(BEAT_S)


def _load() -> float:
    """Of the machine: how many programs want to run, as a share of its cores."""
    return round(os.getloadavg()[0] / (os.cpu_count() or 1), 2)
