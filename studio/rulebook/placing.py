"""How a street of Open-Face Chinese may be set: which of its cards go to which row.

Cards are named by their place in the street, the one dealt first first, and never by their faces: they are sealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MUCK: Final = "muck"
"""Said of a card that is given up; it is turned by nobody."""


@dataclass(frozen=True, slots=True)
class Placing:
    """`cards` of a street are to be set: `give_up` of them go to the muck, the others where a row has `room`.

    `refusal` says, key and sentence, why `rows` (the row of each card, in the order dealt, or `muck`) cannot be;
    None where they can.
    """

    cards: int
    give_up: int
    room: Mapping[str, int]

    def refusal(self, rows: Sequence[str]) -> tuple[str, str] | None:
        words = (*self.room, MUCK) if self.give_up else tuple(self.room)
        if len(rows) != self.cards:
            return "cards_amiss", (
                f"This street has {self.cards} cards and rows are given for {len(rows)}: say for each card once, "
                f"in the order dealt, {_either(words)}."
            )
        if unknown := [row for row in rows if row not in words]:
            return "no_such_row", f"A card cannot go to '{unknown[0]}': say {_either(words)}."
        set_to = Counter(rows)
        if set_to[MUCK] != self.give_up:
            return "give_up_amiss", (
                f"Of these {self.cards} cards {self.give_up} {_is(self.give_up)} given up, no more and no fewer: "
                f"{set_to[MUCK]} {_is(set_to[MUCK])}."
            )
        for row, room in self.room.items():
            if set_to[row] > room:
                left = f"has room for {room} only" if room else "is full"
                return "row_full", f"The {row} row {left}: set {set_to[row] - room} of these cards elsewhere."
        return None

    @property
    def forced(self) -> tuple[str, ...] | None:
        """Where the cards go when nobody sets them and one row only is open [OF2]; None while more are."""
        open_rows = [row for row, room in self.room.items() if room]
        if len(open_rows) != 1:
            return None
        return (*(open_rows * (self.cards - self.give_up)), *([MUCK] * self.give_up))


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
