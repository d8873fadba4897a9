"""Cuts a stream of bytes into frames: a start byte, a body, ETX and a two-digit BCC.

    start  head  body …  ETX  B1 B2

What begins a frame and what may not stand inside one is a `Grammar`, a codec's own. Whatever the line does,
the scanner never raises, keeps at most `size_max` bytes, gives the same pieces however the bytes were split,
and loses no sound frame beside noise: after a failed frame it scans again from the byte after its start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

STX: Final = 0x02
ETX: Final = 0x03
ENQ: Final = 0x05
ACK: Final = 0x06
NAK: Final = 0x15

NOISE_MAX: Final = 64
"""A longer run of noise is told in pieces of this many bytes."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Frames of one start byte: `head` bytes of any value follow it; a byte of `cut_by` after them cuts it short."""

    start: int
    cut_by: bytes
    head: int = 0


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a codec's line carries. `answers`: a byte that stands alone, or with one of the given codes behind it."""

    shapes: tuple[Shape, ...]
    answers: Mapping[int, bytes]
    size_max: int
    is_sound: Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class Sound:
    """A whole frame whose BCC fits. The bytes may be a card's face and stay out of the repr."""

    raw: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """ACK, or NAK; `code` is the byte behind it where the grammar has one."""

    byte: int
    code: int | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """Bytes that made no frame. `reason`: bcc, no_etx, cut_short, noise."""

    reason: str
    count: int


Piece = Sound | Answer | Broken


class Scanner:
    """Cuts one direction of one line. No I/O."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._shapes = {shape.start: shape for shape in grammar.shapes}
        self._buffer = bytearray()
        self._noise = 0
        self._told = 0
        """So many of the next bytes were already told as part of a broken frame."""

    @property
    def held(self) -> int:
        """Bytes kept for a frame that is not whole yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> Iterator[Piece]:
        """Take bytes as they came and give the pieces they complete."""
        for at in range(0, len(data), 256):
            self._buffer += data[at : at + 256]
            while self._buffer and (pieces := self._take()) is not None:
                yield from pieces

    def quiet(self) -> Iterator[Piece]:
        """The line is silent: tell the noise counted so far. A frame under way is kept."""
        yield from self._end_noise()

    def reset(self) -> Iterator[Piece]:
        """The line was lost: tell what was under way and forget it."""
        yield from self._end_noise()
        if len(self._buffer) > self._told:
            yield Broken("cut_short", len(self._buffer))
        self._buffer.clear()
        self._told = 0

    def _take(self) -> list[Piece] | None:
        """The pieces that the first bytes make; None when more bytes are needed to say."""
        first = self._buffer[0]
        if (shape := self._shapes.get(first)) is not None:
            return self._take_frame(shape)
        # Inside the remains of a damaged frame nothing is an answer: damage must not accept a command.
        if first in self._grammar.answers and not self._told:
            return self._take_answer(first, self._grammar.answers[first])
        return self._skip()

    def _take_frame(self, shape: Shape) -> list[Piece] | None:
        buffer, size_max = self._buffer, self._grammar.size_max
        for at in range(1 + shape.head, min(len(buffer), size_max)):
            if buffer[at] in shape.cut_by:
                return self._break("cut_short", at)
            if buffer[at] == ETX:
                return self._close(shape, at + 3)
        if len(buffer) < size_max:
            return None
        pieces = [*self._end_noise(), Broken("no_etx", size_max)]
        self._drop(size_max)
        return pieces

    def _close(self, shape: Shape, end: int) -> list[Piece] | None:
        raw = bytes(self._buffer[:end])
        for at in range(end - 2, len(raw)):
            if raw[at] in shape.cut_by:
                return self._break("cut_short", at)
        if len(raw) < end:
            return None
        if not self._grammar.is_sound(raw):
            return self._break("bcc", end)
        pieces = [*self._end_noise(), Sound(raw)]
        self._drop(end)
        return pieces

    def _take_answer(self, byte: int, codes: bytes) -> list[Piece] | None:
        if codes and len(self._buffer) < 2:
            return None
        if codes and self._buffer[1] not in codes:
            return self._skip()
        pieces = [*self._end_noise(), Answer(byte, self._buffer[1] if codes else None)]
        self._drop(2 if codes else 1)
        return pieces

    def _break(self, reason: str, count: int) -> list[Piece]:
        """Tell a failed frame once and scan again from the byte after its start."""
        pieces: list[Piece] = []
        if count > self._told:
            pieces = [*self._end_noise(), Broken(reason, count)]
            self._told = count
        self._drop(1)
        return pieces

    def _skip(self) -> list[Piece]:
        self._noise += not self._told
        self._drop(1)
        return list(self._end_noise()) if self._noise >= NOISE_MAX else []

    def _end_noise(self) -> Iterator[Piece]:
        if self._noise:
            yield Broken("noise", self._noise)
            self._noise = 0

    def _drop(self, count: int) -> None:
        del self._buffer[:count]
        self._told = max(0, self._told - count)


def bcc(data: bytes) -> bytes:
    """XOR of the bytes, as two upper-case hex digits.

    >>> bcc(bytes.fromhex("315303"))
    b'61'
    """
    value = 0
    for byte in data:
        value ^= byte
    return b"%02X" % value
