"""Capture files: what a line carried, as text a person can read and a driver can be fed with.

    # A remark.
    protocol angel_eye
    baud 4800
    started 2026-11-20T16:45:00.000+00:00
    at 0
    05 31 53 03 36 31
    at 1520
    > 06

Hex is bytes from the device, `>` bytes the host sent, `at` when the next ones crossed the line, in milliseconds
since the beginning. `=` is a frame the bytes before it must give; only tests write and read those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from studio.errors import BadInputError

CAPTURE_BYTES_MAX: Final = 1_048_576
"""So many bytes of a line one capture holds; a shoe says as much in half an hour of uninterrupted talk."""
FILE_BYTES_MAX: Final = 8 * CAPTURE_BYTES_MAX
_LINE_BYTES: Final = 32
_AT_MS_MAX: Final = 100 * 366 * 86_400_000
"""A machine's clock that was set right while it recorded may have leapt by decades."""
_WORDS: Final = ("protocol", "device", "baud", "started", "at")


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that crossed the line together. They may be a card's face and stay out of the repr."""

    at_ms: int
    data: bytes = field(repr=False)
    sent: bool = False
    """From the host to the device."""


@dataclass(frozen=True, slots=True)
class Capture:
    """A recorded line. `started_ms` is UTC, 0 when the file does not say."""

    protocol: str
    pieces: tuple[Piece, ...]
    baud: int | None = None
    device: str = ""
    started_ms: int = 0

    @property
    def heard(self) -> bytes:
        """Everything the device said."""
        return b"".join(piece.data for piece in self.pieces if not piece.sent)


def head_of(protocol: str, *, device: str, baud: int | None, started_ms: int) -> str:
    """The first lines of a capture file."""
    started = datetime.fromtimestamp(started_ms / 1000, UTC).isoformat(timespec="milliseconds")
    lines = [
        "# Recorded from a line. Bytes of a shoe are the faces of its cards: keep this file where cards may be kept.",
        f"protocol {protocol}",
        f"device {device}",
        *([f"baud {baud}"] if baud else []),
        f"started {started}",
    ]
    return "\n".join(lines) + "\n"


def text_of(piece: Piece) -> str:
    """A piece as lines of a capture file."""
    sign = "> " if piece.sent else ""
    rows = (piece.data[at : at + _LINE_BYTES] for at in range(0, len(piece.data), _LINE_BYTES))
    return "".join([f"at {piece.at_ms}\n", *(f"{sign}{row.hex(' ').upper()}\n" for row in rows)])


def load_capture(path: Path) -> Capture:
    """The capture of a file; `BadInputError` names the file and the line."""
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            raise BadInputError("The file is too large to be a capture.", where=str(path))
        return read_capture(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise BadInputError("The file is no capture: it is not text.", where=str(path)) from error
    except OSError as error:
        raise BadInputError(f"The capture cannot be read: {error.strerror}.", where=str(path)) from error


def read_capture(text: str, name: str = "capture") -> Capture:
    """The capture written in `text`.

    >>> read_capture("protocol angel_eye\\n05 31 53 03 36 31\\n").heard.hex()
    '053153033631'
    """
    if len(text) > FILE_BYTES_MAX:
        raise BadInputError("The file is too large to be a capture.", where=name)
    said = dict.fromkeys(_WORDS, "")
    pieces = tuple(_pieces(text.removeprefix("\ufeff").splitlines(), said, name))  # a byte order mark is no word
    if not said["protocol"]:
        raise BadInputError("The file is no capture: it has no line 'protocol NAME'.", where=name)
    if sum(len(piece.data) for piece in pieces) > CAPTURE_BYTES_MAX:
        raise BadInputError(f"The capture holds more than {CAPTURE_BYTES_MAX} bytes; cut it.", where=name)
    return Capture(
        protocol=said["protocol"],
        pieces=pieces,
        baud=_number(said["baud"]),
        device=said["device"],
        started_ms=_moment(said["started"], name),
    )


def _pieces(lines: Iterable[str], said: dict[str, str], name: str) -> Iterator[Piece]:
    """The bytes of each line; what else the lines say goes into `said`."""
    for number, line in enumerate(lines, 1):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith(("#", "=")):
            continue
        if word in said:
            said[word] = rest.strip()
            at_ms = _number(rest.strip()) if word == "at" else 0
            if at_ms is None or at_ms > _AT_MS_MAX:
                sentence = "'at' wants a whole number of milliseconds, of a hundred years at the most."
                raise BadInputError(sentence, where=f"{name}, line {number}")
            continue
        try:
            data = bytes.fromhex(rest if word == ">" else line)
        except ValueError:
            sentence = "This is neither bytes in hex nor a word of a capture file."
            raise BadInputError(sentence, where=f"{name}, line {number}") from None
        yield Piece(_number(said["at"]) or 0, data, sent=word == ">")


def _number(text: str) -> int | None:
    """A whole number that a person may have written; None where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(_AT_MS_MAX)) else None


def _moment(text: str, name: str) -> int:
    if not text:
        return 0
    try:
        began_ms = int(datetime.fromisoformat(text).timestamp() * 1000)
        datetime.fromtimestamp((began_ms + _AT_MS_MAX) / 1000, UTC)
        return began_ms
    except (ValueError, OverflowError):
        raise BadInputError("'started' wants a time as 2026-11-20T16:45:00+00:00.", where=name) from None
