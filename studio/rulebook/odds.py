"""Reads house options which are returns: how often a stake comes back, itself included."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from studio.errors import BadInputError
from studio.written_number import read_fraction

_ODDS: Final = re.compile(r"\d{1,6}(\.\d{1,6})?")


@cache
def odds(text: str) -> Fraction:
    """
    >>> odds("2.5")
    Fraction(5, 2)
    """
    return read_fraction(text)


def check_odds(title: str, usual: Mapping[str, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The pay table with every line filled in; `BadInputError` names the line and what it may be."""
    for line, value in given.items():
        if line not in usual:
            raise BadInputError(f"{title} has no house option '{line}': it has {', '.join(usual)}.")
        if isinstance(value, bool) or not _ODDS.fullmatch(str(value)):
            raise BadInputError(
                f"{line} cannot return {value!r}: write how often the stake comes back, itself included, "
                'as a number such as "2.5".'
            )
    return MappingProxyType({**usual, **{line: str(value) for line, value in given.items()}})
