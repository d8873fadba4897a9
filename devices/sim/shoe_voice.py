"""What a simulated shoe says on its line whichever protocol it speaks, and which there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from devices.link import LineSettings
from devices.sim.far_end import FarEnd
from devices.sim.fault import BARCODE, BEE_TEK, GENERIC_SHOE, SHOE, FaultPanel
from devices.sim.generic_voice import GenericVoice
from devices.sim.shoe_line import AngelEyeVoice
from devices.sim.text_voice import BarcodeVoice, BeeTekVoice
from studio.cards import Card


class Mechanics(Protocol):
    """What a host's command may do to the shoe."""

    def lock(self) -> None: ...

    def unlock(self) -> None: ...

    def clear_error(self, code: int) -> None: ...


class Voice(Protocol):
    """A shoe's end of its line: it says what the shoe does, in its protocol, and nothing where that has no word."""

    @property
    def idle(self) -> bool: ...

    def loaded(self) -> None:
        """Other cards lie in the shoe."""
        ...

    def started(self) -> None: ...

    def card(self, card: Card | None, slot: int, *, error: int, locked: bool) -> None:
        """A card left; None: unread. `slot`: how many left before it in what the shoe takes for one game."""
        ...

    def again(self, card: Card, slot: int) -> None: ...

    def cut_card(self) -> None: ...

    def error(self, code: int, *, raised: bool) -> None: ...

    def alarm(self, name: str) -> None: ...

    def locked(self, locked: bool) -> None: ...

    def step(self, now_ms: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Protocolled:
    """One kind of shoe by the name of its driver: its line's speed, its faults, and its voice."""

    driver: str
    faults: str
    line: LineSettings
    build: Callable[[FarEnd, FaultPanel, Mechanics], Voice]


SHOES: Final = {
    one.driver: one
    for one in (
        Protocolled("angel_eye", SHOE, LineSettings(baud=4800), AngelEyeVoice),
        Protocolled("bee_tek", BEE_TEK, LineSettings(baud=9600), BeeTekVoice),
        Protocolled("barcode", BARCODE, LineSettings(baud=9600), BarcodeVoice),
        Protocolled("generic_shoe", GENERIC_SHOE, LineSettings(baud=9600), GenericVoice),
    )
}
