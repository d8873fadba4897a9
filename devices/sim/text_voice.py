"""How the simulated Bee-Tek shoe and the simulated scan engine speak: in text, each card once."""

from __future__ import annotations

from typing import Final

from devices.shoe import barcode_codec, bee_tek_codec
from devices.sim.far_end import FarEnd
from devices.sim.fault import FaultPanel
from studio.cards import Card

MODE: Final = "Manual Burn Cards"
"""The mode the shoe is to be run in: every card is reported."""
SMUDGED: Final = "0000"
"""What the engine makes of a code it cannot read: digits of no card."""


class TextVoice:
    """What both have in common: they hear nothing, and have no word for most of what a shoe does."""

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
