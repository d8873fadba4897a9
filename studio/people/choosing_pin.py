"""Which PIN somebody may choose; asked where a new one is typed. Those of before go on opening."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from enum import StrEnum
from itertools import pairwise
from typing import Final

from studio.errors import RefusedError
from studio.people.pin import Pin
from studio.people.right import Role

LONG_DIGITS: Final = 6
LONG_ROLES: Final = frozenset({Role.PIT_BOSS, Role.ADMIN})
"""Whose PIN rules on money and on people."""


class Weakness(StrEnum):
    """What is wrong with a PIN; a stable key."""

    SHORT = "short"
    GUESSED = "guessed"


_COMMON: Final = frozenset(
    """
    1004 1122 1313 2580 0852 1346 1425 1470 1478 2468 1357 1379 2469 3698 5683 6969 7410 7412 7890 8520 9630 0987
    112233 142536 147258 147852 159357 159753 102030 123321 123654 246810 258456 789456 696969 987456 741852 963852
    112211 111222 123098 246801 135790 314159 271828 133337
    """.split()  # noqa: SIM905
)
"""What people choose most, ways over the keys and numbers everybody knows."""

_REPEATED: Final = re.compile(r"(.{1,4})\1+", re.ASCII)
_YEAR: Final = re.compile(r"(19|20)\d\d", re.ASCII)


def choose_pin(typed: str, *, badge: str, roles: Collection[str]) -> Pin:
    """The PIN, unless a stranger would try it among the first; `RefusedError` says what to do.

    >>> choose_pin("8301", badge="1001", roles=["dealer"])
    Pin(hidden)
    """
    pin = Pin(typed)
    match weakness(pin.digits(), badge=badge, roles=roles):
        case Weakness.SHORT:
            raise RefusedError(
                "pin_short", "A pit boss or administrator has a PIN of 6 to 8 digits. Choose a longer one."
            )
        case Weakness.GUESSED:
            raise RefusedError(
                "pin_weak",
                "That PIN is guessed first: no repeats, runs, years, badge numbers or known PINs. Choose another.",
            )
    return pin


def weakness(typed: str, *, badge: str, roles: Collection[str]) -> Weakness | None:
    """Why this PIN may not be chosen; None where it may."""
    if LONG_ROLES & set(roles) and len(typed) < LONG_DIGITS:
        return Weakness.SHORT
    return Weakness.GUESSED if _is_guessed(typed) or _is_of(typed, badge) else None


def _is_guessed(digits: str) -> bool:
    """
    >>> [one for one in ("1112", "1212", "123123", "3456", "9876", "8901", "1987", "2580", "8301") if _is_guessed(one)]
    ['1112', '1212', '123123', '3456', '9876', '8901', '1987', '2580']
    """
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(digits)}
    runs = len(steps) == 1 and steps <= {1, 9}
    same = max(map(digits.count, digits)) * 2 > len(digits)
    return runs or same or digits in _COMMON or bool(_REPEATED.fullmatch(digits) or _YEAR.fullmatch(digits))


def _is_of(digits: str, badge: str) -> bool:
    """The badge lies on the table for all to read; so do its digits backwards."""
    worn = re.sub(r"\D", "", unicodedata.normalize("NFKC", badge))  # one from a Japanese keyboard may be wide
    return any(digits in one or (len(one) >= 4 and one in digits) for one in (worn, worn[::-1]))
