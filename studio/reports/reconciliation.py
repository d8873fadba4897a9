"""Holds an operator's books against ours: line by line, by kind and id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from studio.reports.statement import Line, Theirs

What = Literal["only_here", "only_there", "differs", "twice_there"]


@dataclass(frozen=True, slots=True)
class Difference:
    what: What
    ours: Line | None
    theirs: Theirs | None


class Reconciliation:
    """Compares once; `agreed` counts the lines that do as they go by."""

    def __init__(self) -> None:
        self.agreed = 0

    def differences(self, ours: Iterable[Line], theirs: Iterable[Theirs]) -> Iterator[Difference]:
        """What does not agree: first in the order of our lines, then what they alone have."""
        there: dict[tuple[str, str], Theirs] = {}
        for line in theirs:
            if (line.kind, line.id) in there:
                yield Difference("twice_there", None, line)
            else:
                there[line.kind, line.id] = line
        for mine in ours:
            other = there.pop((mine.kind, mine.id), None)
            if other is None:
                yield Difference("only_here", mine, None)
            elif _said(mine) != (other.bettor, other.amount_minor, other.currency):
                yield Difference("differs", mine, other)
            else:
                self.agreed += 1
        for line in there.values():
            yield Difference("only_there", None, line)


def _said(line: Line) -> tuple[str, int, str]:
    return line.bettor, line.amount_minor, line.currency
