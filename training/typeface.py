"""Which typefaces teach and which are kept out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

NOT_LETTERS: Final = ("_K", "Initials", "_I.", "_I-", "Mono-Dingbats", "Keyboard", "Emoji", "SymbolNeu")
HELD_OUT_EVERY: Final = 7


def typefaces(folder: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The typefaces to teach with, and every seventh, which is kept out."""
    files = lettered(folder)
    return tuple(path for i, path in enumerate(files) if i % HELD_OUT_EVERY), files[::HELD_OUT_EVERY]


def lettered(folder: Path) -> tuple[Path, ...]:
    """Every typeface in a folder that has letters and figures."""
    return tuple(sorted(path for path in folder.rglob("*.[to]tf") if not any(odd in path.name for odd in NOT_LETTERS)))


def digests(files: Sequence[Path]) -> dict[str, str]:
    """The first 16 digits of each file's SHA-256, by its name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in files}
