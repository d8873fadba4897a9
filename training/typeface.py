"""Which typefaces teach and which are kept out."""

from __future__ import annotations

from pathlib import Path
from typing import Final

NOT_LETTERS: Final = ("_K", "Initials", "_I.", "_I-", "Mono-Dingbats", "Keyboard", "Emoji", "SymbolNeu")
HELD_OUT_EVERY: Final = 7


def typefaces(folder: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The typefaces to teach with, and every seventh, which is kept out."""
    files = sorted(path for path in folder.rglob("*.[to]tf") if not any(odd in path.name for odd in NOT_LETTERS))
    return tuple(path for i, path in enumerate(files) if i % HELD_OUT_EVERY), tuple(files[::HELD_OUT_EVERY])
