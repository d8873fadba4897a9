"""The named faults of the simulated devices, and which of them are switched on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

SHOE: Final = "shoe"
"""The Angel Eye shoe."""
BEE_TEK: Final = "bee_tek"
BARCODE: Final = "barcode"
GENERIC_SHOE: Final = "generic_shoe"
SHUFFLER: Final = "shuffler"


@dataclass(frozen=True, slots=True)
class LineFault:
    """Something a simulated device does wrong while it is switched on. `sentence` is for the technician."""

    name: str
    sentence: str
    devices: tuple[str, ...]


TEXT_SHOES: Final = (BEE_TEK, BARCODE)
"""Shoes whose lines have no checksum and no sequence."""

_CHECKED: Final = (SHOE, SHUFFLER, GENERIC_SHOE)
_SHOES: Final = (SHOE, GENERIC_SHOE)
_EVERY_SHOE: Final = (*_SHOES, *TEXT_SHOES)
_ALL: Final = (*_CHECKED, *TEXT_SHOES)

FAULTS: Final[tuple[LineFault, ...]] = (
    LineFault("triple_send_off", "Every report is sent once instead of three times.", (SHOE,)),
    LineFault("wrong_bcc", "The first copy of every frame carries a wrong checksum.", _CHECKED),
    LineFault("lost_frame", "The first copy of every frame never arrives.", _ALL),
    LineFault("split_frame", "Every frame arrives in two pieces with a pause between them.", _ALL),
    LineFault("merged_frame", "Frames are held back and arrive together with the next ones.", _ALL),
    LineFault("swapped_frame", "The last copy of a report arrives after the first copy of the next one.", (SHOE,)),
    LineFault("repeated_frame", "Every message is sent twice.", TEXT_SHOES),
    LineFault("damaged_byte", "One byte of every message arrives as another.", TEXT_SHOES),
    LineFault("noise", "Random bytes stand before every frame.", _ALL),
    LineFault("wrong_baud", "The line runs at another speed: every byte arrives as another.", _ALL),
    LineFault("unplug", "The cable is pulled; switch off to plug it in again.", _ALL),
    LineFault("unread_card", "Cards leave the shoe unread.", _EVERY_SHOE),
    LineFault("conflicting_reread", "Every card is sent once more, as another card.", (SHOE,)),
    LineFault("overdraw", "The shoe raises error 2, overdraw, until it is switched off.", _SHOES),
    LineFault("reverse_run", "The shoe raises error 4, a card pushed back, until it is switched off.", _SHOES),
    LineFault("card_not_read", "The shoe sends alarm E3 now.", (BEE_TEK,)),
    LineFault("warning", "The shoe sends warning 01 now.", (BEE_TEK,)),
    LineFault("cut_card_mid_round", "The cut card comes out now.", _SHOES),
    LineFault("start_without_cut_card", "The shoe restarts now, and no cut card came.", _SHOES),
    LineFault("nak_busy", "Every command is refused as busy.", _CHECKED),
    LineFault("slow_ack", "Every command is answered 1.5 seconds late.", (SHOE, SHUFFLER)),
    LineFault("stx_in_strict", "Only commands whose checksum counts STX are accepted.", (SHOE,)),
    LineFault("stx_out_strict", "Only commands whose checksum leaves STX out are accepted.", (SHOE,)),
    LineFault("cover_open", "The cover of the shuffler stands open.", (SHUFFLER,)),
    LineFault("jam", "A card is stuck in the shuffler.", (SHUFFLER,)),
    LineFault("double_feed", "The shuffler has drawn two cards at once.", (SHUFFLER,)),
    LineFault("misread", "The shuffler cannot read a card it counts.", (SHUFFLER,)),
    LineFault("power", "The shuffler has no power; switched on again it knows of no deck.", (SHUFFLER,)),
    LineFault("deck_short", "A card is missing from the next deck.", (SHUFFLER,)),
    LineFault("deck_over", "The next deck holds a card too many.", (SHUFFLER,)),
    LineFault("deck_duplicate", "The next deck holds one card twice and lacks another.", (SHUFFLER,)),
    LineFault("deck_foreign", "A card of another deck lies in the next one.", (SHUFFLER,)),
)


class UnknownFaultError(Exception):
    """No such fault for this simulated device; the sentence lists those it has."""


Effect = tuple[Callable[[], None], Callable[[], None]]
"""What happens at once when a fault is switched on, and when it is switched off."""


class FaultPanel:
    """The switches of one simulated device."""

    def __init__(self, device: str, effects: Mapping[str, Effect] | None = None) -> None:
        self._known = tuple(fault.name for fault in FAULTS if device in fault.devices)
        self._effects = effects or {}
        self._on: set[str] = set()

    @property
    def known(self) -> tuple[str, ...]:
        """What this device can do wrong."""
        return self._known

    @property
    def active(self) -> frozenset[str]:
        return frozenset(self._on)

    def __contains__(self, name: str) -> bool:
        return name in self._on

    def switch_on(self, name: str) -> None:
        """Switch a fault on; `UnknownFaultError` if the device has none of that name."""
        self._on.add(self._checked(name))
        if name in self._effects:
            self._effects[name][0]()

    def switch_off(self, name: str) -> None:
        self._on.discard(self._checked(name))
        if name in self._effects:
            self._effects[name][1]()

    def _checked(self, name: str) -> str:
        if name not in self._known:
            raise UnknownFaultError(f"There is no fault '{name}' here; known are {', '.join(self._known)}.")
        return name
