"""Cuts a stream of bytes into frames: a start byte, a body, ETX and a two-digit BCC.

    start  head  body …  ETX  B1 B2

What begins a frame and what may not stand inside one is a `Grammar`, a codec's own. Whatever the line does,
the scanner never raises, keeps at most `size_max` bytes, gives the same pieces however the bytes were split,
and loses no sound frame beside noise: after a failed frame it scans again from the byte after its start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

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
class LineAnswer:
    """ACK, or NAK; `code` is the byte behind it where the grammar has one."""

    byte: int
    code: int | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """Bytes that made no frame. `reason`: bcc, no_etx, cut_short, noise."""

    reason: str
    count: int


Piece = Sound | LineAnswer | Broken
T = TypeVar("T")


class Noise:
    """Bytes that begin nothing, counted and told in runs."""

    def __init__(self) -> None:
        self._count = 0

    def add(self, count: int) -> list[Broken]:
        """The runs of `NOISE_MAX` that these complete."""
        runs, self._count = divmod(self._count + count, NOISE_MAX)
        return [Broken("noise", NOISE_MAX)] * runs

    def end(self) -> list[Broken]:
        """Something else came, or silence: the run that is under way."""
        count, self._count = self._count, 0
        return [Broken("noise", count)] if count else []


def take_all(buffer: bytearray, data: bytes, take: Callable[[], Sequence[T] | None]) -> Iterator[T]:
    """Lay bytes into the buffer, a few at a time, and give what `take` makes of it until it needs more to say."""
    for at in range(0, len(data), 256):
        buffer += data[at : at + 256]
        while buffer and (pieces := take()) is not None:
            yield from pieces


class Scanner:
    """Cuts one direction of one line. No I/O."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._shapes = {shape.start: shape for shape in grammar.shapes}
        self._buffer = bytearray()
        self._noise = Noise()
        self._told = 0
        """So many of the next bytes were already told as part of a broken frame."""

    @property
    def held(self) -> int:
        """Bytes kept for a frame that is not whole yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> Iterator[Piece]:
        """Take bytes as they came and give the pieces they complete."""
        return take_all(self._buffer, data, self._take)

    def quiet(self) -> Iterator[Piece]:
        """The line is silent: tell the noise counted so far. A frame under way is kept."""
        yield from self._noise.end()

    def reset(self) -> Iterator[Piece]:
        """The line was lost: tell what was under way and forget it."""
        yield from self._noise.end()
        if len(self._buffer) > self._told:
            yield Broken("cut_short", len(self._buffer))
        self._buffer.clear()
        self._told = 0

    def _take(self) -> Sequence[Piece] | None:
        """The pieces that the first bytes make; None when more bytes are needed to say."""
        first = self._buffer[0]
        if (shape := self._shapes.get(first)) is not None:
            return self._take_frame(shape)
        # Inside the remains of a damaged frame nothing is an answer: damage must not accept a command.
        if first in self._grammar.answers and not self._told:
            return self._take_answer(first, self._grammar.answers[first])
        return self._skip()

    def _take_frame(self, shape: Shape) -> Sequence[Piece] | None:
        buffer, size_max = self._buffer, self._grammar.size_max
        for at in range(1 + shape.head, min(len(buffer), size_max)):
            if buffer[at] in shape.cut_by:
                return self._break("cut_short", at)
            if buffer[at] == ETX:
                return self._close(shape, at + 3)
        if len(buffer) < size_max:
            return None
        pieces: list[Piece] = [*self._noise.end(), Broken("no_etx", size_max)]
        self._drop(size_max)
        return pieces

    def _close(self, shape: Shape, end: int) -> Sequence[Piece] | None:
        raw = bytes(self._buffer[:end])
        for at in range(end - 2, len(raw)):
            if raw[at] in shape.cut_by:
                return self._break("cut_short", at)
        if len(raw) < end:
            return None
        if not self._grammar.is_sound(raw):
            return self._break("bcc", end)
        pieces: list[Piece] = [*self._noise.end(), Sound(raw)]
        self._drop(end)
        return pieces

    def _take_answer(self, byte: int, codes: bytes) -> Sequence[Piece] | None:
        if codes and len(self._buffer) < 2:
            return None
        if codes and self._buffer[1] not in codes:
            return self._skip()
        pieces: list[Piece] = [*self._noise.end(), LineAnswer(byte, self._buffer[1] if codes else None)]
        self._drop(2 if codes else 1)
        return pieces

    def _break(self, reason: str, count: int) -> Sequence[Piece]:
        """Tell a failed frame once and scan again from the byte after its start."""
        pieces: list[Piece] = []
        if count > self._told:
            pieces = [*self._noise.end(), Broken(reason, count)]
            self._told = count
        self._drop(1)
        return pieces

    def _skip(self) -> Sequence[Piece]:
        runs = self._noise.add(not self._told)
        self._drop(1)
        return [*runs]

    def _drop(self, count: int) -> None:
        del self._buffer[:count]
        self._told = max(0, self._told - count)


class Decoder(Generic[T]):
    """Bytes to the frames of a codec, for either side of its line; `frame` says what a piece is in that codec."""

    def __init__(self, grammar: Grammar, frame: Callable[[Piece], T]) -> None:
        self._scanner = Scanner(grammar)
        self._frame = frame

    @property
    def held(self) -> int:
        return self._scanner.held

    def feed(self, data: bytes) -> Iterator[T]:
        return map(self._frame, self._scanner.feed(data))

    def quiet(self) -> Iterator[T]:
        return map(self._frame, self._scanner.quiet())

    def reset(self) -> Iterator[T]:
        return map(self._frame, self._scanner.reset())


def bcc(data: bytes) -> bytes:
    """XOR of the bytes, as two upper-case hex digits.

    >>> bcc(bytes.fromhex("315303"))
    b'61'
    """
    value = 0
    for byte in data:
        value ^= byte
    return b"%02X" % value
