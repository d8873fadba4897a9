"""The bytes of the Angel Eye II-EX shoe: RS-232, 4800 8N1, no flow control.

    report   05  seq  code  payload…  03  B1 B2      shoe → host, three times with the same seq
    command  02  'O' 'P'  type type  data data  03  B1 B2      host → shoe
    reply    02  …  03  B1 B2      shoe → host, the answer to a read
    ACK      06                    accepted
    NAK      15  code              refused

B1 B2 is the XOR of everything after the start byte, ETX included, as two upper-case hex digits. Commands are
the exception: the manual's words leave STX out, its own example needs it in, so both occur in the field.
Every payload byte has bit 7 set, but for code M. Nothing here does I/O or raises; see `devices.frame`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

from devices.frame import ACK, ENQ, ETX, NAK, STX, Broken, Decoder, Grammar, LineAnswer, Piece, Shape, Sound, bcc
from studio.cards import Card

FRAME_BYTES_MAX: Final = 64

NAK_REASONS: Final = {
    0x01: "line",
    0x02: "bcc",
    0x03: "no_etx",
    0x11: "format",
    0x12: "address",
    0x13: "command",
    0x14: "type",
    0x21: "busy",
    0x22: "writing",
    0xFF: "other",
}

PAYLOAD_BYTES: Final = {"S": 0, "P": 0, "C": 0, "D": 2, "d": 2, "R": 2, "G": 1, "E": 1, "e": 1, "L": 1, "M": 6}

TARGETS: Final = {0: "Player", 1: "Banker", 2: "Burn", 4: "First", 5: "Burn count"}
MODES: Final = {0: "Lock", 1: "Error", 2: "Setting"}
ERRORS: Final = {
    1: "unread",
    2: "overdraw",
    3: "button",
    4: "reverse_exit",
    5: "reverse_midway",
    6: "card_code",
    7: "draw_timeout",
}
_SUIT: Final = " dcsh"
_RANK: Final = " A23456789TJQK"


@dataclass(frozen=True, slots=True)
class ShoeReport:
    """A good frame of the shoe. Payload and bytes may be a card's face and stay out of the repr."""

    seq: int
    code: str
    payload: bytes = field(repr=False)
    raw: bytes = field(repr=False)

    @property
    def is_known(self) -> bool:
        """Code, length and the bits of the payload are those of the manual."""
        if PAYLOAD_BYTES.get(self.code) != len(self.payload):
            return False
        if self.code == "M":
            return all(0x20 <= byte < 0x7F for byte in self.payload)
        return all(byte & 0x80 for byte in self.payload)


@dataclass(frozen=True, slots=True)
class ShoeReply:
    """The shoe's answer to a read, or on the shoe's side a command; `body` is what stands between STX and ETX."""

    body: bytes
    stx_in_bcc: bool


@dataclass(frozen=True, slots=True)
class ShoeAccepted:
    pass


@dataclass(frozen=True, slots=True)
class ShoeRefused:
    code: int


Frame = ShoeReport | ShoeReply | ShoeAccepted | ShoeRefused | Broken


def _is_sound(raw: bytes) -> bool:
    """A report's BCC leaves ENQ out and has a code before ETX; a command's or reply's may count STX or not."""
    end = raw[-2:]
    if raw[0] == ENQ:
        return len(raw) >= 6 and bcc(raw[1:-2]) == end
    return end in (bcc(raw[1:-2]), bcc(raw[:-2]))


_GRAMMAR: Final = Grammar(
    shapes=(Shape(ENQ, cut_by=bytes((ENQ,)), head=1), Shape(STX, cut_by=bytes((ENQ, STX)))),
    answers={ACK: b"", NAK: bytes(NAK_REASONS)},
    size_max=FRAME_BYTES_MAX,
    is_sound=_is_sound,
)


def _frame(piece: Piece) -> Frame:
    match piece:
        case Sound(raw) if raw[0] == ENQ:
            return ShoeReport(raw[1], chr(raw[2]), raw[3:-3], raw)
        case Sound(raw):
            return ShoeReply(raw[1:-3], stx_in_bcc=bcc(raw[:-2]) == raw[-2:])
        case LineAnswer(byte=0x06):
            return ShoeAccepted()
        case LineAnswer(code=code):
            return ShoeRefused(code or 0)
        case Broken():
            return piece


AngelEyeDecoder: Final = partial(Decoder, _GRAMMAR, _frame)
"""Made anew for each side of a line."""


# --- what the payload bytes say -----------------------------------------------------------------------


def card_of(byte: int) -> Card | None:
    """The face in a card's second byte; None when the shoe did not read it, or for a code that no card has.

    >>> card_of(0xB8)
    Card('8s')
    """
    suit, rank = byte >> 4 & 7, byte & 15
    if not 1 <= suit <= 4 or not 1 <= rank <= 13:
        return None
    return Card(_RANK[rank], _SUIT[suit])


def card_byte(card: Card | None) -> int:
    """The second byte of a card report; an unread card is all zeros."""
    return 0x80 if card is None else 0x80 | _SUIT.index(card.suit) << 4 | _RANK.index(card.rank)


def target_of(byte: int) -> str:
    """Where the shoe's own game puts a card: evidence, not obeyed.

    >>> target_of(0x81)
    'Player 1'
    """
    number = byte >> 4 & 7
    return f"{TARGETS.get(number, f'Target {number}')} {byte & 15}"


def mode_of(byte: int) -> str:
    """Why a card counted as outside a game: the shoe's mode and its error code."""
    number, code = byte >> 4 & 7, byte & 15
    mode = MODES.get(number, f"Mode {number}")
    return f"{mode} {code}" if code else mode


def error_of(code: int) -> str:
    return ERRORS.get(code, "other")


# --- frames to bytes ----------------------------------------------------------------------------------


def encode_report(seq: int, code: str, payload: bytes = b"") -> bytes:
    """One copy of a report, as the shoe sends it three times.

    >>> encode_report(0x31, "D", bytes((0x81, 0xB8))).hex(" ")
    '05 31 44 81 b8 03 34 46'
    """
    body = bytes((seq,)) + code.encode("latin-1") + payload + bytes((ETX,))
    return bytes((ENQ,)) + body + bcc(body)


def encode_command(kind: str, data: str, *, stx_in_bcc: bool = True) -> bytes:
    """A command to the shoe.

    >>> encode_command("LK", "02").hex(" ")
    '02 4f 50 4c 4b 30 32 03 31 42'
    """
    frame = bytes((STX,)) + f"OP{kind}{data}".encode("ascii") + bytes((ETX,))
    return frame + bcc(frame if stx_in_bcc else frame[1:])


def encode_refusal(code: int) -> bytes:
    return bytes((NAK, code))
