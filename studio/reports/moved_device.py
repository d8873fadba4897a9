"""The time of one and the same device, joined by its serial number over the tables it stood at."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.ports import LinkDown, LinkUp
from studio.reports.link_time import LinkTime
from studio.reports.shape import Column, Note, Row, Sheet, Sort
from studio.reports.source import Told
from studio.tables.event.table import DeviceProved, ObservationRecorded, TableRestarted

Place = tuple[str, str]
"""A table, and what the device is called there."""
Identity = tuple[str, str]
"""Model and serial."""


@dataclass(slots=True)
class _Life:
    time: LinkTime
    places: list[Place] = field(default_factory=list)


class MovedDevices:
    """Fed with what was told of links and proofs, in order. A device counts where it proved itself last."""

    def __init__(self, begin_ms: int) -> None:
        self._begin_ms = begin_ms
        self._lives: dict[Identity, _Life] = {}
        self._at: dict[Place, Identity] = {}
        self._up: dict[Place, bool] = {}

    def take(self, one: Told) -> None:
        at_ms = max(one.at_ms, self._begin_ms)
        match one.event:
            case TableRestarted():
                for place in [place for place in self._up if place[0] == one.table]:
                    self._turn(place, None, at_ms)
            case DeviceProved(device=device, model=model, serial=serial):
                self._prove((one.table, device), (model, serial), at_ms)
            case ObservationRecorded(observation=LinkUp(device=device) | LinkDown(device=device) as seen):
                place, up = (one.table, device), isinstance(seen, LinkUp)
                self._up[place] = up
                self._turn(place, up, at_ms, seen.reason if isinstance(seen, LinkDown) else "")

    def sheet(self, end_ms: int) -> Sheet:
        """Every device that told a serial, the one most often away first."""
        for life in self._lives.values():
            life.time.close(end_ms)
        lives = sorted(self._lives.items(), key=lambda found: (-found[1].time.down_ms, found[0]))
        rows: list[Row] = [
            (serial, model, ", ".join(f"{device} @ {table}" for table, device in life.places), *_figures(life.time))
            for (model, serial), life in lives
        ]
        told = Note("by_serial", "A device that was moved counts once, by its serial; one that tells none is not here.")
        return Sheet("by_serial", _COLUMNS, rows, (told,))

    def _prove(self, place: Place, who: Identity, at_ms: int) -> None:
        """Who stands here from now on; where it stood before, it does not any more."""
        if not who[1]:
            self._at.pop(place, None)
            return
        for other in [known for known, one in self._at.items() if one == who and known != place]:
            del self._at[other]
        if self._at.get(place) not in (None, who):
            self._turn(place, None, at_ms)  # taken away, and nobody knows where it is
        self._at[place] = who
        life = self._lives.setdefault(who, _Life(LinkTime(self._begin_ms)))
        if place not in life.places:
            life.places.append(place)
        life.time.turn(self._up.get(place, True), at_ms)

    def _turn(self, place: Place, up: bool | None, at_ms: int, reason: str = "") -> None:
        if (who := self._at.get(place)) is not None:
            self._lives[who].time.turn(up, at_ms, reason)


def _figures(time: LinkTime) -> Row:
    return (time.share, time.up_ms, time.down_ms, time.unknown_ms, len(time.outages), time.longest_ms)


_COLUMNS = (
    Column("serial"), Column("model"), Column("stood_at"), Column("up_share", Sort.SHARE), Column("up", Sort.LENGTH),
    Column("down", Sort.LENGTH), Column("not_known", Sort.LENGTH), Column("outages", Sort.COUNT),
    Column("longest", Sort.LENGTH),
)  # fmt: skip
