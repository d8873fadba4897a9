"""Says where a mistake in a configuration file stands: file, line and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from studio.errors import BadInputError

_NAME: Final = "small letters, digits, - and _, 31 at most, the first no sign, as in knights-7"
_DIGEST: Final = "the 64 hexadecimal digits of its SHA-256, in small letters"
_CURRENCY: Final = "the three capital letters of ISO 4217, as in EUR"
_WRITTEN: Final = {
    "address": "an address that begins with https:// or http://",
    "backs": "a colour in small letters, as in red",
    "currencies": _CURRENCY,
    "currency": _CURRENCY,
    "date": "a day, as in 2026-01-31",
    "day_begins": "a time of day, as in 06:00",
    "frames_from": "the address of a site without a path, as in https://play.example",
    "host": "the name of a table host: small letters, digits and -, as in a",
    "id": _NAME,
    "key": _NAME,
    "key_sha256": _DIGEST,
    "metrics_key_sha256": _DIGEST,
    "nats": "nats://HOST:PORT, or tls:// and the same",
    "pot": _NAME,
    "postgres": "postgresql://USER@HOST:PORT/DATABASE",
    "public": "https:// and the name of a host, no bare address and no path, as in https://studio.example",
    "secret": "file:NAME or env:NAME",
    "video": "an address that begins with https:// or http://",
    "web_postgres": "postgresql://USER@HOST:PORT/DATABASE",
    "witness_url": "an address that begins with https:// or http://",
    "worth": 'an exact number as text, as in "0.92"',
}
"""What is to be written at a key whose text has a form of its own: a person is not told a regular expression."""


def not_toml(path: Path, text: str, error: tomllib.TOMLDecodeError) -> BadInputError:
    """tomllib names the line inside its sentence, and the end of the file by that name."""
    why, _, at = str(error).rpartition(" (at ")
    line = re.match(r"line (\d+)", at)
    number = int(line[1]) if line else len(text.splitlines()) or 1
    return BadInputError(f"This is not valid TOML: {why or error}.", where=f"{path}, line {number}")


def wrong_value(path: Path, text: str, error: ValidationError) -> BadInputError:
    first = error.errors()[0]
    return ConfigPlace(path, text).wrong(tuple(first["loc"]), _what(first["type"], first["loc"], first["msg"]))


def _what(kind: str, location: tuple[Any, ...], said: str) -> str:
    match kind:
        case "extra_forbidden":
            return "there is no such key"
        case "missing":
            return "it is missing"
        case "string_pattern_mismatch" if location[-1] == "[key]":
            return f"write {_CURRENCY if {'worth', 'large_minor'} & {*location} else _NAME}"
        case "string_pattern_mismatch":
            for part in reversed(location):
                if part in _WRITTEN:
                    return f"write {_WRITTEN[part]}"
    return lower(said.removeprefix("Value error, "))


def lower(sentence: str, name: str = "\n") -> str:
    """A sentence as the end of another; a name it begins with keeps its capital letter."""
    first = sentence[0] if sentence.startswith(name) else sentence[0].lower()
    return first + sentence[1:].removesuffix(".")


@dataclass(frozen=True, slots=True)
class ConfigPlace:
    """A configuration file and its text, to say where a key stands in it."""

    path: Path
    text: str

    def wrong(self, location: Sequence[str | int], what: str) -> BadInputError:
        """Lists are counted from 1, as a person counts the blocks of the file."""
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in location)
        where = f"{self.path}, line {_line_of(self.text, location)}"
        return BadInputError(f"The key {key} is wrong: {what}.", where=where)


def _line_of(text: str, location: Sequence[str | int]) -> int:
    """The line of the key the location ends in; of the block it is missing from; 1 when even that stands nowhere."""
    lines = text.splitlines()
    start, end, name = 0, len(lines), ""
    for part in location:
        if isinstance(part, int):
            headers = [at for at, line in enumerate(lines) if line.strip().startswith(f"[[{name}]]")]
            found = headers[part] if part < len(headers) else None
            end = len(lines)
        else:
            name = part
            wanted = re.compile(rf'^\s*(?:\[+[\w.]*\b)?"?{re.escape(name)}"?(?=[\s=.\]]|$)')
            found = next((at for at in range(start, end) if wanted.match(lines[at])), None)
        if found is None:
            break
        start, end = found, _end_of_block(lines, found, end, name)
    return start + 1


def _end_of_block(lines: Sequence[str], start: int, end: int, name: str) -> int:
    """The line at which the block under the header at `start` ends. A line that is no header opens no block: then
    `end`.
    """
    if not lines[start].lstrip().startswith("["):
        return end
    deeper = re.compile(rf"^\s*\[+([\w.]+\.)?{re.escape(name)}\.")
    others = (at for at in range(start + 1, end) if lines[at].lstrip().startswith("[") and not deeper.match(lines[at]))
    return next(others, end)
