"""A command to a generic device: sent, sent again, and given up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from devices.driver import HostCommand, Instant
from devices.order import EndedOrder, OrderQueue
from devices.shuffler.generic_codec import SEQ_COUNT, encode

RETRY_MS: Final = 500
RETRIES: Final = 3

WORDS: Final = {
    "lock": "LOCK,1",
    "unlock": "LOCK,0",
    "clear": "CLEAR",
    "ident": "IDENT",
    "eject": "EJECT",
    "status": "STATUS",
}


WHO: Final = HostCommand("ident")
HOW: Final = HostCommand("status")
"""Our own questions, who is there and how things stand: they change nothing and need nobody's leave."""


def is_ours(command: HostCommand) -> bool:
    """One of our own questions, which nobody is told the fate of; a person's of the same name is another."""
    return command is WHO or command is HOW


@dataclass(slots=True)
class _Pending:
    command: HostCommand
    frame: bytes
    tries: int = 0
    due_ms: int = 0
    refused: bool = False


class GenericOrders:
    """One command at a time: sent, then three times again, 500 ms apart."""

    def __init__(self, device: str, authorised: frozenset[str]) -> None:
        self.dev = "01"
        """The address the device names itself by, as last heard."""
        self._device = device
        self._queue = OrderQueue(device, WORDS, authorised)
        self._pending: _Pending | None = None
        self._seq = 0

    def check(self, command: HostCommand) -> None:
        self._queue.check(command)

    def take(self, command: HostCommand) -> None:
        self._queue.take(command)

    def wonder(self, question: HostCommand) -> bool:
        """Ask it, unless something else is under way; whether it will go out."""
        if self._pending is not None:
            return False
        self._pending = self._begin(question)
        return True

    @property
    def wonders(self) -> bool:
        """What is under way is a question of our own."""
        return self._pending is not None and is_ours(self._pending.command)

    def answer(self, *, accepted: bool) -> EndedOrder | None:
        """The device answered; None when nothing was asked, or when it will be asked again."""
        pending = self._pending
        if pending is None:
            return None
        if accepted:
            self._pending = None
            return EndedOrder(pending.command, accepted=True)
        pending.due_ms, pending.refused = 0, True
        return None

    def time_out(self, now: Instant) -> Sequence[EndedOrder]:
        """The command that was sent for the last time and stayed without an ACK."""
        pending = self._pending
        if pending is None or pending.tries <= RETRIES or now.run_ms < pending.due_ms:
            return ()
        self._pending = None
        said = "refused" if pending.refused else "did not answer"
        reason = f"{self._device} {said} '{pending.command}' four times; look at the machine, then ask again."
        return (EndedOrder(pending.command, accepted=False, reason=reason),)

    def outgoing(self, now: Instant) -> bytes:
        """The bytes that are due: a new command, or the same one again."""
        if self._pending is None and (command := self._queue.next()) is not None:
            self._pending = self._begin(command)
        pending = self._pending
        if pending is None or now.run_ms < pending.due_ms:
            return b""
        pending.tries += 1
        pending.due_ms = now.run_ms + RETRY_MS
        return pending.frame

    def _begin(self, command: HostCommand) -> _Pending:
        self._seq = (self._seq + 1) % SEQ_COUNT
        return _Pending(command, encode(self.dev, self._seq, "C", WORDS[command.name]))

    def drop(self) -> Sequence[EndedOrder]:
        """The link was lost: nothing waiting will be sent."""
        pending, self._pending = self._pending, None
        return self._queue.drop(pending.command if pending else None)
