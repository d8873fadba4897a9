"""What a report expects to come back of a bet, from the figures of a certificate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Protocol

from studio.reports.choice import Expected


class Prized(Protocol):
    """In so many of all deals a stake of 1 comes back as that."""

    @property
    def returns(self) -> str: ...

    @property
    def deals(self) -> int: ...


class Figured(Protocol):
    """A certified figure, as far as a report looks at it."""

    @property
    def bet(self) -> str: ...

    @property
    def basis(self) -> str: ...

    @property
    def covers(self) -> tuple[str, ...]: ...

    @property
    def fraction(self) -> str: ...

    @property
    def prizes(self) -> Sequence[Prized]: ...


def expected_of(figures: Iterable[Figured]) -> tuple[Expected, ...]:
    """Each bet on its own stake; of a game with decisions, the whole on all that is put out."""
    return tuple(
        Expected(
            one.bet, one.basis, Fraction(one.fraction), one.covers,
            tuple((Fraction(prize.returns), prize.deals) for prize in one.prizes),
        )
        for one in figures
        if one.basis != "initial"
    )  # fmt: skip
