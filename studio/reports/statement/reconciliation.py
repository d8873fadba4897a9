"""Holds an operator's books against ours: line by line, by kind and id.

A stake of which his wallet gave no clear answer may be in his books or not; but if it is, so is what undid it. No
wallet has a word for what a correction took back: a `recovery` agrees with the debit or credit of its id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from studio.reports.statement.movement import UNSURE, StatementLine, Sums, Theirs

RECOVERY: Final = "recovery"
_TOLD_AS: Final = {RECOVERY: ("debit", "credit"), f"free_{RECOVERY}": ("free_debit",)}

What = Literal["only_here", "only_there", "differs", "twice_there", "in_suspense"]


@dataclass(frozen=True, slots=True)
class StatementDifference:
    what: What
    ours: StatementLine | None
    theirs: Theirs | None


class Reconciliation:
    """Compares once; as the lines go by, `agreed` counts those that do, and `here` and `there` sum up both books.

    What a wallet never took is in neither sum.
    """

    def __init__(self) -> None:
        self.agreed = 0
        self.here: Sums = Counter()
        self.there: Sums = Counter()

    def differences(self, ours: Iterable[StatementLine], theirs: Iterable[Theirs]) -> Iterator[StatementDifference]:
        """What does not agree: first in the order of our lines, then what they alone have."""
        there: dict[tuple[str, str], Theirs] = {}
        for line in theirs:
            self.there[line.kind, line.currency] += line.amount_minor
            if (line.kind, line.id) in there:
                yield StatementDifference("twice_there", None, line)
            else:
                there[line.kind, line.id] = line
        unsure: dict[tuple[str, str], list[tuple[StatementLine, Theirs]]] = {}
        for mine in ours:
            other = self._other(mine, there)
            if mine.state != UNSURE or other is not None:
                self.here[mine.kind, mine.currency] += mine.amount_minor
            if mine.state == UNSURE and (other is None or _amount(mine) == _amount(other)):
                self.agreed += 1
                if other is not None:
                    unsure.setdefault((mine.round, mine.currency), []).append((mine, other))
            elif other is None:
                yield StatementDifference("only_here", mine, None)
            elif _said(mine) != (other.bettor, other.amount_minor, other.currency):
                yield StatementDifference("differs", mine, other)
            else:
                self.agreed += 1
        for line in there.values():
            yield StatementDifference("only_there", None, line)
        yield from self._in_suspense(unsure.values())

    def _other(self, mine: StatementLine, there: dict[tuple[str, str], Theirs]) -> Theirs | None:
        """Take the operator's line of this movement out of `there`; None where he has none. A recovery that he booked
        under another kind counts as a recovery in his sums.
        """
        found = there.pop((mine.kind, mine.id), None)
        if found is None and mine.kind in _TOLD_AS:
            found = next((there.pop(key) for kind in _TOLD_AS[mine.kind] if (key := (kind, mine.id)) in there), None)
            if found is not None:
                self.there[found.kind, found.currency] -= found.amount_minor
                self.there[mine.kind, found.currency] += found.amount_minor
        return found

    def _in_suspense(self, rounds: Iterable[list[tuple[StatementLine, Theirs]]]) -> Iterator[StatementDifference]:
        """What he took without a clear answer, and has not given back."""
        for pairs in rounds:
            if sum(mine.amount_minor for mine, _ in pairs):
                self.agreed -= len(pairs)
                yield from (StatementDifference("in_suspense", mine, other) for mine, other in pairs)


def _amount(line: StatementLine | Theirs) -> tuple[int, str]:
    return line.amount_minor, line.currency


def _said(line: StatementLine) -> tuple[str, int, str]:
    return line.bettor, line.amount_minor, line.currency
