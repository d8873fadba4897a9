"""A unit that is kept only behind the newest row of a book that several processes write.

Whoever decides over such a book has read it up to a row. What he decides is kept while that is still its last row,
asked inside the transaction: of two who decided at one moment one is kept, and the other decides again.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.errors import RefusedError


@dataclass(frozen=True, slots=True)
class Follows:
    """`kinds`: of the rows of that book. `after`: the place of the one that was read last; 0 where there is none."""

    book: str
    kinds: frozenset[str]
    after: int


class MovedError(RefusedError):
    """Somebody else has added to this book since it was read; nothing was added."""

    def __init__(self) -> None:
        sentence = "Somebody else has just done something here and nothing of this was done: look, then do it again."
        super().__init__("desk_moved", sentence)
