"""The only place for how the simulated Angel Eye shoe speaks and listens: three copies out, commands in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from devices.frame import ACK
from devices.shoe.angel_eye_codec import AngelEyeDecoder, Reply, encode_refusal, encode_report
from devices.sim.far_end import FarEnd
from devices.sim.fault import FaultPanel

COPIES: Final = 3
SLOW_ACK_MS: Final = 1500
_SEQS: Final = b"123456789"

Obey = Callable[[str, int], None]
"""Takes the type and the value of a command that was accepted: `LK`, 2."""


class ShoeLine:
    """The shoe's end of the line, between its mechanics and the wire."""

    def __init__(self, far_end: FarEnd, faults: FaultPanel, obey: Obey) -> None:
        self._far_end = far_end
        self._faults = faults
        self._obey = obey
        self._ears = AngelEyeDecoder()
        self._seq = 0

    @property
    def idle(self) -> bool:
        return self._far_end.idle

    def restart(self) -> None:
        self._seq = 0

    def report(self, code: str, payload: bytes = b"") -> None:
        seq = _SEQS[self._seq % len(_SEQS)]
        self._seq += 1
        self._far_end.send(encode_report(seq, code, payload), copies=COPIES)

    def step(self, now_ms: int) -> None:
        """Hear the host, answer it, and let out what the line carries by now."""
        for frame in self._ears.feed(self._far_end.hear()):
            if isinstance(frame, Reply):
                self._answer(frame)
        self._far_end.pump(now_ms)

    def _answer(self, order: Reply) -> None:
        refusal = self._refusal(order)
        wait_ms = SLOW_ACK_MS if "slow_ack" in self._faults else 0
        self._far_end.answer(bytes((ACK,)) if refusal is None else encode_refusal(refusal), wait_ms=wait_ms)
        if refusal is None:
            self._obey(order.body[2:4].decode(), int(order.body[4:6]))

    def _refusal(self, order: Reply) -> int | None:
        """The NAK code of a command that is not taken."""
        if "stx_in_strict" in self._faults and not order.stx_in_bcc:
            return 0x02
        if "stx_out_strict" in self._faults and order.stx_in_bcc:
            return 0x02
        if "nak_busy" in self._faults:
            return 0x21
        if len(order.body) != 6 or not order.body[4:6].isdigit():
            return 0x11
        if order.body[:2] != b"OP":
            return 0x13
        return None if order.body[2:4] in (b"LK", b"EC", b"GP") else 0x14
