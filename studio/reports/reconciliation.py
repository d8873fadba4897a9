"""Holds an operator's books against ours: line by line, by kind and id.

A stake of which his wallet gave no clear answer may be in his books or not; but if it is, so is what undid it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from studio.reports.statement import UNSURE, Line, Sums, Theirs

What = Literal["only_here", "only_there", "differs", "twice_there", "in_suspense"]


@dataclass(frozen=True, slots=True)
class Difference:
    what: What
    ours: Line | None
    theirs: Theirs | None


class Reconciliation:
    """Compares once; as the lines go by, `agreed` counts those that do, and `here` and `there` sum up both books.

    What a wallet never took is in neither sum.
    """

    def __init__(self) -> None:
        self.agreed = 0
        self.here: Sums = Counter()
        self.there: Sums = Counter()

    def differences(self, ours: Iterable[Line], theirs: Iterable[Theirs]) -> Iterator[Difference]:
        """What does not agree: first in the order of our lines, then what they alone have."""
        there: dict[tuple[str, str], Theirs] = {}
        for line in theirs:
            self.there[line.kind, line.currency] += line.amount_minor
            if (line.kind, line.id) in there:
                yield Difference("twice_there", None, line)
            else:
                there[line.kind, line.id] = line
        unsure: dict[tuple[str, str], list[tuple[Line, Theirs]]] = {}
        for mine in ours:
            other = there.pop((mine.kind, mine.id), None)
            if mine.state != UNSURE or other is not None:
                self.here[mine.kind, mine.currency] += mine.amount_minor
            if mine.state == UNSURE and (other is None or _amount(mine) == _amount(other)):
                self.agreed += 1
                if other is not None:
                    unsure.setdefault((mine.round, mine.currency), []).append((mine, other))
            elif other is None:
                yield Difference("only_here", mine, None)
            elif _said(mine) != (other.bettor, other.amount_minor, other.currency):
                yield Difference("differs", mine, other)
            else:
                self.agreed += 1
        for line in there.values():
            yield Difference("only_there", None, line)
        yield from self._in_suspense(unsure.values())

    def _in_suspense(self, rounds: Iterable[list[tuple[Line, Theirs]]]) -> Iterator[Difference]:
        """What he took without a clear answer, and has not given back."""
        for pairs in rounds:
            if sum(mine.amount_minor for mine, _ in pairs):
                self.agreed -= len(pairs)
                yield from (Difference("in_suspense", mine, other) for mine, other in pairs)


def _amount(line: Line | Theirs) -> tuple[int, str]:
    return line.amount_minor, line.currency


def _said(line: Line) -> tuple[str, int, str]:
    return line.bettor, line.amount_minor, line.currency
