"""How the simulated Angel Eye shoe speaks and listens: three copies out, commands in."""

from __future__ import annotations

from typing import Final, Protocol

from devices.frame import ACK
from devices.shoe.angel_eye_codec import AngelEyeDecoder, ShoeReply, card_byte, encode_refusal, encode_report
from devices.sim.wire.far_end import FarEnd
from devices.sim.wire.fault import FaultPanel
from studio.cards import Card

COPIES: Final = 3
SLOW_ACK_MS: Final = 1500
LOCK: Final = 2
_SEQS: Final = b"123456789"

_SLOTS: Final = (0x81, 0x91, 0x82, 0x92, 0x83, 0x93)
"""Player 1, Banker 1, Player 2, … : the shoe counts every game as its own, whatever is being dealt."""


class Orderable(Protocol):
    """What an accepted command does to the shoe."""

    def lock(self) -> None: ...

    def unlock(self) -> None: ...

    def clear_error(self, code: int) -> None: ...


class AngelEyeVoice:
    """The shoe's end of the line, between its mechanics and the wire."""

    def __init__(self, far_end: FarEnd, faults: FaultPanel, shoe: Orderable) -> None:
        self._far_end = far_end
        self._faults = faults
        self._shoe = shoe
        self._ears = AngelEyeDecoder()
        self._seq = 0

    @property
    def idle(self) -> bool:
        return self._far_end.idle

    def loaded(self) -> None:
        pass

    def started(self) -> None:
        """Start of communication, then stand-by."""
        self._seq = 0
        self._report("S")
        self._report("P")

    def card(self, card: Card | None, slot: int, *, error: int, locked: bool) -> None:
        if error:
            self._report("d", bytes((0x90 | error, card_byte(card))))
        elif locked:
            self._report("d", bytes((0x80, card_byte(card))))
        else:
            self._report("D", bytes((_slot(slot), card_byte(card))))

    def again(self, card: Card, slot: int) -> None:
        self._report("R", bytes((_slot(slot), card_byte(card))))

    def cut_card(self) -> None:
        self._report("C")

    def error(self, code: int, *, raised: bool) -> None:
        self._report("E" if raised else "e", bytes(((0xC0 if raised else 0x80) | code,)))

    def alarm(self, name: str) -> None:
        pass

    def result(self, value: int) -> None:
        self._report("G", bytes((0x80 | value,)))

    def locked(self, locked: bool) -> None:
        self._report("L", bytes((0x80 | locked,)))

    def _report(self, code: str, payload: bytes = b"") -> None:
        seq = _SEQS[self._seq % len(_SEQS)]
        self._seq += 1
        self._far_end.send(encode_report(seq, code, payload), copies=COPIES)

    def step(self, now_ms: int) -> None:
        """Hear the host, answer it, and let out what the line carries by now."""
        for frame in self._ears.feed(self._far_end.hear()):
            if isinstance(frame, ShoeReply):
                self._answer(frame)
        self._far_end.pump(now_ms)

    def _answer(self, order: ShoeReply) -> None:
        refusal = self._refusal(order)
        wait_ms = SLOW_ACK_MS if "slow_ack" in self._faults else 0
        self._far_end.answer(bytes((ACK,)) if refusal is None else encode_refusal(refusal), wait_ms=wait_ms)
        if refusal is None:
            self._obey(order.body[2:4], int(order.body[4:6]))

    def _obey(self, kind: bytes, value: int) -> None:
        match kind:
            case b"LK" if value == LOCK:
                self._shoe.lock()
            case b"LK":
                self._shoe.unlock()
            case b"EC":
                self._shoe.clear_error(value)

    def _refusal(self, order: ShoeReply) -> int | None:
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


def _slot(drawn: int) -> int:
    return _SLOTS[drawn % len(_SLOTS)]
