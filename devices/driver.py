"""What a supervisor and a driver say to each other: bytes in, observations and bytes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from devices.link import LineSettings
from studio.ports import HostCommand as HostCommand
from studio.ports import Observation


@dataclass(frozen=True, slots=True)
class Instant:
    """Now, twice: `at_ms` is UTC and stamps observations; `run_ms` never goes back and measures waits."""

    at_ms: int
    run_ms: int


@dataclass(frozen=True, slots=True)
class DriverTurn:
    """What one turn of a driver gave.

    `heard`: the device gave a sign of life. `silent`: a sentence, when a sign of life was due and did not come. `idle`:
    whole frames that said nothing new, as they came. `held`: how many of the last bytes belong to an unfinished frame.
    """

    observations: Sequence[Observation] = ()
    write: bytes = b""
    heard: bool = False
    silent: str = ""
    idle: Sequence[bytes] = field(default=(), repr=False)
    held: int = 0


@dataclass(frozen=True, slots=True)
class LineTalk:
    """What a line carried in one turn, for people who watch it live: `in` from the device, `out` to it.

    `frames` are the observations decoded from the bytes (faces sealed). A repeated frame gives no observation, and an
    observation that was due by time comes without bytes. The bytes may hold a card's face, so they stay out of the
    repr.
    """

    device: str
    at_ms: int
    direction: Literal["in", "out"]
    data: bytes = field(repr=False)
    frames: tuple[Observation, ...] = ()


class Driver(Protocol):
    """One device's protocol, from bytes to observations. No I/O and no clock; never raises for the world."""

    @property
    def settings(self) -> LineSettings: ...

    def turn(self, data: bytes, now: Instant) -> DriverTurn:
        """Decode what came (maybe nothing) and do what is due."""
        ...

    def reset(self, now: Instant) -> Sequence[Observation]:
        """The link was lost: close what was under way and remember nothing of it."""
        ...

    def check(self, command: HostCommand) -> None:
        """`RefusedError` when the command is unknown or not authorised."""
        ...

    def command(self, command: HostCommand) -> None:
        """Queue a command for the device; `RefusedError` when it is unknown or not authorised."""
        ...
