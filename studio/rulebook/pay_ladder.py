"""A pay table as a house option: how it is written, checked and read.

A ladder is one line of text, so that it may stand in a configuration and on the command line: each rung a hand and
what a stake of 1 comes back as, `flush 8, straight 5, three_of_a_kind 4`. Of a changed ladder only the rungs that
differ have to be written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from studio.errors import BadInputError
from studio.rulebook.script import Rules

Ladder = Mapping[str, Fraction]

_RUNG: Final = re.compile(r"([a-z_]+)\s+(\d{1,6}(?:\.\d{1,6})?)", re.ASCII)


@cache
def read_ladder(text: str) -> Ladder:
    """The rungs of a ladder that was checked.

    >>> read_ladder("flush 2.5, straight 2")["flush"]
    Fraction(5, 2)
    """
    rungs = (rung.split() for rung in text.split(","))
    return MappingProxyType({hand: Fraction(paid) for hand, paid in rungs})


def check_ladders(title: str, usual: Mapping[str, str], rules: Rules) -> dict[str, str]:
    """Every ladder of a game written out, changed as `rules` say; `BadInputError` says what in them is wrong."""
    for option in rules:
        if option not in usual:
            raise BadInputError(f"{title} has no house option '{option}': it has {', '.join(usual)}.")
    return {option: _changed(option, text, rules.get(option, "")) for option, text in usual.items()}


def _changed(option: str, usual: str, given: object) -> str:
    rungs = dict(rung.split() for rung in usual.split(","))
    if not isinstance(given, str):
        raise BadInputError(f"The house option {option} cannot be {given!r}: write it as text, '{usual}'.")
    for rung in given.split(",") if given.strip() else ():
        hand, paid = _rung(option, rung)
        if hand not in rungs:
            raise BadInputError(f"The house option {option} does not pay '{hand}': it pays {', '.join(rungs)}.")
        rungs[hand] = paid
    return ", ".join(f"{hand} {paid}" for hand, paid in rungs.items())


def _rung(option: str, text: str) -> tuple[str, str]:
    if found := _RUNG.fullmatch(text.strip()):
        return found[1], found[2]
    raise BadInputError(
        f"The house option {option} cannot be read at '{text.strip()}': write a hand and what a stake of 1 comes "
        f"back as, such as 'flush 8', and a comma between two of them."
    )
