"""What a person may break at the demo: the named faults of the machines, and the camera.

Which faults a machine has is asked of its simulator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from dealer_ui.rehearsal.machine.rig import Rig
from dealer_ui.rehearsal.repertoire.by_machine import CAMERA_FAULTS, OTHER
from dealer_ui.rehearsal.repertoire.register import find_wrong
from dealer_ui.rehearsal.repertoire.wrong import Wrong
from devices.sim.picture.felt_render import FeltRenderer
from devices.sim.picture.mjpeg import MjpegServer
from devices.sim.wire.fault import FAULTS, SHOE, SHUFFLER, UnknownFaultError
from studio.cards import Card
from studio.errors import RefusedError

CAMERA: Final = "camera"
MOMENTARY: Final = frozenset({"cut_card_mid_round", "start_without_cut_card", "card_not_read", "warning"})
"""What happens once and is over."""

_PLAIN: Final = {
    SHOE: ("unplug", "overdraw", "reverse_run", "cut_card_mid_round", "start_without_cut_card", "unread_card",
           "conflicting_reread", OTHER),
    SHUFFLER: ("unplug", "power", "jam", "cover_open", "double_feed", "misread", "deck_short", "deck_over",
               "deck_duplicate", "deck_foreign", OTHER),
    CAMERA: CAMERA_FAULTS,
}  # fmt: skip
"""The faults a newcomer should meet; the rest belong to the line and the machine, for whoever builds a driver."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A fault of the repertoire that can be switched on and off.

    Its words are `fault.<name>` and `fault_help.<name>`, else the simulator's own.
    """

    machine: str
    name: str

    @property
    def key(self) -> str:
        return f"{self.machine}.{self.name}"

    @property
    def wrong(self) -> Wrong:
        return find_wrong(self.key)

    @property
    def plain(self) -> bool:
        return self.name in _PLAIN[self.machine]

    @property
    def sentence(self) -> str:
        return self.wrong.what

    @property
    def momentary(self) -> bool:
        return self.name in MOMENTARY


def breaks_of(shoe: tuple[str, ...]) -> tuple[Breakdown, ...]:
    """Everything that can be broken at a table whose shoe has these faults; what a newcomer should meet comes first."""
    shuffler = tuple(fault.name for fault in FAULTS if SHUFFLER in fault.devices)
    found = [Breakdown(CAMERA, name) for name in CAMERA_FAULTS]
    found += [Breakdown(SHOE, name) for name in (*shoe, OTHER)]
    found += [Breakdown(SHUFFLER, name) for name in (*shuffler, OTHER)]
    return tuple(sorted(found, key=_rank))


def _rank(one: Breakdown) -> int:
    plain = _PLAIN[one.machine]
    return plain.index(one.name) if one.name in plain else len(plain)


BREAKS: Final = breaks_of(tuple(fault.name for fault in FAULTS if SHOE in fault.devices))
"""Those of a table with the house's own shoe."""


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
        self.breaks = breaks_of(rig.shoe.known_faults)

    @property
    def on(self) -> tuple[Breakdown, ...]:
        """What is broken now."""
        rig, config = self._rig, self._rig.config
        active = {
            SHOE: rig.shoe.faults | rig.board.others(config.shoe),
            SHUFFLER: rig.shuffler.faults | rig.board.others(config.shuffler),
            CAMERA: self._camera,
        }
        return tuple(one for one in self.breaks if one.name in active[one.machine])

    def toggle(self, key: str) -> None:
        """Break it, or put it in order again."""
        one = next((one for one in self.breaks if one.key == key), None)
        if one is None:
            raise RefusedError("hands_unknown", "Your hands do not know how to do that. Load the page again.")
        if one.machine == CAMERA:
            self._toggle_camera(one.name)
        else:
            self._rig.do(lambda rig: self._toggle_machine(rig, one))

    def mend_everything(self) -> None:
        for _ in range(2):  # its own machine comes back first, with all that was broken in it before
            for one in self.on:
                if one in self.on:
                    self.toggle(one.key)

    def _toggle_machine(self, rig: Rig, one: Breakdown) -> Card | None:
        machine = rig.shoe if one.machine == SHOE else rig.shuffler
        if one.name == OTHER:
            self._exchange(rig, one.machine)
            return None
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

    def _exchange(self, rig: Rig, machine: str) -> None:
        """Another machine for the table's own, or that one back; a shoe's cards go along."""
        shoe, own = rig.shoe, rig.config.shoe if machine == SHOE else rig.config.shuffler
        if rig.board.others(own):
            rig.put_own_back(own)
        elif machine == SHOE:
            rig.put_other_shoe()
        else:
            rig.put_other_shuffler()
        if rig.shoe is not shoe:
            rig.shoe.load([shoe.draw_unseen() for _ in range(shoe.cards_left)])

    def _toggle_camera(self, name: str) -> None:
        broken = name not in self._camera
        if name == "unplug":
            self._lens.plug(on=not broken)
            self._camera ^= {name}
            return
        self._camera = (self._camera & {"unplug"}) | ({name} if broken else set())
        self._lens.spoil(name if broken else "")
