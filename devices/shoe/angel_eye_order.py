"""A command to the Angel Eye shoe: sent, tried with the other BCC, and given up.

One command is outstanding. The manual contradicts itself on whether a command's BCC counts STX: it is sent
with STX, and on NAK 02 once more the other way; what the shoe took is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from devices.driver import HostCommand, Instant
from devices.order import EndedOrder, OrderQueue
from devices.shoe.angel_eye_codec import NAK_REASONS, encode_command
from studio.errors import RefusedError

ANSWER_MS: Final = 1000
"""How long a command waits for its ACK or NAK; the manual names no figure."""
BAD_BCC: Final = 0x02

ORDERS: Final = {
    "lock": ("LK", "02"),
    "unlock": ("LK", "01"),
    "cancel_error": ("EC", ""),
    "confirm": ("GP", "00"),
}
"""Type and data of each command; empty data is the command's own value."""

_REFUSED: Final = {
    "line": "The shoe heard the command with a line error; check the cable.",
    "bcc": "The shoe refused the checksum with and without STX; note its firmware and call the maker.",
    "no_etx": "The shoe heard no end of the command; check the cable.",
    "format": "The shoe refused the form of the command; note its firmware and call the maker.",
    "address": "The shoe knows no such address; note its firmware and call the maker.",
    "command": "The shoe knows no such command; note its firmware and call the maker.",
    "type": "The shoe knows no such type of command; note its firmware and call the maker.",
    "busy": "The shoe is busy; wait until no card is moving and ask again.",
    "writing": "The shoe is writing its memory; wait a moment and ask again.",
    "other": "The shoe refused the command and gave no reason; look at the shoe and ask again.",
}


@dataclass(slots=True)
class _Pending:
    command: HostCommand
    until_ms: int
    tried_both: bool = False


class AngelEyeOrders:
    """The commands to one shoe, one at a time."""

    def __init__(self, device: str, authorised: frozenset[str]) -> None:
        self.stx_in_bcc = True
        """Whether this shoe counts STX, as far as its answers told."""
        self._queue = OrderQueue(device, ORDERS, authorised)
        self._pending: _Pending | None = None
        self._late_until_ms = 0
        """Until then an answer belongs to the command that timed out, and no other is sent."""
        self._again = False

    def check(self, command: HostCommand) -> None:
        self._queue.check(command)
        if command.name == "cancel_error" and not command.value:
            raise RefusedError("command_value", "Say which error is to be cancelled: the code the shoe has raised.")

    def take(self, command: HostCommand) -> None:
        self.check(command)
        self._queue.take(command)

    def answer(self, refusal: int | None, now: Instant) -> EndedOrder | None:
        """ACK (`refusal` None) or NAK came; None when nothing was asked, or when it is tried once more."""
        pending = self._pending
        if pending is None:
            return None
        if refusal == BAD_BCC:
            self.stx_in_bcc = not self.stx_in_bcc
            if not pending.tried_both:
                pending.tried_both, pending.until_ms, self._again = True, now.run_ms + ANSWER_MS, True
                return None
        self._pending = None
        if refusal is None:
            return EndedOrder(pending.command, accepted=True)
        reason = _REFUSED[NAK_REASONS.get(refusal, "other")]
        return EndedOrder(pending.command, accepted=False, code=refusal, reason=reason)

    @property
    def is_waiting(self) -> bool:
        """A command was sent and waits for its answer."""
        return self._pending is not None

    def came_late(self) -> None:
        """The answer to the command that timed out came after all: the next one may go."""
        self._late_until_ms = 0

    def time_out(self, now: Instant) -> Sequence[EndedOrder]:
        pending = self._pending
        if pending is None or now.run_ms < pending.until_ms:
            return ()
        self._pending, self._again = None, False
        self._late_until_ms = now.run_ms + ANSWER_MS
        reason = "The shoe did not answer the command in time; look at the shoe, then ask again."
        return (EndedOrder(pending.command, accepted=False, reason=reason),)

    def outgoing(self, now: Instant) -> bytes:
        """The bytes that are due: the next command, or the same with the other BCC."""
        if self._pending is None and now.run_ms >= self._late_until_ms and (command := self._queue.next()) is not None:
            self._pending, self._again = _Pending(command, now.run_ms + ANSWER_MS), True
        if self._pending is None or not self._again:
            return b""
        self._again = False
        return self._encode(self._pending.command)

    def drop(self) -> Sequence[EndedOrder]:
        pending, self._pending = self._pending, None
        self._late_until_ms, self._again = 0, False
        return self._queue.drop(pending.command if pending else None)

    def _encode(self, command: HostCommand) -> bytes:
        kind, data = ORDERS[command.name]
        return encode_command(kind, data or f"{command.value:02d}", stx_in_bcc=self.stx_in_bcc)
