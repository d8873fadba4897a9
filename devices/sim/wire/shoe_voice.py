"""What a simulated shoe says on its line whichever protocol it speaks, and which there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from devices.link import LineSettings
from devices.shoe import barcode_codec, bee_tek_codec
from devices.sim.wire.angel_eye_voice import AngelEyeVoice
from devices.sim.wire.far_end import FarEnd
from devices.sim.wire.fault import BARCODE, BEE_TEK, GENERIC_SHOE, SHOE, FaultPanel
from devices.sim.wire.generic_voice import GenericVoice
from studio.cards import Card

MODE: Final = "Manual Burn Cards"
"""The mode the shoe is to be run in: every card is reported."""
SMUDGED: Final = "0000"
"""What the engine makes of a code it cannot read: digits of no card."""


class TextVoice:
    """What the two text protocols share: the device hears no command, and has no message for most that a shoe does."""

    def __init__(self, far_end: FarEnd, faults: FaultPanel, shoe: object) -> None:
        self._far_end = far_end

    @property
    def idle(self) -> bool:
        return self._far_end.idle

    def loaded(self) -> None:
        pass

    def started(self) -> None:
        pass

    def again(self, card: Card, slot: int) -> None:
        pass

    def cut_card(self) -> None:
        pass

    def error(self, code: int, *, raised: bool) -> None:
        pass

    def alarm(self, name: str) -> None:
        pass

    def result(self, value: int) -> None:
        pass

    def locked(self, locked: bool) -> None:
        pass

    def step(self, now_ms: int) -> None:
        self._far_end.hear()
        self._far_end.pump(now_ms)


class BeeTekVoice(TextVoice):
    def card(self, card: Card | None, slot: int, *, error: int, locked: bool) -> None:
        self._far_end.send(bee_tek_codec.encode_card(MODE, card))

    def alarm(self, name: str) -> None:
        body = "Alarm:E3 Card Not Read" if name == "card_not_read" else "W0x01"
        self._far_end.send(bee_tek_codec.encode(MODE, body))


class BarcodeVoice(TextVoice):
    def card(self, card: Card | None, slot: int, *, error: int, locked: bool) -> None:
        self._far_end.send(barcode_codec.encode(barcode_codec.code_of(card) if card else SMUDGED))


class Mechanics(Protocol):
    """What a host's command may do to the shoe."""

    def lock(self) -> None: ...

    def unlock(self) -> None: ...

    def clear_error(self, code: int) -> None: ...


class Voice(Protocol):
    """A shoe's end of its line: it reports what the shoe does in its protocol's messages, and sends nothing where the
    protocol has no message for it.
    """

    @property
    def idle(self) -> bool: ...

    def loaded(self) -> None:
        """Other cards lie in the shoe."""
        ...

    def started(self) -> None: ...

    def card(self, card: Card | None, slot: int, *, error: int, locked: bool) -> None:
        """A card left the shoe; None when it could not be read. `slot`: how many cards left before it in what the shoe
        takes for one game.
        """
        ...

    def again(self, card: Card, slot: int) -> None: ...

    def cut_card(self) -> None: ...

    def error(self, code: int, *, raised: bool) -> None: ...

    def alarm(self, name: str) -> None: ...

    def result(self, value: int) -> None: ...

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
