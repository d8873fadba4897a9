"""A public class has a name of its own: who searches for it lands on it.

The names below stand for two things or more, each plain where it stands: the shape of an answer beside what the
interface answers of, a rulebook's outcome beside another's, the far side of a line beside this one. A new name does
not join them without a reason; one that has become single leaves.
"""

from __future__ import annotations

import ast
from collections import Counter

from source_tree import tree_of
from test_house import SOURCES

MEANT = {
    "Answered", "Asked", "Bet", "Case", "Choice", "Deal", "Decided", "End", "Field", "HandDetails", "HandLine",
    "Hands", "Laid", "Layout", "Message", "Moves", "Outcome", "PlacedBet", "Player", "Playing", "PotWon", "Prize",
    "Purse", "Rake", "Reading", "Request", "Room", "RoundDesk", "RoundNow", "Seat", "SeatTold", "Status",
    "TableState", "Tables", "Tape", "Terms", "Window", "Wrong",
}  # fmt: skip


def test_a_public_class_has_a_name_of_its_own() -> None:
    named = Counter(
        node.name
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert sorted(name for name, count in named.items() if count > 1) == sorted(MEANT)
