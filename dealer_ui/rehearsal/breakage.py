"""The only place for what a person may break at the demo: the named faults of the machines, and the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from dealer_ui.rehearsal.rig import Rig
from devices.sim.fault import FAULTS, SHOE, SHUFFLER, UnknownFaultError
from devices.sim.felt_render import FeltRenderer
from devices.sim.mjpeg import MjpegServer
from studio.cards import Card
from studio.errors import RefusedError

CAMERA: Final = "camera"
CAMERA_FAULTS: Final = ("unplug", "dark", "unsharp", "moved", "frozen")
MOMENTARY: Final = frozenset({"cut_card_mid_round", "start_without_cut_card"})
"""What happens once and is over."""

_PLAIN: Final = {
    SHOE: ("unplug", "overdraw", "reverse_run", "cut_card_mid_round", "start_without_cut_card", "noise", "wrong_bcc"),
    SHUFFLER: ("unplug", "jam", "cover_open", "deck_short", "deck_duplicate"),
    CAMERA: CAMERA_FAULTS,
}
"""The faults a newcomer should meet; the rest belong to the line and the machine, for whoever builds a driver."""


@dataclass(frozen=True, slots=True)
class Break:
    """One thing that can be broken. Its words are `fault.<name>` and `fault_help.<name>`."""

    machine: str
    name: str
    plain: bool

    @property
    def key(self) -> str:
        return f"{self.machine}.{self.name}"

    @property
    def momentary(self) -> bool:
        return self.name in MOMENTARY


def _breaks() -> tuple[Break, ...]:
    found = [
        Break(machine, fault.name, fault.name in _PLAIN[machine])
        for machine in (SHOE, SHUFFLER)
        for fault in FAULTS
        if machine in fault.devices
    ]
    found += [Break(CAMERA, name, plain=True) for name in CAMERA_FAULTS]
    return tuple(sorted(found, key=lambda one: (one.name not in _PLAIN[one.machine], _rank(one))))


def _rank(one: Break) -> int:
    plain = _PLAIN[one.machine]
    return plain.index(one.name) if one.name in plain else len(plain)


BREAKS: Final = _breaks()
BREAK_BY_KEY: Final = {one.key: one for one in BREAKS}


class Lens(Protocol):
    """A camera that can be spoilt."""

    def plug(self, *, on: bool) -> None: ...

    def spoil(self, how: str) -> None:
        """dark, unsharp, moved or frozen; empty for a good picture."""
        ...


@dataclass(frozen=True, slots=True)
class SimCamera:
    """The simulated camera of the demo: the renderer of its picture and the stream that serves it."""

    server: MjpegServer
    renderer: FeltRenderer

    def plug(self, *, on: bool) -> None:
        self.server.plug(on=on)

    def spoil(self, how: str) -> None:
        self.renderer.spoil = how


class Breakage:
    """What is broken at one table, and the switches for it. Callable from any thread."""

    def __init__(self, rig: Rig, lens: Lens) -> None:
        self._rig = rig
        self._lens = lens
        self._camera: set[str] = set()

    @property
    def on(self) -> tuple[Break, ...]:
        """What is broken now."""
        active = {SHOE: self._rig.shoe.faults, SHUFFLER: self._rig.shuffler.faults, CAMERA: self._camera}
        return tuple(one for one in BREAKS if one.name in active[one.machine])

    def toggle(self, key: str) -> None:
        """Break it, or put it in order again."""
        one = BREAK_BY_KEY.get(key)
        if one is None:
            raise RefusedError("hands_unknown", "Your hands do not know how to do that. Load the page again.")
        if one.machine == CAMERA:
            self._toggle_camera(one.name)
        else:
            self._rig.do(lambda rig: self._toggle_machine(rig, one))

    def mend_everything(self) -> None:
        for one in self.on:
            self.toggle(one.key)

    def _toggle_machine(self, rig: Rig, one: Break) -> Card | None:
        machine = rig.shoe if one.machine == SHOE else rig.shuffler
        try:
            if one.name in machine.faults:
                machine.switch_off(one.name)
            else:
                machine.switch_on(one.name)
            if one.momentary and one.name in machine.faults:
                machine.switch_off(one.name)
        except UnknownFaultError as error:
            raise RefusedError("hands_unknown", str(error)) from error
        return None

    def _toggle_camera(self, name: str) -> None:
        broken = name not in self._camera
        if name == "unplug":
            self._lens.plug(on=not broken)
            self._camera ^= {name}
            return
        self._camera = (self._camera & {"unplug"}) | ({name} if broken else set())
        self._lens.spoil(name if broken else "")
