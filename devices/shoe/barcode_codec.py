"""The bytes of a scan engine that reads one bar code on each card: a line of text a scan.

    scan      prefix…  d d d d  0D [0A]        1010, 1130, ]C14130

The four digits are suit × 1000 + rank × 10: suit 1 ♠ 2 ♥ 3 ♣ 4 ♦, rank 1 A … 11 J 12 Q 13 K. The prefix is what an
engine may be set to send first: an AIM identifier (`]C1`), or text that ends in no digit. No sequence, no checksum.
Nothing here does I/O or raises, the same pieces come however the bytes were split, and a line is at most
`LINE_BYTES_MAX` long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from devices.frame import Broken, Noise
from studio.cards import Card

LINE_BYTES_MAX: Final = 64
DIGITS: Final = 4

_SUIT: Final = " shcd"
_RANK: Final = " A23456789TJQK"
_SCAN: Final = re.compile(rb"(?:\][A-Za-z][0-9A-Za-z])?(?:[^0-9]*[^0-9])?([0-9]+)")
_PIECE: Final = re.compile(rb"[\x20-\x7E]+|[\r\n]|[^\x20-\x7E\r\n]+")


@dataclass(frozen=True, slots=True)
class Scan:
    """The digits of one line. They may be a card's face and stay out of the repr."""

    digits: str = field(repr=False)


Frame = Scan | Broken


class BarcodeDecoder:
    """Bytes to scans."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._noise = Noise()
        self._last = b""
        """The piece before: LF behind CR ends nothing more."""

    @property
    def held(self) -> int:
        """Bytes kept for a line that has not ended."""
        return len(self._line)

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take bytes as they came and give the scans they complete."""
        for piece in _PIECE.findall(data):
            if piece == b"\r" or (piece == b"\n" and self._last != b"\r"):
                yield from self._end_line()
            elif piece == b"\n":
                pass
            elif 0x20 <= piece[0] <= 0x7E:
                yield from self._lengthen(piece)
            else:
                yield from self._cut()
                yield from self._noise.add(len(piece))
            self._last = piece

    def quiet(self) -> Iterator[Frame]:
        """The line is silent: tell the noise counted so far. A scan under way is kept."""
        yield from self._noise.end()

    def reset(self) -> Iterator[Frame]:
        """The link was lost, or the rest of a line never came: tell what was under way and forget it."""
        yield from self._noise.end()
        yield from self._cut()

    def _lengthen(self, piece: bytes) -> Iterator[Frame]:
        self._line += piece
        while len(self._line) > LINE_BYTES_MAX:
            yield from self._noise.end()
            yield Broken("no_etx", LINE_BYTES_MAX)
            del self._line[:LINE_BYTES_MAX]

    def _end_line(self) -> Iterator[Frame]:
        line = bytes(self._line)
        self._line.clear()
        yield from self._noise.end()
        found = _SCAN.fullmatch(line)
        if found is None:  # an empty line, too: its digits were lost
            yield Broken("unknown", max(1, len(line)))
            return
        yield Scan(found[1].decode("ascii"))
        if len(found[1]) > DIGITS:  # two scans whose line end was lost, or a digit too many: more is missing
            yield Broken("unknown", len(line))

    def _cut(self) -> Iterator[Frame]:
        if self._line:
            yield from self._noise.end()
            yield Broken("cut_short", len(self._line))
            self._line.clear()


def card_of(digits: str) -> Card | None:
    """The card of a code; None for digits that are no card's.

    >>> card_of("1010"), card_of("4130"), card_of("1140")
    (Card('As'), Card('Kd'), None)
    """
    if len(digits) != DIGITS or digits[3] != "0":
        return None
    suit, rank = int(digits[0]), int(digits[1:3])
    if not 1 <= suit <= 4 or not 1 <= rank <= 13:
        return None
    return Card(_RANK[rank], _SUIT[suit])


def code_of(card: Card) -> str:
    """
    >>> code_of(Card("K", "s"))
    '1130'
    """
    return f"{_SUIT.index(card.suit) * 1000 + _RANK.index(card.rank) * 10:04d}"


def encode(digits: str, prefix: str = "", end: str = "\r") -> bytes:
    """One line as the engine sends it."""
    return f"{prefix}{digits}{end}".encode("ascii")
