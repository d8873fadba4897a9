"""Listens to an unknown line: which driver, at which speed, makes frames of its bytes.

Nothing is ever written to the line: an unknown device might obey.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from devices.catalogue import DRIVERS, DriverSpec, build_driver
from devices.driver import Driver, Instant
from devices.link import LineSettings, Link, LinkLostError
from devices.technician.ladder import line_ladder
from devices.technician.line_count import LineTally
from studio.cards import Sealer
from studio.diagnosis import LineCounts, Rung

SPEEDS: Final = (4800, 9600, 19200, 38400, 115200, 2400)
READ_BYTES_MAX: Final = 4096
_SURE_FRAMES: Final = 2
_UNCHECKED: Final = frozenset({"bee_tek", "barcode"})
"""Without a check sum in its frames a driver finds them in anything: only cards speak for it."""

Open = Callable[[str, LineSettings], Link]


@dataclass(frozen=True, slots=True)
class Heard:
    """What one driver could read at one speed of the line. `sure`: `certain`, `likely` or `no`."""

    driver: str
    baud: int
    sure: str
    counts: LineCounts
    role: str

    @property
    def rungs(self) -> tuple[Rung, ...]:
        return line_ladder(self.role, self.counts)


def speeds_for(url: str, wanted: Sequence[int] = ()) -> tuple[int, ...]:
    """The speeds worth a try: a device server and a simulated line keep their own."""
    if wanted:
        return tuple(wanted)
    return SPEEDS if "://" not in url else SPEEDS[:1]


def probe(
    url: str, speeds: Iterable[int], *, open_link: Open, now_ms: Callable[[], int], listen_ms: int
) -> list[Heard]:
    """Listen at each speed, until a driver is certain; best first. Without a byte nobody is heard."""
    found: list[Heard] = []
    for baud in speeds:
        try:
            heard = list(_listen(url, baud, open_link, now_ms, listen_ms))
        except LinkLostError as lost:
            return [*_best_first(found), Heard("", baud, "no", LineCounts(reason=lost.sentence), "shoe")]
        found += heard
        if any(one.sure == "certain" for one in heard):
            break
    return _best_first(found)


def _listen(url: str, baud: int, open_link: Open, now_ms: Callable[[], int], listen_ms: int) -> Iterator[Heard]:
    """One speed, all drivers at once: they are fed the same bytes."""
    sealer = Sealer(secrets.token_bytes)
    drivers = {entry.name: build_driver(entry.name, DriverSpec(entry.name, sealer, baud)) for entry in DRIVERS}
    tallies = {name: LineTally(up=True) for name in drivers}
    heard = dict.fromkeys(drivers, 0)
    link = open_link(url, LineSettings(baud=baud))
    try:
        start_ms = now_ms()
        while (at_ms := now_ms()) - start_ms < listen_ms:
            data = link.read(READ_BYTES_MAX)
            for name, driver in drivers.items():
                heard[name] += _feed(driver, tallies[name], data, Instant(at_ms, at_ms - start_ms))
            if any(heard[name] > 2 * _SURE_FRAMES and not tallies[name].damaged for name in drivers):
                break
    finally:
        link.close()
    for entry in DRIVERS:
        name, tally = entry.name, tallies[entry.name]
        tally.frames = tally.cards if name in _UNCHECKED else max(tally.frames, heard[name])
        role = "shuffler" if tally.states else "shoe"
        counts = tally.counts(role, listen_ms)
        yield Heard(name, baud, _sure(counts), counts, role)


def _feed(driver: Driver, tally: LineTally, data: bytes, now: Instant) -> bool:
    """Whether the driver heard a sign of life; what it would write is thrown away."""
    turn = driver.turn(data, now)
    tally.bytes += len(data)
    tally.take(turn.observations)
    return turn.heard


def _sure(counts: LineCounts) -> str:
    if not counts.frames or counts.damaged > counts.frames:
        return "no"
    return "certain" if counts.frames >= _SURE_FRAMES and counts.damaged * 4 <= counts.frames else "likely"


def _best_first(found: list[Heard]) -> list[Heard]:
    rank = {"certain": 0, "likely": 1, "no": 2}
    return sorted(found, key=lambda one: (rank[one.sure], -one.counts.reports, -one.counts.frames, one.counts.damaged))
