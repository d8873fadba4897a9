"""Which serial drivers there are, by the name a configuration or a command line gives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from devices.driver import Driver
from devices.link import LineSettings
from devices.shoe.angel_eye import AngelEyeDriver
from devices.shoe.angel_eye_order import ORDERS
from devices.shoe.barcode import REPEAT_MS, BarcodeDriver
from devices.shoe.bee_tek import BeeTekDriver
from devices.shoe.idle_lock import IdleLock
from devices.shuffler.generic import GenericDriver
from devices.shuffler.generic_order import WORDS
from studio.cards import Sealer
from studio.errors import BadInputError


@dataclass(frozen=True, slots=True)
class DriverSpec:
    """What a driver is built from. `baud` None: the protocol's own; `commands`: what may be sent.

    `repeat_ms`: how long equal scans of a bar code count as one. `lock_when_idle`: `build_driver` gives an `IdleLock`.
    """

    device: str
    sealer: Sealer
    baud: int | None = None
    commands: frozenset[str] = frozenset()
    repeat_ms: int = REPEAT_MS
    lock_when_idle: bool = False

    def settings(self, default_baud: int) -> LineSettings:
        return LineSettings(baud=self.baud or default_baud)


Tier = Literal["bronze", "silver", "gold"]
"""What a device's own line can tell of its faults; docs/devices/README.md says what earns which."""


@dataclass(frozen=True, slots=True)
class DriverEntry:
    """One driver of the catalogue; `title` is for people."""

    name: str
    title: str
    tier: Tier
    build: Callable[[DriverSpec], Driver]
    commands: frozenset[str] = frozenset()
    """What the device takes, where the configuration authorises it."""


def _angel_eye(spec: DriverSpec) -> Driver:
    return AngelEyeDriver(spec.device, spec.sealer, settings=spec.settings(4800), commands=spec.commands)


def _bee_tek(spec: DriverSpec) -> Driver:
    return BeeTekDriver(spec.device, spec.sealer, settings=spec.settings(9600))


def _barcode(spec: DriverSpec) -> Driver:
    return BarcodeDriver(spec.device, spec.sealer, settings=spec.settings(9600), repeat_ms=spec.repeat_ms)


def _generic(spec: DriverSpec) -> Driver:
    return GenericDriver(spec.device, spec.sealer, settings=spec.settings(9600), commands=spec.commands)


def _generic_shoe(spec: DriverSpec) -> Driver:
    return GenericDriver(spec.device, spec.sealer, role="shoe", settings=spec.settings(9600), commands=spec.commands)


DRIVERS: Final[tuple[DriverEntry, ...]] = (
    DriverEntry("angel_eye", "Angel Eye II-EX shoe", "silver", _angel_eye, frozenset(ORDERS)),
    DriverEntry("bee_tek", "Bee-Tek shoe", "bronze", _bee_tek),
    DriverEntry("barcode", "Scan engine for bar-coded cards", "bronze", _barcode),
    DriverEntry("generic", "Shuffler speaking the generic profile", "gold", _generic, frozenset(WORDS)),
    DriverEntry("generic_shoe", "Shoe speaking the generic profile", "gold", _generic_shoe, frozenset(WORDS)),
)


def commands_of(name: str) -> frozenset[str]:
    """Every command the driver of that name knows; none for a name there is not."""
    return next((entry.commands for entry in DRIVERS if entry.name == name), frozenset())


def build_driver(name: str, spec: DriverSpec) -> Driver:
    """The driver of that name; `BadInputError` with the list for any other."""
    for entry in DRIVERS:
        if entry.name == name:
            driver = entry.build(spec)
            return IdleLock(driver) if spec.lock_when_idle else driver
    known = ", ".join(entry.name for entry in DRIVERS)
    raise BadInputError(f"There is no driver '{name}'; choose one of {known}.")
