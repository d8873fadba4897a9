"""What the desk of second factors needs of that of the staff, and what it gives whoever showed a right one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from studio.people import Actor
from studio.people.pin import PinHasher
from studio.people.staff import StaffRegister
from studio.people.staff_event import AnyStaffEvent


@dataclass(frozen=True, slots=True, repr=False)
class CodeTaken:
    """What a right code or passkey led to: `recovery` are new recovery codes, told this once to whoever enrolled."""

    actor: Actor
    station: str
    recovery: tuple[str, ...] = ()


class FactorRegister(Protocol):
    """Of the desk of the staff, what that of second factors needs."""

    @property
    def register(self) -> StaffRegister: ...
    @property
    def hasher(self) -> PinHasher: ...
    def catch_up(self) -> None: ...
    def change(
        self, change: Callable[[StaffRegister, int], tuple[AnyStaffEvent, ...]]
    ) -> tuple[AnyStaffEvent, ...]: ...
    def forgotten(self, station: str, actor: Actor | None, now: int) -> tuple[AnyStaffEvent, ...]: ...
    def now_ms(self) -> int: ...
