"""Numbers out of a record or a configuration, which anybody may have written: read exactly, and never at any cost."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from studio.errors import BadInputError

LETTERS_MAX: Final = 200
EXPONENT_MAX: Final = 999
"""A dozen letters with a larger one stand for a number that no memory holds."""
_EXPONENT: Final = re.compile(r"[eE]")


def read_fraction(value: object) -> Fraction:
    """`BadInputError` where it is no number, or not written as people write one.

    >>> read_fraction("2.5"), read_fraction(" 3/2 ")
    (Fraction(5, 2), Fraction(3, 2))
    """
    try:
        text = str(value).strip()
        _, *exponents = _EXPONENT.split(text)
        if len(text) <= LETTERS_MAX and all(abs(int(one)) <= EXPONENT_MAX for one in exponents):
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        text = str(value) if isinstance(value, str) else type(value).__name__
    raise BadInputError(f"'{text[:40]}' is no number that can be read: write one as in 2.5, or as in 5/2.")
