"""How a simulated shoe speaks the generic profile."""

from __future__ import annotations

from typing import Final, Protocol

from devices.shuffler.generic_codec import ALARMS, card_text
from devices.sim.wire.far_end import FarEnd
from devices.sim.wire.fault import FaultPanel
from devices.sim.wire.station import GenericStation
from studio.cards import Card

DEV: Final = "02"
_ALARM_OF: Final = {2: "overdraw", 4: "reverse"}
"""The errors of the simulated shoe's mechanics, by the profile's names."""


class Lockable(Protocol):
    def lock(self) -> None: ...

    def unlock(self) -> None: ...


class GenericVoice:
    """Draws are numbered from 1 with each new deck; what is not acknowledged is sent again."""

    def __init__(self, far_end: FarEnd, faults: FaultPanel, shoe: Lockable) -> None:
        self._shoe = shoe
        self._draws = 0
        self._station = GenericStation(
            DEV, far_end, faults, obey=self._obey, catch_up=lambda: self._station.tell("W", "idle")
        )

    @property
    def idle(self) -> bool:
        return self._station.idle

    def loaded(self) -> None:
        self._draws = 0

    def started(self) -> None:
        self._draws = 0
        self._hello()

    def card(self, card: Card | None, slot: int, *, error: int, locked: bool) -> None:
        self._draws += 1
        self._station.tell("K", f"{self._draws},{card_text(card)}")

    def again(self, card: Card, slot: int) -> None:
        pass

    def cut_card(self) -> None:
        self._station.tell("X")

    def error(self, code: int, *, raised: bool) -> None:
        alarm = _ALARM_OF.get(code, ALARMS[2])
        self._station.tell("A", f"{alarm},{int(raised)}")

    def alarm(self, name: str) -> None:
        pass

    def result(self, value: int) -> None:
        pass

    def locked(self, locked: bool) -> None:
        self._station.tell("L", str(int(locked)))

    def step(self, now_ms: int) -> None:
        self._station.hear()
        self._station.speak(now_ms)

    def _hello(self) -> None:
        self._station.tell("H", f"LDS-SHOE,{DEV}0001,1.0,52")

    def _obey(self, order: str) -> None:
        match order:
            case "IDENT":
                self._hello()
            case "LOCK,1":
                self._shoe.lock()
            case "LOCK,0":
                self._shoe.unlock()
            case _:
                self._station.tell("W", "idle")
