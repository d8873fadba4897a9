"""What a report expects to come back of a bet, from the certificates of its pay table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from studio.errors import BadInputError
from studio.games import find_game
from studio.proof.certificate.folder import Certificates
from studio.proof.certificate.record import CertifiedFigure
from studio.reports.record.choice import Expected


@dataclass(frozen=True, slots=True)
class Proved:
    """What these certificates prove of a game's pay table; nothing of a game this version does not know any more."""

    certificates: Certificates

    def __call__(self, game: str, version: int, rules: Mapping[str, Any]) -> Sequence[Expected]:
        try:
            rulebook = find_game(game)
        except BadInputError:
            return ()
        found = self.certificates.find(rulebook, rules) if rulebook.edition.has_figures_of(version) else None
        return expected_of(found.figures) if found is not None else ()


def expected_of(figures: Iterable[CertifiedFigure]) -> tuple[Expected, ...]:
    """Each bet on its own stake; of a game with decisions, the whole on all that is put out."""
    return tuple(
        Expected(
            one.bet, one.basis, Fraction(one.fraction), one.covers,
            tuple((Fraction(prize.returns), prize.deals) for prize in one.prizes),
        )
        for one in figures
        if one.basis != "initial"
    )  # fmt: skip
