"""What a started round keeps under its rules beside those of the house: terms of its shoe, and of its hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from studio.rulebook.hand_terms import HAND
from studio.rulebook.script import Rules

NEW_SHOE: Final = "new_shoe"
"""The rule under which a started round keeps that it is the first from its shoe."""

_OF_THE_ROUND: Final = frozenset({HAND, NEW_SHOE})


def shoe_terms(opened: bool, rounds_dealt: int) -> Mapping[str, Any]:
    """The terms of the next round, from how many were dealt from its shoe; none where a new shoe is no occasion."""
    return {NEW_SHOE: True} if opened and not rounds_dealt else {}


def is_new_shoe(rules: Rules) -> bool:
    """Whether the round is the first from its shoe, which is opened first: by a burn, or by its first card."""
    return rules.get(NEW_SHOE) is True


def house_rules(rules: Rules) -> dict[str, Any]:
    """The options of the house alone, as its table is configured, of those a round was started under.

    >>> house_rules({"tie": "12", "new_shoe": True})
    {'tie': '12'}
    """
    return {name: value for name, value in rules.items() if name not in _OF_THE_ROUND}
