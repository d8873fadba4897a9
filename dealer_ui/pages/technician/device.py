"""A device, as the technician's pages show it: its ladder, its counts, its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dealer_ui.floor.device_port import Camera, Line
from dealer_ui.floor.house import House, section_of
from dealer_ui.past.coded import said_by_device
from dealer_ui.words.language import Language
from studio.device_address import without_password
from studio.diagnosis import Rung

ROLES: Final = ("shoe", "shuffler", "camera")


@dataclass(frozen=True, slots=True)
class DeviceLook:
    """One device of a table as it stands. `seen_ms`: when it was heard last, 0 for never."""

    table: str
    role: str
    id: str
    driver: str
    url: str
    ladder: tuple[Rung, ...]
    seen_ms: int
    counts: Mapping[str, int]
    identity: Mapping[str, str]
    known: bool = True

    @property
    def mend(self) -> Rung | None:
        """The first rung that does not hold."""
        return next((rung for rung in self.ladder if rung.state != "good"), None)

    @property
    def state(self) -> str:
        """Of the device as a whole: good, poor, waiting or bad."""
        states = [rung.state for rung in self.ladder]
        return next((state for state in ("bad", "poor", "waiting") if state in states), "good")


def looks(house: House, table: str) -> tuple[DeviceLook, ...]:
    """The devices of a table, those it has."""
    found = (look(house, table, role) for role in ROLES)
    return tuple(one for one in found if one is not None)


def look(house: House, table: str, role: str) -> DeviceLook | None:
    """One device of a table; None when the table has none in that role."""
    section = section_of(house, table)
    id = getattr(section, role, "") if section else ""
    if not id:
        return None
    configured = next((device for device in house.config.devices if device.id == id), None)
    driver, url = (configured.driver, without_password(configured.url)) if configured else ("", "")
    now_ms = house.now_ms()
    if (line := house.bench.line(id)) is not None:
        return _of_line(DeviceLook(table, role, id, driver, url, (), 0, {}, {}), line, now_ms)
    if (camera := house.bench.camera(id)) is not None:
        return _of_camera(DeviceLook(table, role, id, driver, url, (), 0, {}, {}), camera, now_ms)
    return DeviceLook(table, role, id, driver, url, (), 0, {}, {}, known=False)


def spoken(found: DeviceLook, language: Language) -> DeviceLook:
    """The same, with what the device's link says in that language."""
    told = (replace(rung, reason=said_by_device(language, rung.reason) or rung.reason) for rung in found.ladder)
    return replace(found, ladder=tuple(told))


def pulse(found: Sequence[DeviceLook]) -> tuple[object, ...]:
    """What of the devices may change without the journal: counts, rungs, ages."""
    return tuple(
        (one.id, one.seen_ms, tuple(one.counts.values()), tuple(rung.key for rung in one.ladder)) for one in found
    )


def _of_line(bare: DeviceLook, line: Line, now_ms: int) -> DeviceLook:
    counts = line.counts(now_ms)
    figures = {
        "bytes": counts.bytes, "frames": counts.frames, "repeats": line.repeats, "damaged": counts.damaged,
        "cards": counts.reports, "unread": counts.unread, "reconnects": line.reconnects,
    }  # fmt: skip
    if bare.role == "shuffler":
        figures = {name: figure for name, figure in figures.items() if name not in ("cards", "unread")}
    named = dict(line.identity)
    if line.plug:
        named["plug"] = line.plug
    return DeviceLook(
        bare.table, bare.role, bare.id, line.driver, bare.url, tuple(line.ladder(now_ms)), line.heard_ms, figures, named
    )


def _of_camera(bare: DeviceLook, camera: Camera, now_ms: int) -> DeviceLook:
    return DeviceLook(
        bare.table, bare.role, bare.id, bare.driver, bare.url, tuple(camera.ladder(now_ms)), camera.picture_ms or 0,
        {}, {},
    )  # fmt: skip
