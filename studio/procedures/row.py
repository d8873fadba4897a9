"""The shape of a row: what happened, in which circumstances, and what is done.

    ProcedureRow("TK8", ("dropped_card",), "dealing, identified before it left the view",
        (phase("dealing"), Is("identified", True)), "reuse_card", text="…")

The words of the second line are for people; the conditions of the third are what code walks.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from studio.procedures.circumstance import Circumstances
from studio.procedures.condition import Condition


class Approval(enum.StrEnum):
    """Who must agree, from the least to the most."""

    NONE = "none"
    DEALER = "dealer"
    PIT_BOSS = "pit_boss"
    TWO_PEOPLE = "two_people"

    def __or__(self, other: Approval) -> Approval:
        """The stricter of the two."""
        ranks = list(Approval)
        return max(self, other, key=ranks.index)


class Refund(enum.StrEnum):
    """Which stakes go back when the ruling is carried out."""

    NONE = "none"
    HAND = "hand"
    ALL = "all"


PIT_DECIDES = "pit_decides"


@dataclass(frozen=True, slots=True)
class ProcedureRow:
    """One line of the procedures. Two rows may share an id: the branches of one printed line.

    `when` is the printed condition, `conditions` the same as data (all must hold). `options`: what may be
    chosen under this row; for any ruling but `pit_decides` the row's own ruling comes first, and what follows
    is the way out when it cannot be carried out. `approval` None: as usual for the ruling. `afterwards`: what
    has to follow the ruling. `arguments`: the boxes of `swap_hands`. `every_game`: the † of the printed page.
    `words`: a studio's own text by language, beside the English one.
    """

    id: str
    kinds: tuple[str, ...]
    when: str
    conditions: tuple[Condition, ...]
    ruling: str
    text: str
    options: tuple[str, ...] = ()
    approval: Approval | None = None
    afterwards: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    every_game: bool = False
    words: tuple[tuple[str, str], ...] = ()

    def matches(self, kind: str, found: Circumstances) -> bool:
        return kind in self.kinds and all(condition.holds(found) for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the procedures say about one incident; `row` is empty where no row fits and the pit decides.

    `refund` is that of the row's own ruling; where the pit decides it is `none` until the pit has chosen.
    """

    row: str
    ruling: str
    options: tuple[str, ...]
    approval: Approval
    refund: Refund
    text: str
    arguments: tuple[str, ...] = ()
    afterwards: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """What may be carried out under this ruling, the usual thing first."""
        return self.options or (self.ruling,)

    def plain(self) -> Mapping[str, object]:
        """The shape of `studio ruling --json`."""
        return {
            "row": self.row,
            "ruling": self.ruling,
            "options": list(self.options),
            "approval": str(self.approval),
            "refund": str(self.refund),
            "text": self.text,
        }
