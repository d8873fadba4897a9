"""Whether a command may be sent to a device, and what became of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from devices.driver import HostCommand
from studio.errors import RefusedError

COMMANDS_MAX: Final = 8
VALUE_MAX: Final = 99


@dataclass(frozen=True, slots=True)
class EndedOrder:
    """How a command ended; `code` is the device's refusal, where it gives one."""

    command: HostCommand
    accepted: bool
    code: int | None = None
    reason: str = ""


def refuse_every_command(device: str, command: HostCommand) -> NoReturn:
    """For a device that is only heard."""
    raise RefusedError(
        "no_commands", f"{device} takes no commands, so '{command}' was not sent; do it at the device itself."
    )


class OrderQueue:
    """Commands that wait to be sent, and the check before they may wait."""

    def __init__(self, device: str, known: Collection[str], authorised: frozenset[str]) -> None:
        self._device = device
        self._known = known
        self._authorised = authorised
        self._waiting: deque[HostCommand] = deque()

    def check(self, command: HostCommand) -> None:
        """`RefusedError` when a command is unknown, not authorised, or one too many."""
        if command.name not in self._known:
            known = ", ".join(self._known)
            raise RefusedError("unknown_command", f"{self._device} knows no command '{command}'; it takes {known}.")
        if command.name not in self._authorised:
            raise RefusedError(
                "command_not_authorised",
                f"The configuration lets nobody send '{command.name}' to {self._device}; do it at the device itself.",
            )
        if not 0 <= command.value <= VALUE_MAX:
            raise RefusedError("command_value", f"'{command}' cannot be sent: write a code from 0 to {VALUE_MAX}.")
        if len(self._waiting) >= COMMANDS_MAX:
            raise RefusedError("command_queue_full", f"{self._device} has not answered yet; wait for it and ask again.")

    def take(self, command: HostCommand) -> None:
        """Queue a command; `RefusedError` as `check`."""
        self.check(command)
        self._waiting.append(command)

    def next(self) -> HostCommand | None:
        return self._waiting.popleft() if self._waiting else None

    def drop(self, pending: HostCommand | None) -> Sequence[EndedOrder]:
        """The link was lost: what waits will not be sent, and what was sent will not be answered."""
        commands = [*([pending] if pending else []), *self._waiting]
        self._waiting.clear()
        reason = f"The link was lost before {self._device} answered; look at the device and ask again."
        return [EndedOrder(command, accepted=False, reason=reason) for command in commands]
