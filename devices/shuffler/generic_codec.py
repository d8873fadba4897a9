"""The bytes of the generic profile, our own, for shufflers and shoes without a public protocol.

    frame   02  dev dev  seq seq  type  data…  03  B1 B2      either way
    ACK     06         the frame came whole
    NAK     15         it did not: send it again

All printable between STX and ETX; `seq` is 00 to 99 and comes round; B1 B2 is the XOR of seq…ETX as two
upper-case hex digits (`dev` is left out). 9600 8N1. The fields of `data` stand between commas; which they are is in
docs/devices/generic.md. Nothing here does I/O or raises; see `devices.frame`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

from devices.frame import ACK, ETX, NAK, STX, Broken, Decoder, Grammar, LineAnswer, Piece, Shape, Sound, bcc
from studio.cards import RANKS, SUITS, Card

FRAME_BYTES_MAX: Final = 128
SEQ_COUNT: Final = 100

STATES: Final = ("idle", "loading", "shuffling", "verifying", "ready", "error")
VERDICTS: Final = ("ok", "short", "over", "duplicate", "foreign")
ALARMS: Final = ("jam", "cover", "misread", "reverse", "double_feed", "deck_count", "overdraw", "timeout", "power")

UNREAD: Final = "??"
ACK_BYTES: Final = bytes((ACK,))
NAK_BYTES: Final = bytes((NAK,))


@dataclass(frozen=True, slots=True)
class GenericRecord:
    """A good frame. Its data may be a card's face and stays out of the repr."""

    dev: str
    seq: int
    kind: str
    data: str = field(repr=False)
    raw: bytes = field(repr=False)

    @property
    def fields(self) -> list[str]:
        return self.data.split(",")


@dataclass(frozen=True, slots=True)
class Accepted:
    pass


@dataclass(frozen=True, slots=True)
class Refused:
    pass


Frame = GenericRecord | Accepted | Refused | Broken


_HEAD: Final = 6  # STX dev dev seq seq type


def _is_sound(raw: bytes) -> bool:
    return len(raw) >= _HEAD + 3 and bcc(raw[3:-2]) == raw[-2:]


_GRAMMAR: Final = Grammar(
    shapes=(Shape(STX, cut_by=bytes((STX,))),),
    answers={ACK: b"", NAK: b""},
    size_max=FRAME_BYTES_MAX,
    is_sound=_is_sound,
)


def _frame(piece: Piece) -> Frame:
    match piece:
        case Sound(raw):
            return _record(raw)
        case LineAnswer(byte=0x06):
            return Accepted()
        case LineAnswer():
            return Refused()
        case Broken():
            return piece


GenericDecoder: Final = partial(Decoder, _GRAMMAR, _frame)
"""Made anew for each side of a line."""


def _record(raw: bytes) -> Frame:
    body = raw[1:-3]
    if not all(0x20 <= byte < 0x7F for byte in body) or not body[2:4].isdigit():
        return Broken("unknown", len(raw))
    text = body.decode("ascii")
    return GenericRecord(text[:2], int(text[2:4]), text[4], text[5:], raw)


def encode(dev: str, seq: int, kind: str, data: str = "") -> bytes:
    """One frame.

    >>> encode("01", 7, "W", "ready")
    b'\\x020107Wready\\x0338'
    """
    body = f"{seq % SEQ_COUNT:02d}{kind}{data}".encode("ascii") + bytes((ETX,))
    return bytes((STX,)) + dev.encode("ascii") + body + bcc(body)


def card_text(card: Card | None) -> str:
    return UNREAD if card is None else str(card)


def card_of(text: str) -> Card | None:
    """The card of a K record; None when unread, or for anything that is no card."""
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        return None
    return Card(text[0], text[1])
