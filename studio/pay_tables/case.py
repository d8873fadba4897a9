"""The outcomes in short of a game: a case is told by finished deals, and what pays there is asked of the rulebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FOLD: Final = "fold"

HIGH_CARDS: Final = "Tc 4d Qs 7h 2c"
A_RUN: Final = "9c 8d 7s Kh 2c"
RUN_AND_PAIR: Final = "9c 8d 7s Kh Kc"
BROADWAY: Final = "Ac Kd Qs Jh Tc"
"""Boards of five cards, on which cases of the hold'em games are told."""


@dataclass(frozen=True, slots=True)
class Case:
    """`when` is a word of the catalogue (`outcomes.<when>`), `deals` what it looks like: a text for each, the boxes in
    the order of the rulebook. Deals that differ in what a bet comes to are all given.
    """

    when: str
    deals: tuple[str, ...]
    conduct: str = ""
