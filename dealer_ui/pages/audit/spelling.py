"""A name as an auditor may spell it: in any case, without its accents, in parts, in any order."""

from __future__ import annotations

import unicodedata
from typing import Final

_LETTERS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
"""Letters that Unicode does not take apart."""


def plain(text: str) -> str:
    """The letters alone: no case, no accents, full width like half width, katakana like hiragana.

    >>> plain("Łukasz  O’Neïll"), plain("ＹＵＫＩ"), plain("ユキ") == plain("ゆき")
    ('lukasz oneill', 'yuki', True)
    """
    taken_apart = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(_hiragana(one) for one in taken_apart if not unicodedata.combining(one))
    kept = "".join(one if one.isalnum() else "" if one in "'’`.·" else " " for one in letters.translate(_LETTERS))
    return " ".join(kept.split())


def is_meant(typed: str, name: str) -> bool:
    """Whether every part that was typed begins a part of the name, or stands in a name written without spaces.

    >>> is_meant("muller jo", "Jörg Müller"), is_meant("", "Jörg"), is_meant("uller", "Müller")
    (True, False, False)
    """
    wanted, parts = plain(typed).split(), plain(name).split()
    whole = "".join(parts)
    return bool(wanted) and (
        all(any(part.startswith(one) for part in parts) for one in wanted) or whole.startswith("".join(wanted))
    )


def spellings(typed: str) -> tuple[str, ...]:
    """An id as it may stand in the record, for whoever typed it in another case."""
    return tuple(dict.fromkeys((typed, typed.lower(), typed.upper(), typed.capitalize(), typed.title())))


def _hiragana(letter: str) -> str:
    return chr(ord(letter) - 0x60) if "ァ" <= letter <= "ヶ" else letter
